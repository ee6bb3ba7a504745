import { expect } from "chai";
import fc from "fast-check";
import { exactMatches } from "../../../src/matching/words/seeds.ts";
import { numberWords, prepareQuery } from "../../../src/matching/words/text-pair.ts";
import { newWords, tokenised, wordsText } from "./sample-texts.ts";

function matchesOf(queryText: string, sourceText: string) {
  const query = prepareQuery(tokenised(queryText));
  const sourceIds = numberWords(query, tokenised(sourceText).tokens.words);
  return exactMatches(query, sourceIds);
}

describe("exact matches", () => {
  const words = fc
    .array(fc.constantFrom(..."abcdef"), { minLength: 8, maxLength: 60 })
    .map((letters) => letters.join(" "));

  it("are equal words that cannot be extended, ascending by query, none twice", () => {
    fc.assert(
      fc.property(words, words, (queryText, sourceText) => {
        const [own, other] = [queryText.split(" "), sourceText.split(" ")];
        const matches = matchesOf(queryText, sourceText);
        for (const { query, source } of matches) {
          expect(own.slice(query.start, query.end)).to.deep.equal(other.slice(source.start, source.end));
          const isAtStart = query.start === 0 || source.start === 0;
          expect(isAtStart || own[query.start - 1] !== other[source.start - 1]).to.equal(true);
          const isAtEnd = query.end === own.length || source.end === other.length;
          expect(isAtEnd || own[query.end] !== other[source.end]).to.equal(true);
        }
        expect(matches).to.deep.equal(
          matches.toSorted((a, b) => a.query.start - b.query.start || a.source.start - b.source.start),
        );
        expect(new Set(matches.map((match) => JSON.stringify(match))).size).to.equal(matches.length);
      }),
      { seed: 21, numRuns: 500 },
    );
  });

  it("cover every query word that is part of three equal words", () => {
    fc.assert(
      fc.property(words, words, (queryText, sourceText) => {
        const own = queryText.split(" ");
        const covered = new Set<number>();
        for (const { query } of matchesOf(queryText, sourceText)) {
          for (let i = query.start; i < query.end; i++) covered.add(i);
        }
        const shared = new Set<number>();
        for (let i = 0; i + 3 <= own.length; i++) {
          if (` ${sourceText} `.includes(` ${own.slice(i, i + 3).join(" ")} `))
            for (const j of [0, 1, 2]) shared.add(i + j);
        }
        expect([...covered].sort()).to.deep.equal([...shared].sort());
      }),
      { seed: 22, numRuns: 500 },
    );
  });

  it("include a copy whose first words occur a hundred times before it in the source", () => {
    const copy = `one of the ${newWords("copy", 20)}`;
    const source = `${wordsText(100, () => "one of the x")} ${copy}`;
    expect(matchesOf(`${newWords("q", 10)} ${copy}`, source)).to.deep.include({
      query: { start: 10, end: 33 },
      source: { start: 400, end: 423 },
    });
  });

  it("stay few when a phrase occurs everywhere in both texts", () => {
    const phrase = wordsText(2_000, (i) => `one of the x${i}`);
    const other = wordsText(2_000, (i) => `one of the y${i}`);
    expect(matchesOf(phrase, other)).to.have.length.at.most(2_000 * 8);
  });
});
