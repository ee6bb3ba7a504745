import { expect } from "chai";
import fc from "fast-check";
import { type Counted, rateRatio, TAIL } from "../../../src/statistics/rates/rate.ts";

const ACCURACY = 1e-9;

function counted(papers: number, publications: number): Counted {
  return { papers, publications };
}

describe("decisions, Statistics: rateRatio, with the exact conditional 95% interval", () => {
  it("divides the rates", () => {
    expect(rateRatio(counted(6, 100_000), counted(4, 200_000))?.ratio).to.equal(3);
  });

  it("is 0 from 0 on without papers, with a finite upper limit as long as the other has some", () => {
    const found = rateRatio(counted(0, 1_000), counted(5, 1_000));
    expect([found?.ratio, found?.low]).to.deep.equal([0, 0]);
    // All 5 fall to the other with a probability of 2.5%: (1 - share)^5 = 0.025.
    const share = 1 - TAIL ** (1 / 5);
    expect(found?.high).to.be.closeTo(share / (1 - share), 1e-12);
  });

  it("is infinite, which is null, where only the other has no papers; the lower limit is not", () => {
    const found = rateRatio(counted(5, 1_000), counted(0, 2_000));
    expect([found?.ratio, found?.high]).to.deep.equal([null, null]);
    const share = TAIL ** (1 / 5);
    expect(found?.low).to.be.closeTo((2 * share) / (1 - share), 1e-12);
  });

  it("is 0 with an infinite upper limit where neither has papers", () => {
    expect(rateRatio(counted(0, 1_000), counted(0, 1_000))).to.deep.equal({ ratio: 0, low: 0, high: null });
  });

  it("is undefined where either has no publications", () => {
    expect(rateRatio(counted(1, 0), counted(1, 10))).to.equal(undefined);
    expect(rateRatio(counted(1, 10), counted(1, 0))).to.equal(undefined);
  });

  it("has limits at which the papers are divided just as extremely as 2.5%, to 1e-9", () => {
    fc.assert(
      fc.property(papers, papers, publications, publications, (x, y, n, m) => {
        const { low = Number.NaN, high = null } = rateRatio(counted(x, n), counted(y, m)) ?? {};
        const share = (ratio: number) => (ratio * n) / (ratio * n + m);
        if (x > 0) {
          expect(binomialAtLeast(x, x + y, share(low * (1 - ACCURACY)))).to.be.below(TAIL);
          expect(binomialAtLeast(x, x + y, share(low * (1 + ACCURACY)))).to.be.above(TAIL);
        }
        if (high === null) {
          expect(y).to.equal(0);
          return;
        }
        const othersShare = (ratio: number) => m / (ratio * n + m);
        expect(binomialAtLeast(y, x + y, othersShare(high * (1 - ACCURACY)))).to.be.above(TAIL);
        expect(binomialAtLeast(y, x + y, othersShare(high * (1 + ACCURACY)))).to.be.below(TAIL);
      }),
      {
        seed: 41,
        numRuns: 300,
        examples: [
          [1, 2_000, 1_000, 5_000_000],
          [1_500, 1_500, 10, 10],
        ],
      },
    );
  });

  it("turns into its reciprocal when the sides are changed", () => {
    fc.assert(
      fc.property(papers, papers, publications, publications, (x, y, n, m) => {
        fc.pre(x > 0 && y > 0);
        const there = rateRatio(counted(x, n), counted(y, m));
        const back = rateRatio(counted(y, m), counted(x, n));
        expect((there?.ratio ?? 0) * (back?.ratio ?? 0)).to.be.closeTo(1, 1e-12);
        expect((there?.low ?? 0) * (back?.high ?? 0)).to.be.closeTo(1, ACCURACY);
      }),
      { seed: 42, numRuns: 300 },
    );
  });
});

const papers = fc.oneof(fc.nat(30), fc.nat(3_000));
const publications = fc.integer({ min: 1, max: 10_000_000 });

/** The probability of at least `k` of `n`, by its own sum. */
function binomialAtLeast(k: number, n: number, share: number): number {
  let term = 1;
  let sum = 1;
  for (let j = k; j < n && term > Number.EPSILON / 1e6; j += 1) {
    term *= ((n - j) / (j + 1)) * (share / (1 - share));
    sum += term;
  }
  let logFirst = k * Math.log(share) + (n - k) * Math.log1p(-share);
  for (let j = 1; j <= k; j += 1) logFirst += Math.log((n - k + j) / j);
  return sum * Math.exp(logFirst);
}
