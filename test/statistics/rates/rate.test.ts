import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import fc from "fast-check";
import { ratePer100k } from "../../../src/statistics/rates/rate.ts";

const VECTORS = join(import.meta.dirname, "../../../../shared/data/statistics/ci_vectors.csv");

/** The digits with which the vectors were written. */
const DIGITS = 9;

describe("decisions, Statistics: ratePer100k, unrounded", () => {
  it("gives the reference values to their nine digits", function () {
    if (!existsSync(VECTORS)) {
      if (process.env.REQUIRE_SHARED_DATA === "1") throw new Error(`the vectors are missing: ${VECTORS}`);
      this.skip();
    }
    const [, ...lines] = readFileSync(VECTORS, "utf8").trim().split(/\r?\n/);
    expect(lines).to.have.lengthOf.at.least(7);
    for (const line of lines) {
      const [papers = Number.NaN, publications = Number.NaN, ...expected] = line.split(",").map(Number);
      const { rate, rate_ci_low, rate_ci_high } = ratePer100k(papers, publications);
      const rounded = [rate, rate_ci_low, rate_ci_high].map((value) => Number(value?.toPrecision(DIGITS)));
      expect(rounded, line).to.deep.equal(expected);
    }
  });

  it("is null without publications, with and without papers", () => {
    const none = { rate: null, rate_ci_low: null, rate_ci_high: null };
    expect(ratePer100k(0, 0)).to.deep.equal(none);
    expect(ratePer100k(3, 0)).to.deep.equal(none);
  });

  it("is not limited to 100,000: papers may be more than the publications that are known", () => {
    expect(ratePer100k(3, 2).rate).to.equal(150_000);
  });

  it("lies in its interval, and twice as many publications halve all three", () => {
    fc.assert(
      fc.property(fc.nat(3_000), fc.integer({ min: 1, max: 1e8 }), (papers, publications) => {
        const once = ratePer100k(papers, publications);
        const twice = ratePer100k(papers, publications * 2);
        if (once.rate === null) return expect.fail("there are publications");
        expect(once.rate).to.be.at.least(once.rate_ci_low).and.below(once.rate_ci_high);
        expect(twice).to.deep.equal({
          rate: once.rate / 2,
          rate_ci_low: once.rate_ci_low / 2,
          rate_ci_high: once.rate_ci_high / 2,
        });
      }),
      { seed: 11, numRuns: 500 },
    );
  });

  it("is the same number for equal fractions, so that they share a rank", () => {
    fc.assert(
      fc.property(
        fc.nat(500),
        fc.integer({ min: 1, max: 1e6 }),
        fc.integer({ min: 2, max: 97 }),
        (k, n, times) => {
          expect(ratePer100k(k * times, n * times).rate).to.equal(ratePer100k(k, n).rate);
        },
      ),
      { seed: 12, numRuns: 1_000 },
    );
  });
});
