import { expect } from "chai";
import fc from "fast-check";
import { type Rankable, rankByRate } from "../../../src/statistics/rates/ranking.ts";

function row(code: string, rate: number | null, publications = 50_000): Rankable {
  return { code, rate, publications };
}

function places(rows: readonly Rankable[], publicationsMin = 10_000) {
  return rankByRate(rows, publicationsMin).map(({ code, rank, below }) => [code, rank, below]);
}

describe("decisions, Statistics: rankByRate", () => {
  it("ranks by descending rate; ties share a rank, are ordered by code, and use up the ranks after it", () => {
    expect(places([row("DE", 2), row("FR", 3), row("CH", 2), row("AT", 1)])).to.deep.equal([
      ["FR", 1, false],
      ["CH", 2, false],
      ["DE", 2, false],
      ["AT", 4, false],
    ]);
  });

  it("puts rows with too few publications, or without a rate, below: ordered by code, not by rate", () => {
    const rows = [row("VA", 900, 9_999), row("XX", null, 0), row("AD", 5, 9_000), row("DE", 2, 10_000)];
    expect(places(rows)).to.deep.equal([
      ["DE", 1, false],
      ["AD", null, true],
      ["VA", null, true],
      ["XX", null, true],
    ]);
  });

  it("ranks a rate of 0 as a rate", () => {
    expect(places([row("DE", 0), row("AT", null)])).to.deep.equal([
      ["DE", 1, false],
      ["AT", null, true],
    ]);
  });

  it("orders codes by their characters, not as a language would", () => {
    expect(places([row("b", 1), row("B", 1), row("ä", 1)]).map(([code]) => code)).to.deep.equal([
      "B",
      "b",
      "ä",
    ]);
  });

  it("keeps what else a row holds", () => {
    expect(rankByRate([{ ...row("DE", 1), name: "Germany" }], 0)[0]?.name).to.equal("Germany");
  });

  const anyRows = fc.uniqueArray(
    fc.record({
      code: fc.string({ minLength: 1, maxLength: 2 }),
      rate: fc.option(fc.integer({ min: 0, max: 6 }), { nil: null }),
      publications: fc.integer({ min: 0, max: 20 }),
    }),
    { selector: ({ code }) => code },
  );

  it("loses no row, and gives the same order whatever the order it is given", () => {
    fc.assert(
      fc.property(anyRows, (rows) => {
        const ranked = rankByRate(rows, 10);
        expect(ranked.map(({ code }) => code)).to.have.members(rows.map(({ code }) => code));
        expect(rankByRate(rows.toReversed(), 10)).to.deep.equal(ranked);
      }),
      { seed: 21, numRuns: 500 },
    );
  });

  it("gives each ranked row the rank of 1 more than the ranked rows with a higher rate", () => {
    fc.assert(
      fc.property(anyRows, (rows) => {
        const ranked = rankByRate(rows, 10);
        for (const { rate, rank, below, publications } of ranked) {
          expect(below).to.equal(rate === null || publications < 10);
          const higher = ranked.filter((other) => !other.below && (other.rate ?? 0) > (rate ?? 0));
          expect(rank).to.equal(below ? null : higher.length + 1);
        }
        const firstBelow = ranked.findIndex(({ below }) => below);
        if (firstBelow >= 0) expect(ranked.slice(firstBelow).every(({ below }) => below)).to.equal(true);
      }),
      { seed: 22, numRuns: 500 },
    );
  });
});
