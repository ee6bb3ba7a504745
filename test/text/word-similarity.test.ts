import { expect } from "chai";
import fc from "fast-check";
import { wordSimilarity } from "../../src/text/word-similarity.ts";

const RUNS = { numRuns: 300, seed: 11 };

/** The textbook's table, one row at a time. */
function commonWords(query: readonly string[], source: readonly string[]): number {
  let above = new Array<number>(source.length + 1).fill(0);
  for (const word of query) {
    const row = [0];
    for (const [at, other] of source.entries()) {
      row.push(word === other ? (above[at] ?? 0) + 1 : Math.max(above[at + 1] ?? 0, row[at] ?? 0));
    }
    above = row;
  }
  return above[source.length] ?? 0;
}

const words = fc.integer({ min: 1, max: 30 }).chain((different) =>
  fc.array(
    fc.integer({ min: 0, max: different }).map((number) => `w${number}`),
    { maxLength: 150 },
  ),
);

describe("wordSimilarity", () => {
  it("is 1 for equal words and 0 without common words", () => {
    expect(wordSimilarity(["a", "b"], ["a", "b"])).to.equal(1);
    expect(wordSimilarity(["a", "b"], ["c"])).to.equal(0);
    expect(wordSimilarity([], ["c"])).to.equal(0);
    expect(wordSimilarity([], [])).to.equal(1);
  });

  it("equals the share of the longest common subsequence", () => {
    fc.assert(
      fc.property(words, words, (query, source) => {
        const total = query.length + source.length;
        const expected = total === 0 ? 1 : (2 * commonWords(query, source)) / total;
        expect(wordSimilarity(query, source)).to.equal(expected);
      }),
      RUNS,
    );
  });

  it("is the same whichever side comes first", () => {
    fc.assert(
      fc.property(words, words, (query, source) => {
        expect(wordSimilarity(query, source)).to.equal(wordSimilarity(source, query));
      }),
      RUNS,
    );
  });

  it("finds all unchanged words of a long text with every third word replaced", () => {
    const query = Array.from({ length: 9_000 }, (_, at) => `w${at}`);
    const source = query.map((word, at) => (at % 3 === 0 ? `${word}x` : word));
    expect(wordSimilarity(query, source)).to.equal(2 / 3);
  });

  it("handles long texts with few different words, and long texts without common order", () => {
    const few = Array.from({ length: 40_000 }, (_, at) => `w${(at * at) % 7}`);
    expect(wordSimilarity(few, few.slice(1))).to.be.within(0.8, 1);
    const ascending = Array.from({ length: 20_000 }, (_, at) => `w${at}`);
    expect(wordSimilarity(ascending, ascending.toReversed())).to.be.within(1 / 20_000, 0.01);
    expect(wordSimilarity(["w0"], ascending)).to.equal(2 / 20_001);
  });
});
