import { expect } from "chai";
import fc from "fast-check";
import { rankBy } from "../../../src/statistics/rates/ranking.ts";
import { ratePer100k } from "../../../src/statistics/rates/rate.ts";
import { withSmallNumbers } from "../../../src/statistics/rates/small-numbers.ts";

const row = (papers: number, publications: number, below = false) => ({
  ...{ papers, publications, below },
  ...ratePer100k(papers, publications),
});

const places = fc.array(
  fc.record({ papers: fc.nat(300), publications: fc.integer({ min: 10_000, max: 2_000_000 }) }),
  { minLength: 1, maxLength: 40 },
);

describe("figures for small numbers", () => {
  it("draw a rate towards the common one, the more the fewer publications it rests on", () => {
    const large = row(400, 1_000_000);
    const [whole, small, tiny] = withSmallNumbers([
      large,
      row(30, 100_000),
      row(3, 10_000),
      row(20, 400_000),
    ]);
    const common = (453 / 1_510_000) * 100_000;
    expect(whole?.rate_shrunken).to.be.within(common, 40);
    const pull = (one: typeof whole) => (30 - (one?.rate_shrunken ?? 0)) / (30 - common);
    expect(Math.abs(pull(small))).to.be.below(Math.abs(pull(tiny)) + 1e-9);
  });

  it("make all rates the common one when they differ no more than by chance", () => {
    const rows = withSmallNumbers([row(10, 100_000), row(11, 100_000), row(9, 100_000)]);
    for (const { rate_shrunken } of rows) expect(rate_shrunken).to.be.closeTo(10, 1e-9);
  });

  it("keep a place with one paper from the top", () => {
    const rows = [
      row(1, 1_000),
      row(900, 1_000_000),
      row(500, 1_000_000),
      row(0, 1_000),
      row(0, 1_000),
      row(0, 2_000),
    ];
    const first = (figure: "rate" | "rate_shrunken" | "rate_ci_low") =>
      rankBy(
        withSmallNumbers(rows),
        0,
        (one) => one[figure],
        ({ papers }) => String(papers),
      )[0]?.papers;
    expect(first("rate")).to.equal(1);
    expect(first("rate_shrunken")).to.equal(900);
    expect(first("rate_ci_low")).to.equal(900);
  });

  it("stay between the raw and the common rate, and allow the rank by rate, for any places", () => {
    fc.assert(
      fc.property(places, (given) => {
        const rows = given.map(({ papers, publications }) => row(papers, publications));
        const sum = (member: "papers" | "publications") => rows.reduce((all, one) => all + one[member], 0);
        const common = (sum("papers") * 100_000) / sum("publications");
        for (const one of rankBy(
          withSmallNumbers(rows),
          0,
          ({ rate }) => rate,
          () => "",
        )) {
          const [low, high] = [Math.min(one.rate ?? 0, common), Math.max(one.rate ?? 0, common)];
          expect(one.rate_shrunken).to.be.within(low * (1 - 1e-12), high * (1 + 1e-12) + 1e-12);
          expect(one.rank).to.be.within(one.rank_low ?? Number.NaN, one.rank_high ?? Number.NaN);
          expect(one.rank_high).to.be.at.most(rows.length);
        }
      }),
      { seed: 54, numRuns: 300 },
    );
  });

  it("have no ranks for rows below, which don't change those of the others", () => {
    const ranked = [row(10, 100_000), row(90, 100_000)];
    const alone = withSmallNumbers(ranked);
    const among = withSmallNumbers([...ranked, row(5, 100, true), row(1, 0, true)]);
    expect(among.slice(0, 2)).to.deep.equal(alone);
    expect(among[2]).to.include({ rank_low: null, rank_high: null });
    expect(among[2]?.rate_shrunken).to.be.above(0);
    expect(among[3]?.rate_shrunken).to.equal(null);
    expect(withSmallNumbers([])).to.deep.equal([]);
  });
});
