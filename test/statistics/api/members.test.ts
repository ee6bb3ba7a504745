import { expect } from "chai";
import { z } from "zod";
import { REGIONS } from "../../../src/statistics/facts/countries.ts";
import { createLoadStatistics } from "../../../src/statistics/load/load-statistics.ts";
import { useStatistics } from "../../support/use-statistics.ts";
import { hardSet } from "./hard-set.ts";
import { smallSet } from "./small-set.ts";
import { readAnswer, WireAnswers } from "./wire-answers.ts";

// The names stand here as the decisions write them, not as the schemas do.

const FIGURES =
  "papers, publications, rate, rate_ci_low, rate_ci_high, papers_fractional, publications_fractional, rate_fractional, below, unstable";

const COUNTRY = `rank, rank_in_region, code, name, region, subregion, ${FIGURES}`;

const ROWS = {
  "/v1/countries": COUNTRY,
  "/v1/institutions": `rank, ror, name, country_code, ${FIGURES}`,
  "/v1/disciplines": `rank, field_id, name, domain, ${FIGURES}`,
};

const META = "license, license_url, attribution, generated_at, dataset_version";

const Envelope = z.object({ meta: z.record(z.string(), z.unknown()), data: z.unknown() });

const LOADED_AT = new Date("2026-11-20T09:30:00.000Z");

const UTC_TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

describe("decisions, Statistics: the members of each answer", () => {
  const statistics = useStatistics();
  before(async () => {
    const { organisations } = await hardSet(statistics.folder);
    const files = { ...(await smallSet(statistics.folder)), organisations };
    await createLoadStatistics(statistics)(files, { clock: () => LOADED_AT });
  });

  const read = async (path: string) => Envelope.parse(await (await statistics.request(path)).json());

  it("data is an array for countries, institutions, disciplines and cases, an object for the index, one country and news", async () => {
    for (const path of ["/v1/countries", "/v1/institutions", "/v1/disciplines", "/v1/cases"]) {
      expect((await read(path)).data, path).to.be.an("array");
    }
    for (const path of ["/v1/", "/v1/country/DE", "/v1/news"]) {
      expect((await read(path)).data, path).to.be.an("object");
    }
  });

  it("every answer has the two members meta and data, and every meta licence, attribution, version, sources and caveats", async () => {
    const more = {
      "/v1/": "",
      "/v1/countries": "window, counts, ",
      "/v1/institutions": "window, counts, ",
      "/v1/disciplines": "window, counts, ",
      "/v1/country/DE": "window, ",
      "/v1/cases": "",
      "/v1/news": "",
    };
    for (const [path, own] of Object.entries(more)) {
      const body = z.record(z.string(), z.unknown()).parse(await (await statistics.request(path)).json());
      expectMembers(body, "meta, data", path);
      const { meta } = Envelope.parse(body);
      expectMembers(meta, `${META}, ${own}sources, caveats`, path);
      expect(meta, path).to.deep.include({
        license: "CC-BY-4.0",
        license_url: "https://creativecommons.org/licenses/by/4.0/",
        generated_at: LOADED_AT.toISOString(),
      });
      expect(meta.dataset_version, path).to.match(/^[0-9a-f]{16}$/);
      const sources = z.array(z.record(z.string(), z.unknown())).min(1).parse(meta.sources);
      for (const source of sources) {
        // A page and an organisation without a date have no newest record.
        const newest = ["wikipedia", "ror"].includes(String(source.id)) ? "" : ", newest_record";
        expectMembers(source, `id, name, retrieved_at, version, license, url${newest}`, path);
        expect(source.retrieved_at).to.equal(LOADED_AT.toISOString());
      }
    }
    expectMembers((await read("/v1/countries")).meta.counts, "total, ranked, below, unattributed", "counts");
  });

  it("rows have their members in the order of the decisions, which is that of the CSV's columns", async () => {
    for (const [path, members] of Object.entries(ROWS)) {
      const [row] = z.array(z.unknown()).parse((await read(path)).data);
      expectMembers(row, members, path);
      const csv = await (await statistics.request(`${path}?format=csv`)).text();
      expect(csv.split("\r\n")[0], path).to.equal(members.replaceAll(" ", ""));
    }
  });

  it("/v1/ lists windows, regions, case types, thresholds, freshness and endpoints", async () => {
    const { data } = await readAnswer(statistics, WireAnswers.overview, "/v1/");
    expectMembers(data, "windows, regions, case_types, thresholds, freshness, endpoints");
    for (const window of data.windows) expectMembers(window, "id, from, to, provisional, default");
    expect(data.regions.map(({ slug }) => slug)).to.deep.equal(REGIONS.map(({ slug }) => slug));
    expect(data.regions.filter(({ parent }) => parent === null).map(({ slug }) => slug)).to.deep.equal([
      "africa",
      "americas",
      "asia",
      "europe",
      "oceania",
    ]);
    expect(data.regions).to.deep.include({
      slug: "eastern-asia",
      name: "Eastern Asia",
      m49: "030",
      parent: "asia",
    });
    expect(data.freshness).to.have.length(6);
    for (const one of data.freshness) {
      expectMembers(one, "source, status, retrieved_at, newest_record, stale");
      expect(one.retrieved_at).to.match(UTC_TIMESTAMP);
    }
    expect(data.freshness.slice(0, 2).map(({ newest_record }) => newest_record)).to.deep.equal([
      "2020-03-01",
      "2017",
    ]);
    expect(data.endpoints.map(({ path, parameters }) => `${path} ${parameters}`)).to.deep.equal([
      "/v1/ ",
      "/v1/windows dataset_version",
      "/v1/countries window,region,below,format,from,to,sort,stable,limit,offset,dataset_version",
      "/v1/institutions window,below,format,from,to,sort,stable,limit,offset,dataset_version,country",
      "/v1/disciplines window,format,from,to,sort,stable,limit,offset,dataset_version",
      "/v1/country/{code} window,from,to,sort,dataset_version",
      "/v1/institution/{ror} window,from,to,sort",
      "/v1/discipline/{field_id} window,from,to,sort,dataset_version",
      "/v1/cases type,dataset_version",
      "/v1/news dataset_version",
      "/v1/papers window,country,institution,discipline,format,from,to,limit,offset,dataset_version",
      "/v1/totals window,format,from,to,dataset_version",
      "/v1/reasons window,country,institution,discipline,format,from,to,dataset_version",
    ]);
  });

  it("/v1/country/{code} has country, rank, comparison with its peers, and series", async () => {
    const { data } = await readAnswer(statistics, WireAnswers.country, "/v1/country/AT");
    expectMembers(data, "country, rank, comparison, series");
    expectMembers(data.country, COUNTRY);
    expectMembers(data.rank, "position, of");
    expectMembers(
      data.comparison,
      "subregion, pooled_rate, median_rate, rate_ratio, rate_ratio_ci_low, rate_ratio_ci_high, peers",
    );
    expectMembers(data.comparison.peers[0], COUNTRY);
    expectMembers(data.series[0], "year, papers, publications, rate");
  });

  it("/v1/cases and /v1/news have the items of the decisions", async () => {
    const cases = await readAnswer(statistics, WireAnswers.cases, "/v1/cases");
    expectMembers(
      cases.data[0],
      "case_id, type, title, year, countries, institution, discipline, finding, statement, outcome, summary, source",
    );
    expectMembers(cases.data[0]?.source, "page_title, revision_id, revised_at, url, license");
    const { data } = await readAnswer(statistics, WireAnswers.news, "/v1/news");
    expectMembers(data, "series, articles");
    expectMembers(data.series[0], "month, mentions, monitored, share");
    expectMembers(data.articles[0], "seen_at, title, url, domain, language, country_code");
    expect(data.articles[0]?.seen_at).to.match(UTC_TIMESTAMP);
  });
});

function expectMembers(value: unknown, members: string, where?: string): void {
  const names = Object.keys(z.record(z.string(), z.unknown()).parse(value));
  expect(names, where).to.deep.equal(members.split(", "));
}
