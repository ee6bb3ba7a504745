import { expect } from "chai";
import type { z } from "zod";
import { createLoadStatistics } from "../../../src/statistics/load/load-statistics.ts";
import { useStatistics } from "../../support/use-statistics.ts";
import { hardSet, PAPERS, RORS } from "./hard-set.ts";
import { readAnswer, WireAnswers } from "./wire-answers.ts";

/** How exact limits are that were computed by quantile functions. */
const RELATIVE_ERROR_MAX = 1e-9;

describe("decisions, Statistics: figures where they are easy to get wrong by one", () => {
  const statistics = useStatistics();
  before(async () => {
    await createLoadStatistics(statistics)(await hardSet(statistics.folder));
  });

  const countries = (query: string) =>
    readAnswer(statistics, WireAnswers.countries, `/v1/countries?${query}`);
  const country = (code: string) => readAnswer(statistics, WireAnswers.country, `/v1/country/${code}`);

  it("rows: ties share a rank and use up the next ones, ordered by code; below=true adds the others by code", async () => {
    const { data } = await countries("below=true");
    expect(data.map(({ rank, code, below }) => [rank, code, below])).to.deep.equal([
      [1, "DE", false],
      [2, "AT", false],
      [2, "BE", false],
      [4, "FR", false],
      [4, "US", false],
      [6, "AU", false],
      [6, "CA", false],
      [6, "NL", false],
      [6, "NZ", false],
      [6, "PT", false],
      [null, "CH", true],
      [null, "LU", true],
    ]);
    expect((await countries("below=false")).data).to.deep.equal(data.slice(0, 10));
  });

  it("rows: from exactly 10,000 publications on a country is ranked, with one less it is below and keeps its rate", async () => {
    const { data } = await countries("below=true&region=europe");
    const byCode = new Map(data.map((row) => [row.code, row]));
    expect(byCode.get("PT")).to.include({ publications: 10_000, rank: 6, below: false });
    expect(byCode.get("CH")).to.include({
      publications: 9_999,
      rank: null,
      rank_in_region: null,
      below: true,
    });
    expect(byCode.get("CH")?.rate).to.equal(500_000 / 9_999);
  });

  it("rows: papers without publications have no rate and no interval, unranked and below", async () => {
    const { data } = await countries("below=true");
    expect(data.at(-1)).to.deep.include({
      ...{ code: "LU", papers: 1, publications: 0, rate: null, rate_ci_low: null, rate_ci_high: null },
      ...{ papers_fractional: 1, publications_fractional: 0, rate_fractional: null },
      ...{ rank: null, rank_in_region: null, below: true, unstable: true },
    });
  });

  it("rank_in_region is within the region that is asked for, else within the sub-region; rank stays global", async () => {
    const ranks = async (query: string) =>
      (await countries(query)).data.map(({ code, rank, rank_in_region }) => [code, rank, rank_in_region]);
    const western = [
      ["DE", 1, 1],
      ["AT", 2, 2],
      ["BE", 2, 2],
      ["FR", 4, 4],
      ["NL", 6, 5],
    ];
    expect(await ranks("region=western-europe")).to.deep.equal(western);
    expect(await ranks("region=europe")).to.deep.equal([...western, ["PT", 6, 5]]);
    expect((await ranks("")).filter(([code]) => code === "PT" || code === "US")).to.deep.equal([
      ["US", 4, 1],
      ["PT", 6, 1],
    ]);
  });

  it("counts are of the rows that region selects, with and without below=true; unattributed papers stand apart", async () => {
    const all = { total: 12, ranked: 10, below: 2, unattributed: 1 };
    expect((await countries("")).meta.counts).to.deep.equal(all);
    expect((await countries("below=true")).meta.counts).to.deep.equal(all);
    const western = { total: 7, ranked: 5, below: 2, unattributed: 1 };
    expect((await countries("region=western-europe")).meta.counts).to.deep.equal(western);
    expect((await countries("region=western-europe&below=true")).meta.counts).to.deep.equal(western);
  });

  it("comparison: pooled over all with publications, ranked or below; the median of the ranked; the ratio to the pool without it", async () => {
    const { data } = await country("DE");
    expect(data.rank).to.deep.equal({ position: 1, of: 10 });
    expect(data.comparison).to.include({ subregion: "western-europe", median_rate: 2 });
    expectNear(data.comparison.pooled_rate, (13 * 100_000) / 479_999);
    expectNear(data.comparison.rate_ratio, 3 / 100_000 / (10 / 379_999));
    expect(data.comparison.peers.map(({ code, rank_in_region }) => [code, rank_in_region])).to.deep.equal([
      ["AT", 2],
      ["BE", 2],
      ["FR", 4],
      ["NL", 5],
      ["CH", null],
      ["LU", null],
    ]);
  });

  it("comparison: the median of an even number is the mean of the two in the middle", async () => {
    expect((await country("US")).data.comparison.median_rate).to.equal(0.5);
  });

  it("comparison: 0 papers give a ratio and a lower limit of 0, an infinite ratio or limit is null", async () => {
    const ratioOf = async (code: string) => (await country(code)).data.comparison;
    const us = await ratioOf("US");
    expect(us).to.include({ rate_ratio: null, rate_ratio_ci_high: null });
    expectNear(us.rate_ratio_ci_low, 0.025 / 0.975);
    const ca = await ratioOf("CA");
    expect(ca).to.include({ rate_ratio: 0, rate_ratio_ci_low: 0 });
    expectNear(ca.rate_ratio_ci_high, 0.975 / 0.025);
    const nz = await ratioOf("NZ");
    expect(nz).to.include({ pooled_rate: 0, rate_ratio: 0, rate_ratio_ci_low: 0, rate_ratio_ci_high: null });
    const none = { rate_ratio: null, rate_ratio_ci_low: null, rate_ratio_ci_high: null };
    expect(await ratioOf("LU"), "without publications").to.include(none);
    expect(await ratioOf("PT"), "without others").to.include({ ...none, pooled_rate: 0, median_rate: 0 });
    expect(await ratioOf("AQ"), "without a sub-region").to.deep.equal({
      ...{ subregion: null, pooled_rate: null, median_rate: null, ...none, peers: [] },
    });
  });

  it("institutions: a withdrawn record's figures go to its one successor, chains followed; with none or several it keeps its row", async () => {
    const { data, meta } = await institutions("below=true");
    expect(
      data.map(({ rank, ror, papers, publications, rate, papers_fractional }) => ({
        ...{ rank, ror, papers, publications, rate, papers_fractional },
      })),
    ).to.deep.equal([
      { rank: 1, ror: RORS.A, papers: 1, publications: 1_000, rate: 100, papers_fractional: 0.5 },
      { rank: 2, ror: RORS.E, papers: 0, publications: 2_000, rate: 0, papers_fractional: 0 },
      { rank: null, ror: RORS.D, papers: 1, publications: 999, rate: 100_000 / 999, papers_fractional: 1 },
      { rank: null, ror: RORS.F, papers: 1, publications: 0, rate: null, papers_fractional: 0.5 },
    ]);
    expect(meta.counts).to.deep.equal({ total: 4, ranked: 2, below: 2, unattributed: PAPERS - 2 });
    expect((await institutions("")).data, "without those below").to.deep.equal(data.slice(0, 2));
    expect((await institutions("")).meta.counts).to.deep.equal(meta.counts);
  });

  it("disciplines: the original date decides the year, not the work's; all 26 are there, ranked from 0 publications on", async () => {
    const { data, meta } = await readAnswer(statistics, WireAnswers.disciplines, "/v1/disciplines");
    const counted = data.filter(({ papers, publications }) => papers + publications > 0);
    expect(counted.map(({ rank, field_id, papers, rate }) => [rank, field_id, papers, rate])).to.deep.equal([
      [1, 27, 1, 10_000],
      [null, 11, 1, null],
    ]);
    expect(data.map(({ field_id }) => field_id)).to.have.members(
      Array.from({ length: 26 }, (_, index) => index + 11),
    );
    expect(meta.counts).to.deep.equal({ total: 26, ranked: 1, below: 25, unattributed: PAPERS - 2 });
  });

  it("series: each year of the window, both sides by the year of the original publication", async () => {
    const { data } = await country("AT");
    expect(data.series).to.deep.equal([
      { year: 2010, papers: 0, publications: 0, rate: null },
      { year: 2011, papers: 0, publications: 0, rate: null },
      { year: 2012, papers: 2, publications: 100_000, rate: 2 },
      { year: 2013, papers: 0, publications: 0, rate: null },
      { year: 2014, papers: 0, publications: 0, rate: null },
    ]);
  });

  function institutions(query: string): Promise<z.output<typeof WireAnswers.institutions>> {
    return readAnswer(statistics, WireAnswers.institutions, `/v1/institutions?${query}`);
  }
});

function expectNear(actual: number | null, expected: number): void {
  expect(actual).to.be.closeTo(expected, RELATIVE_ERROR_MAX * expected);
}
