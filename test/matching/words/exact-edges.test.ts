import { expect } from "chai";
import fc from "fast-check";
import { align } from "../../../src/matching/words/align.ts";
import { exactCandidate } from "../../../src/matching/words/candidates.ts";
import { trimCopy, withOmittedTail, withoutOverlaps } from "../../../src/matching/words/exact-edges.ts";
import { ALIGNMENT } from "../../../src/matching/words/model.ts";
import { prepareQuery } from "../../../src/matching/words/text-pair.ts";
import { prose } from "../../support/work/prose.ts";
import { newWords, pairOf, passageTexts, places, tokenised } from "./sample-texts.ts";

/** The kept passages as [query text, source text, match type]. */
function kept(queryText: string, sourceText: string): [string, string, string][] {
  const [query, source] = [tokenised(queryText), tokenised(sourceText)];
  return align(prepareQuery(query, { language: "en" }), source).kept.map((passage) => {
    const [inQuery, inSource] = passageTexts(query, source, passage);
    return [inQuery, inSource, passage.matchType];
  });
}

function identical(...copies: readonly string[]): [string, string, string][] {
  return copies.map((copy) => [copy, copy, "identical"]);
}

/** Five copies of 25 to 60 words, and the texts that stand beside them, all of one seed. */
function texts(seed: number) {
  const copies = [25, 60, 38, 31, 47].map((words, at) => prose(100 * seed + at, words));
  return { copies, beside: (at: number, words: number) => prose(100 * seed + 50 + at, words) };
}

const SEEDS = [...Array(12).keys()].map((at) => 4_000 + at);

describe("a copied sentence", () => {
  it("ends with its full stop even if both texts happen to continue with the same common word", () => {
    for (const seed of SEEDS) {
      const sentence = `${prose(seed, 15).replaceAll(".", "")}.`;
      for (const word of ["The", "It was"]) {
        const query = `${prose(seed + 100, 40)} ${sentence} ${word} ${prose(seed + 200, 40).toLowerCase()}`;
        const source = `${prose(seed + 300, 40)} ${sentence} ${word} ${prose(seed + 400, 40).toLowerCase()}`;
        expect(kept(query, source)).to.deep.equal(identical(sentence));
      }
    }
  });
});

describe("copies from one source", () => {
  it("are separate passages if other text stands between them, and none of it is marked", () => {
    for (const seed of SEEDS) {
      const { copies, beside } = texts(seed);
      const query = copies.map((copy, at) => `${beside(at, 40)} ${copy}`).join(" ");
      const source = copies.map((copy, at) => `${beside(10 + at, 30)} ${copy}`).join(" ");
      expect(kept(query, source)).to.deep.equal(identical(...copies));
    }
  });

  it("are separate passages even if they are adjacent in the source", () => {
    for (const seed of SEEDS) {
      const { copies, beside } = texts(seed);
      const query = copies.map((copy, at) => `${beside(at, 40)}\n\n${copy}`).join("\n\n");
      expect(kept(query, copies.join(" ")).map(([text]) => text)).to.deep.equal(copies);
    }
  });

  it("are separate passages if each is a paragraph and other text stands between them in the source", () => {
    for (const seed of SEEDS) {
      const { copies, beside } = texts(seed);
      const query = `${copies.join("\n\n")}\n\n${beside(20, 40)}`;
      const source = copies.map((copy, at) => `${beside(at, 30)} ${copy}`).join(" ");
      expect(kept(query, source)).to.deep.equal(identical(...copies));
    }
  });

  it("are one passage if they are paragraphs that follow each other in the source too", () => {
    for (const seed of SEEDS) {
      const { copies, beside } = texts(seed);
      const query = `${beside(0, 40)} ${copies.join("\n\n")} ${beside(1, 40)}`;
      expect(kept(query, `${beside(2, 30)} ${copies.join(" ")}`)).to.deep.equal([
        [copies.join("\n\n"), copies.join(" "), "identical"],
      ]);
    }
  });

  it("are two passages if the source has them in the other order, with other text between", () => {
    for (const seed of SEEDS) {
      const { copies, beside } = texts(seed);
      const [one = "", two = ""] = copies;
      const query = `${beside(0, 40)} ${one} ${two} ${beside(1, 40)}`;
      expect(kept(query, `${two} ${beside(2, 30)} ${one}`)).to.deep.equal(identical(one, two));
    }
  });
});

describe("the edges of a copy", () => {
  it("are those of the exact match, whatever surrounds it", () => {
    for (let seed = 5_000; seed < 5_200; seed++) {
      const copy = prose(seed, 20);
      const query = `${prose(seed + 1_000, 8)} ${copy} ${prose(seed + 2_000, 9)}`;
      const source = `${prose(seed + 3_000, 30)} ${copy} ${prose(seed + 4_000, 11)}`;
      const [passage, ...others] = kept(query, source);
      expect(others).to.deep.equal([]);
      expect(passage?.[0]).to.include(copy);
      expect(passage?.[1]).to.equal(passage?.[0]);
      expect((passage?.[0] ?? "").length - copy.length).to.be.at.most(20);
    }
  });

  it("are its first and last equal words if there are edits inside", () => {
    for (const seed of SEEDS) {
      const copy = prose(seed, 60);
      const edited = copy.split(" ").with(20, "otherwise").toSpliced(41, 1).join(" ");
      const query = `${prose(seed + 100, 30)} ${edited} ${prose(seed + 200, 30)}`;
      const source = `${prose(seed + 300, 30)} ${copy} ${prose(seed + 400, 30)}`;
      expect(kept(query, source)).to.deep.equal([[edited, copy, "minor_changes"]]);
    }
  });
});

describe("trimming", () => {
  const copy = newWords("copy", 20);
  const pair = pairOf(
    `${newWords("q", 10)} ${copy} ${newWords("r", 10)}`,
    `${newWords("s", 10)} ${copy} ${newWords("t", 10)}`,
  );

  it("removes the words that the other side lacks from both ends of a copy, on both sides", () => {
    const wide = exactCandidate(pair, { query: { start: 8, end: 31 }, source: { start: 9, end: 32 } });
    expect(places(trimCopy(pair, wide))).to.deep.equal([10, 30, 10, 30]);
  });

  it("leaves a passage as it is whose words are mostly reworded", () => {
    const reworded = newWords("copy", 40)
      .split(" ")
      .map((word, at) => (at % 3 === 1 ? `new${at}` : word));
    const other = pairOf(
      `${newWords("q", 9)} ${reworded.join(" ")} ${newWords("r", 9)}`,
      newWords("copy", 40),
    );
    const wide = exactCandidate(other, { query: { start: 7, end: 47 }, source: { start: 0, end: 40 } });
    expect(trimCopy(other, wide).query).to.deep.equal(wide.query);
  });
});

describe("the omitted tail of a condensed source", () => {
  it("is as long as the omissions within the passage", () => {
    const source = newWords("s", 200);
    const kept = source.split(" ").filter((_, at) => at % 30 < 10 && at < 130);
    const pair = pairOf(`${newWords("q", 20)} ${kept.join(" ")}`, source);
    const candidate = {
      ...exactCandidate(pair, {
        query: { start: 20, end: 20 + kept.length },
        source: { start: 0, end: 130 },
      }),
      sourceScores: Float64Array.from({ length: 130 }, (_, at) => (at % 30 < 10 ? 2 : -0.5)),
    };
    const { source: longer } = withOmittedTail(pair, candidate);
    expect(longer.start).to.equal(0);
    expect(longer.end).to.be.within(140, 160);
  });

  it("does not exist for passages that keep most of their source", () => {
    const pair = pairOf(newWords("w", 30), newWords("w", 60));
    const candidate = exactCandidate(pair, { query: { start: 0, end: 30 }, source: { start: 0, end: 30 } });
    expect(withOmittedTail(pair, candidate)).to.equal(candidate);
  });
});

describe("withoutOverlaps", () => {
  const words = newWords("w", 60);
  const pair = pairOf(words, words);
  const at = (start: number, end: number) =>
    exactCandidate(pair, { query: { start, end }, source: { start, end } });

  it("gives each query word to the best candidate and orders them by query", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(50), fc.integer({ min: 1, max: 10 })), { maxLength: 8 }),
        (spans) => {
          const apart = withoutOverlaps(
            ALIGNMENT,
            spans.map(([start, length]) => at(start, start + length)),
          );
          let end = 0;
          for (const { query, source, queryScores } of apart) {
            expect(query.start).to.be.at.least(end);
            expect(query.end).to.be.greaterThan(query.start);
            expect(source).to.deep.equal(query);
            expect(queryScores).to.have.lengthOf(query.end - query.start);
            end = query.end;
          }
          const [best] = spans;
          if (best)
            expect(apart.map(({ query }) => query)).to.deep.include({
              start: best[0],
              end: best[0] + best[1],
            });
        },
      ),
      { seed: 36, numRuns: 200 },
    );
  });

  it("keeps the longer of the two ends that a better candidate leaves", () => {
    expect(withoutOverlaps(ALIGNMENT, [at(10, 20), at(5, 40)]).map(places)).to.deep.equal([
      [10, 20, 10, 20],
      [20, 40, 20, 40],
    ]);
  });
});
