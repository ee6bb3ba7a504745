import { expect } from "chai";
import fc from "fast-check";
import { poissonInterval, TAIL } from "../../../src/statistics/rates/rate.ts";

/** The accuracy that the product promises, relative. */
const ACCURACY = 1e-9;

describe("decisions, Statistics: poissonInterval, the exact 95% interval (Garwood)", () => {
  it("starts at 0 for no paper, and ends where no paper has a probability of 2.5%", () => {
    const { low, high } = poissonInterval(0);
    expect(low).to.equal(0);
    expect(high).to.be.closeTo(-Math.log(TAIL), 1e-14);
  });

  it("is, for one paper, from where more than none has a probability of 2.5%", () => {
    expect(poissonInterval(1).low).to.be.closeTo(-Math.log(1 - TAIL), 1e-16);
  });

  it("has limits at which the count is just as extreme as 2.5%, to 1e-9", () => {
    fc.assert(
      fc.property(count, (k) => {
        const { low, high } = poissonInterval(k);
        if (k > 0) {
          expect(atLeast(k, low * (1 - ACCURACY))).to.be.below(TAIL);
          expect(atLeast(k, low * (1 + ACCURACY))).to.be.above(TAIL);
        }
        expect(atMost(k, high * (1 - ACCURACY))).to.be.above(TAIL);
        expect(atMost(k, high * (1 + ACCURACY))).to.be.below(TAIL);
      }),
      {
        seed: 7,
        numRuns: 300,
        examples: [[0], [1], [255], [256], [999], [1000], [1001], [4999], [5000], [7484], [7659]],
      },
    );
  });

  it("holds the count, and both limits grow with it", () => {
    fc.assert(
      fc.property(count, (k) => {
        const [here, next] = [poissonInterval(k), poissonInterval(k + 1)];
        expect(here.low).to.be.at.most(k);
        expect(here.high).to.be.above(k);
        expect(next.low).to.be.above(here.low);
        expect(next.high).to.be.above(here.high);
      }),
      { seed: 8, numRuns: 500, examples: [[255], [256]] },
    );
  });
});

const count = fc.oneof(fc.nat(60), fc.nat(20_000));

/** The probability that a Poisson count is at most `k`, by its own sum. */
function atMost(k: number, mean: number): number {
  let term = 1;
  let sum = 1;
  for (let j = k; j > 0 && term > Number.EPSILON / 1e6; j -= 1) {
    term *= j / mean;
    sum += term;
  }
  return sum * Math.exp(logProbability(k, mean));
}

function atLeast(k: number, mean: number): number {
  let term = 1;
  let sum = 1;
  for (let j = k + 1; term > Number.EPSILON / 1e6; j += 1) {
    term *= mean / j;
    sum += term;
  }
  return sum * Math.exp(logProbability(k, mean));
}

function logProbability(k: number, mean: number): number {
  let logFactorial = 0;
  for (let j = 2; j <= k; j += 1) logFactorial += Math.log(j);
  return k * Math.log(mean) - mean - logFactorial;
}
