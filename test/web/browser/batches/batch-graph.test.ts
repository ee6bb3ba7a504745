import { expect } from "chai";
import fc from "fast-check";
import type { BatchGraph as WireGraph } from "../../../../src/client/index.ts";
import {
  completeFrom,
  memberClusters,
  memberHistogram,
  pairCounts,
  pairsFrom,
  pairsOf,
  selectedPairs,
  sortedClusters,
  toGraph,
} from "../../../../src/web/browser/batches/batch-graph.ts";
import { similarTogether } from "../../../../src/web/browser/batches/cluster-order.ts";
import { drawGraph, hitAt } from "../../../../src/web/browser/batches/graph-drawing.ts";
import { movedPlace, nearestPair, toMatrix } from "../../../../src/web/browser/batches/matrix.ts";

/** Pairs of up to 40 members with their percentages. */
const PAIRS = fc.uniqueArray(
  fc
    .tuple(fc.nat(39), fc.nat(39), fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 100 }))
    .filter(([a, b]) => a < b),
  { maxLength: 90, selector: ([a, b]) => `${a} ${b}` },
);

function firstOf({ members: [first] }: WireGraph): WireGraph["members"][number] {
  if (first === undefined) throw new Error("there is no member");
  return first;
}

type Sent = readonly (readonly [number, number, number, number])[];

function wireGraph(sent: Sent, pairsTotal = sent.length): WireGraph {
  const sorted = sent.toSorted((x, y) => Math.max(y[2], y[3]) - Math.max(x[2], x[3]));
  return {
    ...{ batch_id: "01a1fdd3-1c40-7711-9d2a-8f0a4c1be201", status: "complete", min_similarity: 0 },
    ...{ members_total: 40, members_read: 40, members_compared: 40, members_failed: 0 },
    pairs_found: pairsTotal,
    members: Array.from({ length: 40 }, (_, ordinal) => ({
      ...{ member_id: String(ordinal), ordinal, name: `Text ${ordinal}`, group: null, check_id: null },
      ...{ char_count: 10, pairs: 0, nearest: null, common_pct: 0, corpus_similarity_pct: null },
      similarity_pct: Math.max(
        0,
        ...sorted.map(([a, b, x, y]) => (a === ordinal ? x : b === ordinal ? y : 0)),
      ),
    })),
    pairs: {
      a: sorted.map(([a]) => a),
      b: sorted.map(([, b]) => b),
      a_similarity_pct: sorted.map(([, , pct]) => pct),
      b_similarity_pct: sorted.map(([, , , pct]) => pct),
      passage_count: sorted.map(() => 1),
      longest_passage_chars: sorted.map(([a, b]) => a + b),
    },
    pairs_total: pairsTotal,
  };
}

/** Five members of which each is similar to each, and five in a ring. */
const K5: Sent = [0, 1, 2, 3, 4].flatMap((a) =>
  [0, 1, 2, 3, 4].filter((b) => b > a).map((b) => [a, b, 50, 50] as const),
);
const RING: Sent = [0, 1, 2, 3, 4].map(
  (a) => [Math.min(a, (a + 1) % 5), Math.max(a, (a + 1) % 5), 50, 50] as const,
);

describe("the graph of a batch in the browser", () => {
  it("names members without the folder that holds all of them", () => {
    const named = (names: readonly string[]) => {
      const wire = wireGraph([[0, 1, 10, 20]]);
      const members = names.map((name, at) => ({ ...firstOf(wire), ordinal: at, name }));
      const graph = toGraph({ ...wire, members });
      return graph.members.map(({ name }) => name);
    };
    expect(named(["class/anna.txt", "class/bob/essay.txt"])).to.deep.equal(["anna.txt", "bob/essay.txt"]);
    expect(named(["a/b/one.txt", "a/b/two.txt", "a/bc.txt"])).to.deep.equal([
      "b/one.txt",
      "b/two.txt",
      "bc.txt",
    ]);
    expect(named(["class/anna.txt", "bob.txt"])).to.deep.equal(["class/anna.txt", "bob.txt"]);
    expect(named(["class/anna.txt", "classes/bob.txt"])).to.deep.equal(["class/anna.txt", "classes/bob.txt"]);
    expect(named(["anna.txt", "bob.txt"])).to.deep.equal(["anna.txt", "bob.txt"]);
  });

  it("has exactly the pairs from a threshold on, and each of its members in one cluster", () => {
    fc.assert(
      fc.property(PAIRS, fc.nat(100), (sent, pctMin) => {
        const graph = toGraph(wireGraph(sent));
        const pairs = pairsFrom(graph.pairs, pctMin);
        expect(pairs).to.deep.equal(graph.pairs.filter(({ pct }) => pct >= pctMin));
        const clusters = memberClusters(pairs);
        const clustered = clusters.flatMap(({ members }) => members);
        expect(new Set(clustered).size).to.equal(clustered.length);
        expect(clustered).to.have.members([...new Set(pairs.flatMap(({ a, b }) => [a, b]))]);
        expect(clusters.flatMap((one) => one.pairs)).to.have.members(pairs);
      }),
      { seed: 9 },
    );
  });

  it("gives fewer or equal clustered members for a higher threshold", () => {
    fc.assert(
      fc.property(PAIRS, fc.nat(100), fc.nat(100), (sent, one, other) => {
        const { pairs } = toGraph(wireGraph(sent));
        const clustered = (pct: number) =>
          memberClusters(pairsFrom(pairs, pct)).flatMap((of) => of.members).length;
        expect(clustered(Math.max(one, other))).to.be.at.most(clustered(Math.min(one, other)));
      }),
      { seed: 9 },
    );
  });

  it("orders the members of a cluster so that each follows one that it has a pair with", () => {
    fc.assert(
      fc.property(PAIRS, (sent) => {
        for (const cluster of memberClusters(toGraph(wireGraph(sent)).pairs)) {
          const ordered = similarTogether(cluster);
          expect(ordered).to.have.members(cluster.members);
          for (const [at, member] of ordered.entries())
            if (at > 0) {
              const before = new Set(ordered.slice(0, at));
              const isConnected = cluster.pairs.some(
                ({ a, b }) => (a === member && before.has(b)) || (b === member && before.has(a)),
              );
              expect(isConnected).to.equal(true);
            }
        }
      }),
      { seed: 9 },
    );
  });

  it("is filtered by the names of either side and sorted by what is asked for", () => {
    const graph = toGraph(
      wireGraph([
        [1, 2, 50, 60],
        [3, 14, 90, 10],
        [5, 6, 20, 20],
      ]),
    );
    const names = (name: string, sort: "similarity" | "longest" | "name", pctMin = 0) =>
      selectedPairs(graph, { name, sort, pctMin }).map(({ a }) => a.ordinal);
    expect(names("", "similarity")).to.deep.equal([3, 1, 5]);
    expect(names("", "similarity", 60)).to.deep.equal([3, 1]);
    expect(names("TEXT 14", "similarity")).to.deep.equal([3]);
    expect(names("", "longest")).to.deep.equal([3, 5, 1]);
    expect(names("", "name")).to.deep.equal([1, 3, 5]);
  });

  it("lists the clusters with the most similar pairs first, all of them", () => {
    fc.assert(
      fc.property(PAIRS, (sent) => {
        const clusters = memberClusters(toGraph(wireGraph(sent)).pairs);
        const sorted = sortedClusters(clusters, "similarity");
        expect(sorted).to.have.members(clusters);
        const highest = sorted.map(({ pairs }) => pairs[0]?.pct ?? 0);
        expect(highest).to.deep.equal(highest.toSorted((one, other) => other - one));
      }),
      { seed: 9 },
    );
  });

  it("counts the pairs of each member", () => {
    fc.assert(
      fc.property(PAIRS, fc.nat(100), (sent, pctMin) => {
        const pairs = pairsFrom(toGraph(wireGraph(sent)).pairs, pctMin);
        const counts = pairCounts(pairs);
        for (const cluster of memberClusters(pairs))
          for (const member of cluster.members)
            expect(counts.get(member.ordinal)).to.equal(pairsOf(cluster, member).length);
        expect([...counts.values()].reduce((sum, one) => sum + one, 0)).to.equal(2 * pairs.length);
      }),
      { seed: 9 },
    );
  });

  it("counts each member with a pair once in the histogram", () => {
    fc.assert(
      fc.property(PAIRS, (sent) => {
        const { members } = toGraph(wireGraph(sent));
        const bins = memberHistogram(members, 5);
        const paired = members.filter(({ similarity_pct: pct }) => pct > 0);
        expect(bins.reduce((sum, bin) => sum + bin.members, 0)).to.equal(paired.length);
      }),
      { seed: 9 },
    );
  });

  it("says from which threshold on it has all pairs", () => {
    expect(completeFrom(toGraph(wireGraph([[1, 2, 30, 41]])))).to.equal(0);
    expect(completeFrom(toGraph(wireGraph([[1, 2, 30, 41]], 7)))).to.equal(42);
  });
});

describe("the drawing of clusters", () => {
  it("puts every member inside and apart from the others, at the same place each time", () => {
    fc.assert(
      fc.property(PAIRS, fc.integer({ min: 300, max: 1_200 }), (sent, width) => {
        const clusters = memberClusters(toGraph(wireGraph(sent)).pairs);
        const drawing = drawGraph(clusters, width);
        expect(drawGraph(clusters, width)).to.deep.equal(drawing);
        for (const { x, y, radius } of drawing.nodes) {
          expect(x).to.be.within(radius, width - radius);
          expect(y).to.be.within(radius, drawing.height - radius);
        }
        for (const [at, one] of drawing.nodes.entries())
          for (const other of drawing.nodes.slice(at + 1))
            expect(Math.hypot(one.x - other.x, one.y - other.y)).to.be.above(2);
      }),
      { numRuns: 40, seed: 9 },
    );
  });

  it("gives the names of a small cluster the space that they need", () => {
    for (const links of [K5, RING]) {
      const drawing = drawGraph(memberClusters(toGraph(wireGraph(links)).pairs), 560);
      expect(drawing.hasLabels).to.equal(true);
      for (const [at, one] of drawing.nodes.entries())
        for (const other of drawing.nodes.slice(at + 1)) {
          const isBeside = Math.abs(one.x - other.x) >= 90;
          const isBelow = Math.abs(one.y - other.y) >= 17;
          expect(isBeside || isBelow, JSON.stringify([one.x, one.y, other.x, other.y])).to.equal(true);
        }
    }
  });

  it("makes one node of a large cluster, and shows its members when it is alone", () => {
    const chain = Array.from({ length: 39 }, (_, at): [number, number, number, number] => [
      at,
      at + 1,
      50,
      50,
    ]);
    const [whole] = memberClusters(toGraph(wireGraph(chain)).pairs);
    if (whole === undefined) throw new Error("a chain is one cluster");
    const large = { ...whole, members: [...whole.members, ...whole.members] };
    const small = memberClusters(toGraph(wireGraph([[1, 2, 50, 60]])).pairs);
    const together = drawGraph([large, ...small], 800);
    expect(together.nodes.map(({ member }) => member?.ordinal)).to.deep.equal([undefined, 1, 2]);
    expect(together.links).to.have.length(1);
    expect(drawGraph([whole], 800).nodes).to.have.length(40);
  });

  it("finds the node under the pointer, otherwise the link", () => {
    const drawing = drawGraph(memberClusters(toGraph(wireGraph([[1, 2, 50, 60]])).pairs), 800);
    const [one, other] = drawing.nodes;
    if (one === undefined || other === undefined) throw new Error("two members are two nodes");
    expect(hitAt(drawing, one)).to.deep.equal({ node: one });
    const middle = hitAt(drawing, { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 });
    expect(middle).to.have.property("link");
    expect(hitAt(drawing, { x: 700, y: drawing.height })).to.equal(undefined);
  });
});

describe("the matrix of a batch", () => {
  it("has each pair once at the places of its members, and finds it in either order", () => {
    fc.assert(
      fc.property(PAIRS, fc.nat(100), (sent, pctMin) => {
        const { pairs } = toGraph(wireGraph(sent));
        const matrix = toMatrix(memberClusters(pairsFrom(pairs, pctMin)), pairs, new Map());
        for (const { row, column, pair } of matrix.cells) {
          expect([matrix.members[row], matrix.members[column]]).to.have.members([pair.a, pair.b]);
          expect(matrix.pairAt(row, column)).to.equal(pair);
          expect(matrix.pairAt(column, row)).to.equal(pair);
        }
        const shown = new Set(matrix.members);
        expect(matrix.cells.map(({ pair }) => pair)).to.have.members(
          pairs.filter(({ a, b }) => shown.has(a) && shown.has(b)),
        );
      }),
      { seed: 9 },
    );
  });

  it("is walked through by keys, cell by cell and pair by pair, and never left", () => {
    const { pairs } = toGraph(
      wireGraph([
        [0, 1, 90, 90],
        [1, 2, 80, 80],
        [0, 3, 70, 70],
      ]),
    );
    const matrix = toMatrix(memberClusters(pairs), pairs, new Map());
    expect(matrix.members.map(({ ordinal }) => ordinal)).to.deep.equal([0, 1, 2, 3]);
    const corner = { row: 0, column: 0 };
    expect(movedPlace(matrix, corner, "ArrowRight", false)).to.deep.equal({ row: 0, column: 1 });
    expect(movedPlace(matrix, corner, "ArrowLeft", false)).to.deep.equal(corner);
    expect(movedPlace(matrix, { row: 0, column: 1 }, "ArrowRight", true)).to.deep.equal({
      row: 0,
      column: 3,
    });
    expect(movedPlace(matrix, { row: 0, column: 1 }, "ArrowDown", true)).to.deep.equal({ row: 2, column: 1 });
    expect(movedPlace(matrix, corner, "End", false)).to.deep.equal({ row: 0, column: 3 });
    expect(movedPlace(matrix, corner, "x", false)).to.equal(undefined);
    expect(nearestPair(matrix, { row: 3, column: 2 }, 1)).to.deep.equal({ row: 2, column: 1 });
    expect(nearestPair(matrix, { row: 3, column: 3 }, 1)).to.deep.equal({ row: 3, column: 3 });
  });
});
