import { expect } from "chai";
import { align } from "../../../src/matching/words/align.ts";
import { prepareQuery } from "../../../src/matching/words/text-pair.ts";
import { tokenised, wordsText } from "./sample-texts.ts";

/**
 * Only a guard against quadratic growth: each of these takes some 10 ms to 1 s, and would take minutes if every word of
 * the query met every word of the source.
 */
const GUARD_MS = 60_000;

const QUERY_WORDS = 40_000;
const SOURCE_WORDS = 50_000;

describe("the alignment of adversarial texts", () => {
  const cases: readonly [string, string, string][] = [
    ["one word throughout", wordsText(QUERY_WORDS, () => "a"), wordsText(SOURCE_WORDS, () => "a")],
    ["one word against a short source of it", wordsText(QUERY_WORDS, () => "a"), wordsText(600, () => "a")],
    ["a period out of step", periodic(QUERY_WORDS, 7, 0), periodic(SOURCE_WORDS, 7, 3)],
    ["long runs of one word, broken differently", broken(QUERY_WORDS, 500), broken(SOURCE_WORDS, 611)],
    ["two words at random", scattered(QUERY_WORDS, 2, 1), scattered(SOURCE_WORDS, 2, 2)],
    ["twenty words at random", scattered(QUERY_WORDS, 20, 3), scattered(SOURCE_WORDS, 20, 4)],
    ["a Thue-Morse sequence shifted", thueMorse(QUERY_WORDS, 0), thueMorse(SOURCE_WORDS, 12_345)],
  ];
  for (const [name, query, source] of cases) {
    it(`stays linear: ${name}`, function () {
      this.timeout(GUARD_MS);
      const { kept } = align(prepareQuery(tokenised(query)), tokenised(source));
      for (const [i, passage] of kept.entries()) {
        expect(passage.query.start).to.be.at.least(kept[i - 1]?.query.end ?? 0);
      }
    });
  }

  it("covers all of a query that repeats a short source a hundred times", () => {
    const { kept } = align(
      prepareQuery(tokenised(periodic(60_000, 600, 0))),
      tokenised(periodic(600, 600, 0)),
    );
    expect(kept).to.have.length(100);
    expect(kept.every(({ matchedWords }) => matchedWords === 600)).to.equal(true);
  });
});

function periodic(words: number, period: number, shift: number): string {
  return wordsText(words, (i) => `w${(i + shift) % period}`);
}

function broken(words: number, every: number): string {
  return wordsText(words, (i) => (i % every === 0 ? "b" : "a"));
}

/** Words of a linear congruential generator (Numerical Recipes): the same ones for the same seed. */
function scattered(words: number, different: number, seed: number): string {
  let state = seed;
  return wordsText(words, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return `w${Math.floor((state / 2 ** 32) * different)}`;
  });
}

function thueMorse(words: number, shift: number): string {
  return wordsText(words, (i) => ((i + shift).toString(2).replaceAll("0", "").length % 2 === 0 ? "a" : "b"));
}
