import { expect } from "chai";
import fc from "fast-check";
import { bestInterval } from "../../../../src/core/alignment/scoring/best-interval.ts";

const FROM = 3;

describe("bestInterval", () => {
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
        const edgePriors = Float64Array.from([...Array(FROM).fill(0), ...priors]);
        const best = bestInterval(edgePriors, FROM, Float64Array.from(scores));
        expect(best.worth).to.equal(Math.max(...allWorths(scores, priors)));
        expect(worthOf(scores, priors, best.start - FROM, best.end - FROM)).to.equal(best.worth);
        expect(best.end).to.be.greaterThan(best.start);
      }),
      { seed: 21, numRuns: 500 },
    );
  });
});

function allWorths(scores: readonly number[], priors: readonly number[]): number[] {
  return scores.flatMap((_, start) =>
    scores.slice(start).map((__, length) => worthOf(scores, priors, start, start + length + 1)),
  );
}

function worthOf(scores: readonly number[], priors: readonly number[], start: number, end: number): number {
  const inside = scores.slice(start, end).reduce((sum, one) => sum + one, 0);
  return inside + (priors[start] ?? 0) + (priors[end] ?? 0);
}
