import { expect } from "chai";
import fc from "fast-check";
import { ALIGNMENT } from "../../../src/matching/words/model.ts";
import {
  bestSpan,
  chanceInBag,
  foundScore,
  missedScore,
  scoreWords,
  unscored,
} from "../../../src/matching/words/scorer.ts";
import { pairTexts, prepareQuery } from "../../../src/matching/words/text-pair.ts";
import { newWords, tokenised } from "./sample-texts.ts";

describe("the log-odds of a word", () => {
  const probability = fc.double({ min: 0.01, max: 0.98, noNaN: true });

  it("speak for reuse when the word is found, the more the rarer it is, and against it when it is missed", () => {
    fc.assert(
      fc.property(probability, probability, probability, (a, b, kept) => {
        expect(foundScore(a, kept)).to.be.greaterThan(0);
        expect(missedScore(kept)).to.be.lessThan(0);
        if (a < b) expect(foundScore(a, kept)).to.be.at.least(foundScore(b, kept));
      }),
      { seed: 33, numRuns: 200 },
    );
  });

  it("are those of two hypotheses: their expected likelihood ratio under chance is one", () => {
    fc.assert(
      fc.property(probability, probability, (chance, kept) => {
        const ratio =
          chance * Math.exp(foundScore(chance, kept)) + (1 - chance) * Math.exp(missedScore(kept));
        expect(ratio).to.be.closeTo(1, 1e-9);
      }),
      { seed: 34, numRuns: 200 },
    );
  });
});

describe("the chance of a word", () => {
  const pair = pairTexts(
    prepareQuery(tokenised(`the the the ${newWords("q", 50)} shared`), { language: "en" }),
    tokenised(`the the ${newWords("s", 60)} shared`),
  );
  const [the = -1] = pair.query.ids;
  const rare = pair.query.ids.at(-1) ?? -1;

  it("grows with the size of the bag and with the frequency of the word, between fixed limits", () => {
    for (const model of [ALIGNMENT.localChance, ALIGNMENT.summaryChance]) {
      let before = 0;
      for (const words of [1, 3, 10, 30, 100, 300, 1_000, 10_000]) {
        const chance = chanceInBag(pair, the, 0, 0, words, model);
        expect(chance).to.be.at.least(Math.max(before, model.min)).and.at.most(0.98);
        expect(chanceInBag(pair, rare, 0, 0, words, model)).to.be.at.most(chance);
        before = chance;
      }
    }
  });

  it("leaves out the occurrences inside the compared spans", () => {
    expect(chanceInBag(pair, the, 5, 0, 30)).to.be.lessThan(chanceInBag(pair, the, 0, 0, 30));
    expect(chanceInBag(pair, rare, 2, 0, 30)).to.equal(chanceInBag(pair, rare, 100, 0, 30));
  });
});

describe("scoreWords", () => {
  const KEPT = 0.42;
  const letters = fc.array(fc.constantFrom(..."abcdefgh"), { minLength: 8, maxLength: 60 });

  function scored(queryWords: readonly string[], sourceWords: readonly string[], scores?: Float64Array) {
    const pair = pairTexts(prepareQuery(tokenised(queryWords.join(" "))), tokenised(sourceWords.join(" ")));
    const { query, sourceSide } = pair;
    const core = { start: 0, end: queryWords.length };
    const bag = { start: 0, end: sourceWords.length };
    const filled = scores ?? unscored(queryWords.length);
    scoreWords(pair, { own: query, other: sourceSide, core, bag, kept: KEPT }, 0, filled);
    return filled;
  }

  it("finds each word as often as the bag holds it; a further one scores 0, and a word that it lacks is missed", () => {
    fc.assert(
      fc.property(letters, letters, (query, source) => {
        const scores = scored(query, source);
        for (const word of new Set(query)) {
          const own = [...scores].filter((_, at) => query[at] === word);
          const inBag = source.filter((one) => one === word).length;
          expect(own.filter((score) => score > 0)).to.have.lengthOf(Math.min(own.length, inBag));
          if (inBag === 0) expect(new Set(own)).to.deep.equal(new Set([missedScore(KEPT)]));
          else expect(own.filter((score) => score < 0)).to.deep.equal([]);
        }
      }),
      { seed: 35, numRuns: 300 },
    );
  });

  it("finds the occurrences nearest to the centre", () => {
    const query = ["x", ...newWords("q", 9).split(" "), "x", ...newWords("r", 9).split(" "), "x"];
    const scores = scored(query, ["x", "y"]);
    expect([0, 10, 20].map((at) => (scores[at] ?? 0) > 0)).to.deep.equal([false, true, false]);
  });

  it("keeps scores that are given, and counts their words as found", () => {
    const query = ["x", ...newWords("q", 9).split(" "), "x"];
    const given = unscored(query.length);
    given[0] = 3;
    const scores = scored(query, ["x", "y"], given);
    expect([scores[0], scores[10]]).to.deep.equal([3, 0]);
  });
});

const FROM = 3;

describe("bestSpan", () => {
  const score = fc.integer({ min: -20, max: 20 });
  const sides = fc
    .array(score, { minLength: 1, maxLength: 30 })
    .chain((scores) =>
      fc.tuple(
        fc.constant(scores),
        fc.array(score, { minLength: scores.length + 1, maxLength: scores.length + 1 }),
      ),
    );

  it("scores as much as the best of all spans, and lies where it says", () => {
    fc.assert(
      fc.property(sides, ([scores, priors]) => {
        const boundaryPriors = Float64Array.from([...Array(FROM).fill(0), ...priors]);
        const best = bestSpan(boundaryPriors, FROM, Float64Array.from(scores));
        expect(best.score).to.equal(Math.max(...allScores(scores, priors)));
        expect(scoreOf(scores, priors, best.start - FROM, best.end - FROM)).to.equal(best.score);
        expect(best.end).to.be.greaterThan(best.start);
      }),
      { seed: 21, numRuns: 500 },
    );
  });
});

function allScores(scores: readonly number[], priors: readonly number[]): number[] {
  return scores.flatMap((_, start) =>
    scores.slice(start).map((__, length) => scoreOf(scores, priors, start, start + length + 1)),
  );
}

function scoreOf(scores: readonly number[], priors: readonly number[], start: number, end: number): number {
  const inside = scores.slice(start, end).reduce((sum, one) => sum + one, 0);
  return inside + (priors[start] ?? 0) + (priors[end] ?? 0);
}
