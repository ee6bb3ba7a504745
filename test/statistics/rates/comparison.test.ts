import { expect } from "chai";
import { isUnstable } from "../../../src/statistics/rates/ranking.ts";
import { type CountedPlace, compareWithSubregion, median } from "../../../src/statistics/rates/rate.ts";

function place(papers: number, publications: number, rank: number | null): CountedPlace {
  return { papers, publications, rank, rate: publications > 0 ? (papers * 100_000) / publications : null };
}

describe("decisions, Statistics: compareWithSubregion", () => {
  const austria = place(30, 100_000, 2);
  const germany = place(20, 400_000, 9);
  const liechtenstein = place(10, 500, null);

  it("pools all, below or not, and takes the median over the ranked, itself included in both", () => {
    const { pooled_rate, median_rate } = compareWithSubregion(austria, [germany, liechtenstein]);
    expect(pooled_rate).to.equal((60 * 100_000) / 500_500);
    expect(median_rate).to.equal((30 + 5) / 2);
  });

  it("compares with the others alone, those below among them", () => {
    const { rate_ratio, rate_ratio_ci_low, rate_ratio_ci_high } = compareWithSubregion(austria, [
      germany,
      liechtenstein,
    ]);
    expect(rate_ratio).to.be.closeTo((30 * 400_500) / (30 * 100_000), 1e-12);
    expect(rate_ratio_ci_low).to.be.below(4.005);
    expect(rate_ratio_ci_high).to.be.above(4.005);
  });

  it("leaves papers of places without publications out of the pool and of the ratio, on both sides", () => {
    const hongKong = place(40, 0, null);
    expect(compareWithSubregion(austria, [germany, hongKong])).to.deep.equal(
      compareWithSubregion(austria, [germany]),
    );
    expect(compareWithSubregion(hongKong, [germany]).pooled_rate).to.equal(5);
  });

  it("of a place below has the median of the ranked others", () => {
    expect(compareWithSubregion(liechtenstein, [germany]).median_rate).to.equal(5);
  });

  it("has nulls where nothing can be computed", () => {
    const nothing = { rate_ratio: null, rate_ratio_ci_low: null, rate_ratio_ci_high: null };
    expect(compareWithSubregion(place(0, 0, null), [])).to.deep.equal({
      pooled_rate: null,
      median_rate: null,
      ...nothing,
    });
    expect(compareWithSubregion(austria, [])).to.deep.equal({ pooled_rate: 30, median_rate: 30, ...nothing });
    expect(compareWithSubregion(place(3, 0, null), [germany]).rate_ratio).to.equal(null);
  });
});

describe("median", () => {
  it("is the middle value, the mean of the two in the middle, or null", () => {
    expect(median([9, 1, 4])).to.equal(4);
    expect(median([9, 1, 4, 2])).to.equal(3);
    expect(median([10, 9, 100])).to.equal(10);
    expect(median([])).to.equal(null);
  });
});

describe("decisions, Statistics: isUnstable", () => {
  it("marks fewer than 20 papers", () => {
    expect([0, 19, 20].map(isUnstable)).to.deep.equal([true, true, false]);
  });
});
