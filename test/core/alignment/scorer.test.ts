import { expect } from "chai";
import fc from "fast-check";
import { bestSpan } from "../../../src/core/alignment/scorer.ts";

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

  it("is worth as much as the best of all stretches, and lies where it says", () => {
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
