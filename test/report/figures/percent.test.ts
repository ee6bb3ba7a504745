import { expect } from "chai";
import fc from "fast-check";
import { percent } from "../../../src/report/figures/figures.ts";

describe("percent", () => {
  const examples: [part: number, whole: number, percentage: number][] = [
    [1, 3, 33.33],
    [2, 3, 66.67],
    [1, 800, 0.13],
    [1, 160, 0.63],
    [201, 40_000, 0.5],
    [203, 40_000, 0.51],
    [1_005, 100_000, 1.01],
    [1_015, 100_000, 1.02],
    [1, 20_000, 0.01],
    [1, 20_001, 0],
    [499_999, 500_000, 100],
    [19_998, 20_000, 99.99],
    [7, 7, 100],
    [0, 7, 0],
    [0, 0, 0],
  ];
  for (const [part, whole, percentage] of examples)
    it(`is ${percentage} for ${part} of ${whole}`, () => {
      expect(percent(part, whole)).to.equal(percentage);
    });

  it("is the exact share rounded half up to two decimals, between 0 and 100", () => {
    const counts = fc.nat(20_000_000).chain((whole) => fc.tuple(fc.nat(whole), fc.constant(whole)));
    fc.assert(
      fc.property(counts, ([part, whole]) => {
        fc.pre(whole > 0);
        const hundredths = (2n * 10_000n * BigInt(part) + BigInt(whole)) / (2n * BigInt(whole));
        expect(percent(part, whole)).to.equal(Number(hundredths) / 100);
        expect(percent(part, whole)).to.be.within(0, 100);
      }),
      { seed: 3, numRuns: 2_000 },
    );
  });
});
