import { expect } from "chai";
import { type DroppedMatch, joinDropped } from "../../../src/matching/words/dropped-matches.ts";
import type { ChunkPair } from "../../../src/matching/words/found-chunks.ts";
import { type AlignedDocument, explainCandidates } from "../../../src/report/figures/explanation.ts";

const hit = (queryChunk: number, sharedShingles: number, sharedTerms = 0): ChunkPair => ({
  queryChunk,
  chunkIndex: 0,
  sharedShingles,
  sharedTerms,
});

const span = { start: 0, end: 9 };

const dropped = (score: number): DroppedMatch => ({
  query: span,
  sourceDocument: { utf16: span, codePoint: span },
  reason: "too_short",
  matchedWords: 4,
  score,
});

function aligned(documentId: string, passages: number, ...scores: number[]): AlignedDocument {
  const counts = scores.length > 0 ? { too_short: scores.length } : {};
  return {
    documentId,
    passages: Array.from({ length: passages }),
    dropped: { matches: scores.map(dropped), counts },
  };
}

describe("explainCandidates", () => {
  it("gives the hits and the dropped matches of each reported source", () => {
    const hits = new Map([
      ["b", [hit(0, 2), hit(1, 1, 3)]],
      ["a", [hit(2, 7)]],
    ]);
    const explanation = explainCandidates([aligned("b", 1, -3), aligned("a", 2)], hits);
    expect(explanation).to.deep.equal({
      reported: [
        { documentId: "a", hits: [hit(2, 7)], hitCount: 1, dropped: { matches: [], counts: {} } },
        {
          documentId: "b",
          hits: [hit(1, 1, 3), hit(0, 2)],
          hitCount: 2,
          dropped: { matches: [dropped(-3)], counts: { too_short: 1 } },
        },
      ],
      unreported: [],
      candidateCount: 2,
    });
  });

  it("has the documents that meaning alone has found, without hits", () => {
    const documents = [aligned("b", 1), aligned("c", 0, -2), aligned("a", 0)];
    const { reported, unreported, candidateCount } = explainCandidates(
      documents,
      new Map([["a", [hit(0, 1)]]]),
    );
    expect(reported.map(({ documentId, hits, hitCount }) => [documentId, hits, hitCount])).to.deep.equal([
      ["b", [], 0],
    ]);
    expect(unreported.map(({ documentId }) => documentId)).to.deep.equal(["c", "a"]);
    expect(candidateCount).to.equal(3);
  });

  it("joins what words and meaning have dropped: the best five, and the number for each reason", () => {
    const byWords = aligned("a", 0, -9, -12, -30).dropped;
    const byMeaning = {
      matches: [-1, -10, -11].map((score) => ({ ...dropped(score), reason: "weak_meaning" as const })),
      counts: { weak_meaning: 4 },
    };
    const { matches, counts } = joinDropped([byWords, byMeaning]);
    expect(matches.map(({ score }) => score)).to.deep.equal([-1, -9, -10, -11, -12]);
    expect(counts).to.deep.equal({ too_short: 3, weak_meaning: 4 });
    const duplicates = [9, 8, 7, 6, 5].map((score) => ({ ...dropped(score), reason: "duplicate" as const }));
    const joined = joinDropped([{ matches: duplicates, counts: { duplicate: 5 } }, byMeaning]);
    expect(joined.matches.map(({ score }) => score)).to.deep.equal([9, 8, 7, 6, -1]);
    expect(joinDropped([])).to.deep.equal({ matches: [], counts: {} });
  });

  it("keeps only the strongest hits, and gives their number", () => {
    const list = Array.from({ length: 30 }, (_, at) => hit(at, at % 10));
    const [source] = explainCandidates([aligned("a", 1)], new Map([["a", list]])).reported;
    expect(source?.hitCount).to.equal(30);
    expect(source?.hits.map(({ queryChunk }) => queryChunk)).to.deep.equal([9, 19, 29, 8, 18, 28, 7, 17]);
  });

  it("keeps the candidates without a passage that were nearest to one, with or without matches", () => {
    const names = Array.from({ length: 30 }, (_, at) => `d${String(at).padStart(2, "0")}`);
    const hits = new Map(names.map((name, at) => [name, [hit(0, at)]]));
    const documents = [aligned("d03", 0, -9), aligned("d05", 0, -2, -4), aligned("d29", 1)];
    const { reported, unreported, candidateCount } = explainCandidates(documents, hits);
    expect(reported.map(({ documentId }) => documentId)).to.deep.equal(["d29"]);
    expect(candidateCount).to.equal(30);
    const nearest = unreported.map(({ documentId }) => documentId);
    expect(nearest).to.have.lengthOf(20);
    expect(nearest.slice(0, 4)).to.deep.equal(["d05", "d03", "d28", "d27"]);
  });

  it("keeps candidates by words beside many by meaning, whose scores are nearer to 0", () => {
    const byMeaning = Array.from({ length: 25 }, (_, at): AlignedDocument => {
      const match = { ...dropped(-at / 10), reason: "weak_meaning" as const };
      return {
        documentId: `m${at}`,
        passages: [],
        dropped: { matches: [match], counts: { weak_meaning: 1 } },
      };
    });
    const byWords = Array.from({ length: 4 }, (_, at) => aligned(`w${at}`, 0, -20 - at));
    const names = (documents: readonly AlignedDocument[]) =>
      explainCandidates(documents, new Map()).unreported.map(({ documentId }) => documentId);
    const first = (count: number) => byMeaning.slice(0, count).map(({ documentId }) => documentId);
    expect(names([...byMeaning, ...byWords])).to.deep.equal([...first(16), "w0", "w1", "w2", "w3"]);
    expect(names(byMeaning)).to.deep.equal(first(20));
    const many = Array.from({ length: 30 }, (_, at) => aligned(`w${at}`, 0, -20 - at));
    expect(names([...byMeaning, ...many]).filter((name) => name.startsWith("m"))).to.deep.equal(first(10));
  });

  it("does not depend on the order of its input", () => {
    const names = ["c", "a", "d", "b"];
    const hits = names.map((name): [string, ChunkPair[]] => [name, [hit(1, 2), hit(0, 2)]]);
    const documents = names.map((name) => aligned(name, name < "c" ? 1 : 0, -1));
    const backwards = hits
      .toReversed()
      .map(([name, list]): [string, ChunkPair[]] => [name, list.toReversed()]);
    expect(explainCandidates(documents, new Map(hits))).to.deep.equal(
      explainCandidates(documents.toReversed(), new Map(backwards)),
    );
  });
});
