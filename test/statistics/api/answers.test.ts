import { expect } from "chai";
import { parse } from "csv-parse/sync";
import { z } from "zod";
import { CaseItem } from "../../../src/statistics/api/schema/cases.ts";
import { CountryData } from "../../../src/statistics/api/schema/country.ts";
import { envelope } from "../../../src/statistics/api/schema/envelope.ts";
import { NewsData } from "../../../src/statistics/api/schema/news.ts";
import { OverviewData } from "../../../src/statistics/api/schema/overview.ts";
import { CountryRow, DisciplineRow, InstitutionRow } from "../../../src/statistics/api/schema/rows.ts";
import { createLoadStatistics } from "../../../src/statistics/load/load-statistics.ts";
import { ratePer100k } from "../../../src/statistics/rates/rate.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import { useStatistics } from "../../support/use-statistics.ts";
import { smallSet } from "./small-set.ts";

const Answers = {
  overview: envelope("Overview", OverviewData),
  countries: envelope("Countries", CountryRow.array()),
  country: envelope("Country", CountryData),
  institutions: envelope("Institutions", InstitutionRow.array()),
  disciplines: envelope("Disciplines", DisciplineRow.array()),
  cases: envelope("Cases", CaseItem.array()),
  news: envelope("News", NewsData),
};

/** Every JSON endpoint, with a query where it takes one. */
const PATHS = [
  "/v1/",
  "/v1/countries?below=true",
  "/v1/institutions",
  "/v1/disciplines",
  "/v1/country/DE",
  "/v1/cases",
  "/v1/news",
];

describe("decisions, Statistics: a fresh install serves empty data and says how to load", () => {
  const statistics = useStatistics();

  it("answers every endpoint with 200, no figures and a caveat with the commands", async () => {
    for (const path of PATHS) {
      const response = await statistics.request(path);
      expect(response.status, path).to.equal(200);
      const { meta } = z
        .object({ meta: z.object({ caveats: z.string().array() }) })
        .parse(await response.json());
      expect(meta.caveats.join(" "), path)
        .to.include("npm run statistics:load")
        .and.to.include("statistics:refresh");
    }
  });

  it("has no windows, and sources that were never loaded", async () => {
    const { data, meta } = Answers.overview.parse(await (await statistics.request("/v1/")).json());
    expect(data.windows).to.deep.equal([]);
    expect(new Set(data.freshness.map(({ status }) => status))).to.deep.equal(new Set(["never loaded"]));
    expect([meta.generated_at, meta.dataset_version]).to.deep.equal([null, null]);
    expect(data.regions).to.have.length.above(20);
    expect(data.endpoints.map(({ path }) => path)).to.include("/v1/country/{code}");
  });

  it("has empty tables, CSV with a header alone, and a country of nulls", async () => {
    for (const path of ["/v1/countries", "/v1/institutions", "/v1/disciplines", "/v1/cases"]) {
      const { data } = z
        .object({ data: z.array(z.unknown()) })
        .parse(await (await statistics.request(path)).json());
      expect(data, path).to.deep.equal([]);
    }
    expect(await (await statistics.request("/v1/countries?format=csv")).text()).to.match(
      /^rank,rank_in_region,code,[^\n]*\r\n$/,
    );
    const { data } = Answers.country.parse(await (await statistics.request("/v1/country/DE")).json());
    expect(data.country).to.include({
      code: "DE",
      subregion: "western-europe",
      papers: 0,
      rate: null,
      rank: null,
    });
    expect(data.series).to.deep.equal([]);
  });

  it("refuses a malformed window, and takes a well-formed one for which there is nothing yet", async () => {
    await expectProblem(await statistics.request("/v1/countries?window=banana"), 422, "invalid-input", [
      "window",
    ]);
    expect((await statistics.request("/v1/countries?window=2013-2017")).status).to.equal(200);
  });
});

describe("specification 4.2 and decisions, Statistics: the answers", () => {
  const statistics = useStatistics();

  before(async () => {
    await createLoadStatistics(statistics)(await smallSet(statistics.folder));
  });

  async function json<T extends z.ZodType>(schema: T, path: string): Promise<z.output<T>> {
    const response = await statistics.request(path);
    expect(response.status, path).to.equal(200);
    const body: unknown = await response.json();
    const parsed = schema.parse(body);
    expect(parsed, "no member that is not documented").to.deep.equal(body);
    return parsed;
  }

  it("/v1/ lists the windows, the newest end first, and which is the default", async () => {
    const { data } = await json(Answers.overview, "/v1/");
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
    const { data, meta } = await json(Answers.countries, "/v1/countries");
    expect(
      data.map(({ rank, code, papers, publications }) => [rank, code, papers, publications]),
    ).to.deep.equal([
      [1, "CN", 30, 400_000],
      [2, "FR", 4, 100_000],
      [3, "AT", 1, 50_000],
      [3, "DE", 4, 200_000],
    ]);
    const expected = ratePer100k(4, 100_000);
    expect(data[1]).to.include({ rate: 4, rate_ci_low: expected?.low, rate_ci_high: expected?.high });
    expect(data[1]).to.include({ papers_fractional: 2, publications_fractional: 50_000, rate_fractional: 4 });
    expect(data.map(({ unstable }) => unstable)).to.deep.equal([false, true, true, true]);
    expect(meta.window).to.equal("2013-2017");
    expect(meta.counts).to.deep.equal({ total: 5, ranked: 4, below: 1, unattributed: 1 });
  });

  it("/v1/countries?below=true adds the others after them; another window has other figures", async () => {
    const { data } = await json(Answers.countries, "/v1/countries?below=true&window=2008-2012");
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
      const { data, meta } = await json(Answers.countries, `/v1/countries?region=${region}`);
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
    const { data } = await json(Answers.country, "/v1/country/at");
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
    const { data } = await json(Answers.country, "/v1/country/JP");
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
    const institutions = await json(Answers.institutions, "/v1/institutions");
    expect(institutions.data).to.have.lengthOf(1);
    expect(institutions.data[0]).to.include({
      rank: 1,
      ror: "https://ror.org/02mhbdp94",
      papers: 1,
      rate: 20,
    });
    const disciplines = await json(Answers.disciplines, "/v1/disciplines");
    expect(disciplines.data).to.have.lengthOf(26);
    expect(disciplines.data[0]).to.include({ rank: 1, field_id: 27, name: "Medicine", rate: 0.4 });
  });

  it("/v1/cases gives the documented ones, of one type when asked", async () => {
    const { data } = await json(Answers.cases, "/v1/cases?type=dissertation");
    expect(
      data.map(({ title, countries, year, source }) => [title, countries, year, source.revision_id]),
    ).to.deep.equal([["A. Example", ["DE"], 2011, 1_300_000_001]]);
    expect((await json(Answers.cases, "/v1/cases?type=book")).data).to.deep.equal([]);
  });

  it("/v1/news gives the timeline and the coverage", async () => {
    const { data } = await json(Answers.news, "/v1/news");
    expect(data.series).to.deep.equal([
      { month: "2026-09", mentions: 12, monitored: 240_000, share: 12 / 240_000 },
    ]);
    expect(data.articles[0]).to.include({ domain: "news.example", country_code: "DE" });
  });

  it("CSV holds the rows of the JSON answer, in its order, with its numbers and names", async () => {
    for (const path of ["/v1/countries?below=true", "/v1/institutions?", "/v1/disciplines?"]) {
      const { data } = z
        .object({ data: z.array(z.record(z.string(), z.unknown())) })
        .parse(await (await statistics.request(path)).json());
      const response = await statistics.request(`${path}&format=csv`);
      expect(response.headers.get("content-type"), path).to.match(/^text\/csv; charset=utf-8/);
      expect(response.headers.get("link"), path).to.match(
        /creativecommons\.org\/licenses\/by\/4\.0\/>; rel="license"; title="Simil/,
      );
      const text = await response.text();
      const header = text.slice(0, text.indexOf("\r\n")).split(",");
      expect(header, "the order of the columns").to.deep.equal(Object.keys(data[0] ?? {}));
      const read: unknown = parse(text, { columns: true });
      const written = data.map((row) =>
        Object.fromEntries(
          Object.entries(row).map(([name, value]) => [name, value === null ? "" : String(value)]),
        ),
      );
      expect(read, path).to.deep.equal(written);
    }
  });

  it("refuses parameters that break the rules, naming them and the valid windows; unknown ones are ignored", async () => {
    const refused: [query: string, field: string][] = [
      ["window=banana", "window"],
      ["window=", "window"],
      ["window=2003-2007", "window"],
      ["window=2013-2017&window=2008-2012", "window"],
      ["region=mars", "region"],
      ["below=yes", "below"],
      ["format=xml", "format"],
      ["format=", "format"],
    ];
    for (const [query, field] of refused) {
      const problem = await expectProblem(
        await statistics.request(`/v1/countries?${query}`),
        422,
        "invalid-input",
        [field],
      );
      if (query.startsWith("window=2003"))
        expect(problem.detail).to.include("2013-2017, 2008-2017, 2008-2012");
    }
    await expectProblem(await statistics.request("/v1/cases?type=poem"), 422, "invalid-input", ["type"]);
    expect((await statistics.request("/v1/countries?colour=red")).status).to.equal(200);
  });

  it("answers If-None-Match with 304 and no body, HEAD as GET without a body, other methods with 405", async () => {
    for (const path of [...PATHS, "/v1/countries?format=csv"]) {
      const got = await statistics.request(path);
      const etag = got.headers.get("etag") ?? "";
      expect(etag, path).to.match(/^"[\w-]+"$/);
      expect(got.headers.get("cache-control"), path).to.match(/^public, max-age=\d+$/);
      const body = await got.text();
      for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
        const again = await statistics.request(path, { headers: { "If-None-Match": tag } });
        expect([again.status, await again.text(), again.headers.get("etag")], path).to.deep.equal([
          304,
          "",
          etag,
        ]);
        expect(again.headers.get("cache-control")).to.match(/^public/);
      }
      expect((await statistics.request(path, { headers: { "If-None-Match": '"other"' } })).status).to.equal(
        200,
      );
      const head = await statistics.request(path, { method: "HEAD" });
      expect([head.status, await head.text(), head.headers.get("etag")], path).to.deep.equal([200, "", etag]);
      expect(head.headers.get("content-length")).to.equal(String(Buffer.byteLength(body)));
      const posted = await statistics.request(path, { method: "POST" });
      expect(posted.headers.get("allow"), path).to.equal("GET, HEAD, OPTIONS");
      await expectProblem(posted, 405, "method-not-allowed");
    }
  });

  it("is open to pages of any origin, which may read its headers, errors included", async () => {
    for (const path of ["/v1/countries", "/v1/countries?window=banana", "/v1/nothing"]) {
      const { headers } = await statistics.request(path, { headers: { Origin: "https://page.example" } });
      expect(headers.get("access-control-allow-origin"), path).to.equal("*");
      const exposed = headers.get("access-control-expose-headers")?.split(", ");
      expect(exposed, path).to.include.members([
        "ETag",
        "Link",
        "RateLimit",
        "RateLimit-Policy",
        "Retry-After",
      ]);
    }
    const preflight = await statistics.request("/v1/countries", {
      method: "OPTIONS",
      headers: {
        Origin: "https://page.example",
        "Access-Control-Request-Method": "GET",
        "Access-Control-Request-Headers": "If-None-Match",
      },
    });
    expect(preflight.status).to.equal(204);
    expect(preflight.headers.get("access-control-allow-methods")).to.include("GET");
    expect(preflight.headers.get("access-control-allow-headers")).to.equal("If-None-Match");
  });
});

describe("decisions, Statistics: the same data gives the same bytes, and a load is seen", () => {
  const statistics = useStatistics();

  async function bodies(address?: string): Promise<string[]> {
    return Promise.all(
      PATHS.map(async (path) => {
        const response = address === undefined ? await statistics.request(path) : await fetch(address + path);
        return response.text();
      }),
    );
  }

  it("gives equal bytes from every replica and after the same files are loaded again", async () => {
    const load = createLoadStatistics(statistics);
    const files = await smallSet(statistics.folder);
    await load(files);
    const replica = await statistics.addReplica();
    const first = await bodies(replica.address);
    await load(files);
    const another = await statistics.addReplica();
    expect(await bodies(another.address)).to.deep.equal(first);
    expect(await bodies(replica.address)).to.deep.equal(first);
  });

  it("answers with the new data as soon as the load is over, in every replica", async () => {
    const replica = await statistics.addReplica();
    const papersOf = async (address?: string) => {
      const path = "/v1/country/LI";
      const response = address === undefined ? await statistics.request(path) : await fetch(address + path);
      return Answers.country.parse(await response.json()).data.country.papers;
    };
    expect([await papersOf(), await papersOf(replica.address)]).to.deep.equal([0, 0]);
    await createLoadStatistics(statistics)(await smallSet(statistics.folder, 3));
    // A process hears of the load by a notification, which the load's end may outrun by a moment.
    for (let turn = 0; turn < 100 && (await papersOf(replica.address)) !== 3; turn += 1) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect([await papersOf(), await papersOf(replica.address)]).to.deep.equal([3, 3]);
  });
});
