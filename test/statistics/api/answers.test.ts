import { expect } from "chai";
import type { z } from "zod";
import { createLoadStatistics } from "../../../src/statistics/load/load-statistics.ts";
import { ratePer100k } from "../../../src/statistics/rates/rate.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import { useStatistics } from "../../support/use-statistics.ts";
import { smallSet } from "./small-set.ts";
import { readAnswer, WireAnswers } from "./wire-answers.ts";

describe("specification 4.2 and decisions, Statistics: the answers", () => {
  const statistics = useStatistics();

  before(async () => {
    await createLoadStatistics(statistics)(await smallSet(statistics.folder));
  });

  const json = <S extends z.ZodType>(schema: S, path: string) => readAnswer(statistics, schema, path);

  it("/v1/ lists the windows, the newest end first, and which is the default", async () => {
    const { data } = await json(WireAnswers.overview, "/v1/");
    expect(data.windows.map(({ id, default: isDefault }) => [id, isDefault])).to.deep.equal([
      ["2013-2017", true],
      ["2008-2017", false],
      ["2008-2012", false],
    ]);
    expect(data.thresholds.min_publications).to.deep.equal({
      countries: 10_000,
      institutions: 1_000,
      disciplines: 0,
    });
    expect(data.case_types).to.deep.equal(["dissertation", "article", "book", "peer_review", "other"]);
  });

  it("/v1/countries ranks by rate, with intervals, and leaves out those below", async () => {
    const { data, meta } = await json(WireAnswers.countries, "/v1/countries");
    expect(
      data.map(({ rank, code, papers, publications }) => [rank, code, papers, publications]),
    ).to.deep.equal([
      [1, "CN", 30, 400_000],
      [2, "FR", 4, 100_000],
      [3, "AT", 1, 50_000],
      [3, "DE", 4, 200_000],
    ]);
    expect(data[1]).to.include({ ...ratePer100k(4, 100_000), rate: 4 });
    expect(data[1]).to.include({ papers_fractional: 2, publications_fractional: 50_000, rate_fractional: 4 });
    expect(data.map(({ unstable }) => unstable)).to.deep.equal([false, true, true, true]);
    expect(meta.window).to.equal("2013-2017");
    expect(meta.counts).to.deep.equal({ total: 5, ranked: 4, below: 1, unattributed: 1 });
  });

  it("/v1/countries?below=true adds the others after them; another window has other figures", async () => {
    const { data } = await json(WireAnswers.countries, "/v1/countries?below=true&window=2008-2012");
    expect(data.map(({ code, rank, below }) => [code, rank, below])).to.deep.equal([
      ["AT", 1, false],
      ["CN", 2, false],
      ["DE", 2, false],
      ["FR", 2, false],
      ["LI", null, true],
    ]);
  });

  it("region filters rows and counts: the rank stays global, the rank in the region is of what was asked for", async () => {
    const places = async (region: string) => {
      const { data, meta } = await json(WireAnswers.countries, `/v1/countries?region=${region}`);
      return {
        places: data.map(({ code, rank, rank_in_region }) => [code, rank, rank_in_region]),
        ...meta.counts,
      };
    };
    const inWesternEurope = { total: 4, ranked: 3, below: 1, unattributed: 1 };
    const rows = [
      ["FR", 2, 1],
      ["AT", 3, 2],
      ["DE", 3, 2],
    ];
    expect(await places("europe")).to.deep.equal({ places: rows, ...inWesternEurope });
    expect(await places("western-europe")).to.deep.equal({ places: rows, ...inWesternEurope });
    expect(await places("africa")).to.deep.equal({
      places: [],
      total: 0,
      ranked: 0,
      below: 0,
      unattributed: 1,
    });
  });

  it("/v1/country/{code} compares within the sub-region and gives each year, in any case of the code", async () => {
    const { data } = await json(WireAnswers.country, "/v1/country/at");
    expect(data.country).to.include({ code: "AT", rank: 3, rank_in_region: 2, papers: 1 });
    expect(data.rank).to.deep.equal({ position: 3, of: 4 });
    expect(data.comparison.subregion).to.equal("western-europe");
    expect(data.comparison.pooled_rate).to.be.closeTo((9 * 100_000) / 350_500, 1e-12);
    expect(data.comparison.median_rate).to.equal(2);
    expect(data.comparison.rate_ratio).to.be.closeTo((1 / 50_000) * (300_500 / 8), 1e-12);
    expect(data.comparison.peers.map(({ code }) => code)).to.deep.equal(["FR", "DE", "LI"]);
    expect(
      data.series.map(({ year, papers, publications, rate }) => [year, papers, publications, rate]),
    ).to.deep.equal([
      [2013, 0, 10_000, 0],
      [2014, 0, 10_000, 0],
      [2015, 0, 10_000, 0],
      [2016, 1, 10_000, 10],
      [2017, 0, 10_000, 0],
    ]);
  });

  it("/v1/country/{code}: a country without data has nulls, every year and a sub-region; codes of none are refused", async () => {
    const { data } = await json(WireAnswers.country, "/v1/country/JP");
    expect(data.country).to.include({ papers: 0, publications: 0, rate: null, rank: null, below: true });
    expect(data.comparison.subregion).to.equal("eastern-asia");
    expect(data.comparison.peers.map(({ code }) => code)).to.deep.equal(["CN"]);
    expect(data.series).to.have.lengthOf(5);
    await expectProblem(await statistics.request("/v1/country/XK"), 404, "country-not-found");
    await expectProblem(await statistics.request("/v1/country/QQ"), 404, "country-not-found");
    await expectProblem(await statistics.request("/v1/country/DEU"), 422, "invalid-input", ["code"]);
    await expectProblem(await statistics.request("/v1/country/D1"), 422, "invalid-input", ["code"]);
  });

  it("/v1/institutions and /v1/disciplines count the linked works; all 26 disciplines are there", async () => {
    const institutions = await json(WireAnswers.institutions, "/v1/institutions");
    expect(institutions.data).to.have.lengthOf(1);
    expect(institutions.data[0]).to.include({
      rank: 1,
      ror: "https://ror.org/02mhbdp94",
      papers: 1,
      rate: 20,
    });
    const disciplines = await json(WireAnswers.disciplines, "/v1/disciplines");
    expect(disciplines.data).to.have.lengthOf(26);
    expect(disciplines.data[0]).to.include({ rank: 1, field_id: 27, name: "Medicine", rate: 0.4 });
  });

  it("/v1/cases gives the documented ones, of one type when asked", async () => {
    const { data } = await json(WireAnswers.cases, "/v1/cases?type=dissertation");
    expect(
      data.map(({ title, countries, year, source }) => [title, countries, year, source.revision_id]),
    ).to.deep.equal([["A. Example", ["DE"], 2011, 1_300_000_001]]);
    expect((await json(WireAnswers.cases, "/v1/cases?type=book")).data).to.deep.equal([]);
  });

  it("/v1/news gives the timeline and the coverage", async () => {
    const { data } = await json(WireAnswers.news, "/v1/news");
    expect(data.series).to.deep.equal([
      { month: "2026-09", mentions: 12, monitored: 240_000, share: 12 / 240_000 },
    ]);
    expect(data.articles[0]).to.include({ domain: "news.example", country_code: "DE" });
  });
});
