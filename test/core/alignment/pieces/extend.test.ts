import { expect } from "chai";
import fc from "fast-check";
import { prepareQuery } from "../../../../src/core/alignment/pair/prepared-query.ts";
import { numberWords } from "../../../../src/core/alignment/pair/word-numbers.ts";
import { extendSeeds } from "../../../../src/core/alignment/pieces/extend.ts";
import { findSeeds } from "../../../../src/core/alignment/pieces/seed.ts";
import { newWords, tokenised, wordsText } from "../sample-texts.ts";

function runsOf(queryText: string, sourceText: string) {
  const query = prepareQuery(tokenised(queryText));
  const sourceIds = numberWords(query, tokenised(sourceText).tokens.words);
  return extendSeeds(query, sourceIds, findSeeds(query, sourceIds));
}

describe("seeds and runs", () => {
  const words = fc
    .array(fc.constantFrom(..."abcdef"), { minLength: 8, maxLength: 60 })
    .map((letters) => letters.join(" "));

  it("are runs of equal words that can't be made longer, ascending by query, none twice", () => {
    fc.assert(
      fc.property(words, words, (queryText, sourceText) => {
        const [query, source] = [queryText.split(" "), sourceText.split(" ")];
        const runs = runsOf(queryText, sourceText);
        for (const { queryWord: q, sourceWord: s, words: n } of runs) {
          expect(query.slice(q, q + n))
            .to.deep.equal(source.slice(s, s + n))
            .and.have.length(n);
          expect(q > 0 && s > 0 && query[q - 1] === source[s - 1]).to.equal(false);
          expect(q + n < query.length && s + n < source.length && query[q + n] === source[s + n]).to.equal(
            false,
          );
        }
        expect(runs).to.deep.equal(
          runs.toSorted((a, b) => a.queryWord - b.queryWord || a.sourceWord - b.sourceWord),
        );
        expect(new Set(runs.map((run) => JSON.stringify(run))).size).to.equal(runs.length);
      }),
      { seed: 21, numRuns: 500 },
    );
  });

  it("cover every query word that stands in three equal words", () => {
    fc.assert(
      fc.property(words, words, (queryText, sourceText) => {
        const query = queryText.split(" ");
        const covered = new Set<number>();
        for (const run of runsOf(queryText, sourceText)) {
          for (let i = 0; i < run.words; i++) covered.add(run.queryWord + i);
        }
        const shared = new Set<number>();
        for (let i = 0; i + 3 <= query.length; i++) {
          if (` ${sourceText} `.includes(` ${query.slice(i, i + 3).join(" ")} `))
            for (const j of [0, 1, 2]) shared.add(i + j);
        }
        expect([...covered].sort()).to.deep.equal([...shared].sort());
      }),
      { seed: 22, numRuns: 500 },
    );
  });

  it("find a copy whose first words the source says a hundred times before", () => {
    const copy = `one of the ${newWords("copy", 20)}`;
    const runs = runsOf(`${newWords("q", 10)} ${copy}`, `${wordsText(100, () => "one of the x")} ${copy}`);
    expect(runs).to.deep.include({ queryWord: 10, sourceWord: 400, words: 23 });
  });

  it("stay few when a phrase is everywhere in both texts", () => {
    const phrase = wordsText(2_000, (i) => `one of the x${i}`);
    const other = wordsText(2_000, (i) => `one of the y${i}`);
    expect(runsOf(phrase, other)).to.have.length.at.most(2_000 * 8);
  });
});
