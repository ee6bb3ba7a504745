import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect } from "chai";
import { unzipSync } from "fflate";
import { z } from "zod";
import { createLoadStatistics } from "../../../src/statistics/load/load-statistics.ts";
import { loadSyntheticSet } from "../../../src/statistics/load/synthetic-set.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import { useStatistics } from "../../support/use-statistics.ts";

const Row = z.looseObject({
  code: z.string().optional(),
  country_code: z.string().nullable().optional(),
  papers: z.number(),
  publications: z.number(),
  rate: z.number().nullable(),
  rate_ci_low: z.number().nullable(),
  rate_shrunken: z.number().nullable().optional(),
  rank: z.number().nullable(),
  unstable: z.boolean(),
  below: z.boolean(),
});
const Counts = z.object({
  total: z.number(),
  ranked: z.number(),
  below: z.number(),
  unattributed: z.number(),
});
const Table = z.object({
  meta: z.object({ window: z.string(), counts: Counts, caveats: z.string().array() }),
  data: Row.array(),
});
const Windows = z.object({
  data: z.object({
    first_year: z.number(),
    last_year: z.number(),
    newest_retraction: z.string(),
    settled_until: z.number(),
    newest_settled: z.string(),
    delays: z.object({ years: z.number(), later: z.number() }).array(),
  }),
});

/** Rows with their members in the order of the answer. */
const Raw = z.object({ data: z.record(z.string(), z.unknown()).array() });

const TABLES = ["countries", "institutions", "disciplines"] as const;

describe("the parameters of tables, on the synthetic set", () => {
  const statistics = useStatistics();
  before(() => loadSyntheticSet(createLoadStatistics(statistics)));

  const read = async (path: string) => Table.parse(await (await statistics.request(`/v1/${path}`)).json());
  const raw = async (path: string) => Raw.parse(await (await statistics.request(`/v1/${path}`)).json()).data;
  const bytes = async (path: string) => (await statistics.request(`/v1/${path}`)).text();

  it("from and to name any years; those of a listed window give its very bytes", async () => {
    for (const table of TABLES) {
      expect(await bytes(`${table}?from=2018&to=2022`), table).to.equal(
        await bytes(`${table}?window=2018-2022`),
      );
      expect(await bytes(`${table}?to=2022`), table).to.equal(await bytes(`${table}?window=2013-2022`));
      const [first, second, both] = await Promise.all(
        ["from=2014&to=2014", "from=2015&to=2015", "from=2014&to=2015"].map((span) =>
          read(`${table}?${span}${table === "disciplines" ? "" : "&below=true"}`),
        ),
      );
      expect(both?.meta.window).to.equal("2014-2015");
      const sum = (rows: readonly { papers: number; publications: number }[] = []) => [
        rows.reduce((all, { papers }) => all + papers, 0),
        rows.reduce((all, { publications }) => all + publications, 0),
      ];
      const [one, other] = [sum(first?.data), sum(second?.data)];
      expect(sum(both?.data), table).to.deep.equal([
        (one[0] ?? 0) + (other[0] ?? 0),
        (one[1] ?? 0) + (other[1] ?? 0),
      ]);
      const { total, ranked, below } = both?.meta.counts ?? { total: 0, ranked: 0, below: 0 };
      expect(total, table)
        .to.equal(ranked + below)
        .and.to.equal(both?.data.length);
    }
  });

  it("years outside the data, in the wrong order or beside a window are refused", async () => {
    for (const [query, fields] of [
      ["from=2012&to=2014", ["from"]],
      ["from=2012&to=2023", ["from", "to"]],
      ["from=2016&to=2015", ["from"]],
      ["from=20x6", ["from"]],
      ["window=2013-2022&to=2015", ["window"]],
    ] as const) {
      for (const path of [...TABLES, "country/DE", "institution/02mhbdp94", "discipline/27"])
        await expectProblem(await statistics.request(`/v1/${path}?${query}`), 422, "invalid-input", [
          ...fields,
        ]);
    }
  });

  it("says which years are settled, by dates, and how many retractions come later", async () => {
    const { data } = Windows.parse(await (await statistics.request("/v1/windows")).json());
    expect(data).to.deep.include({
      ...{ first_year: 2013, last_year: 2022, newest_retraction: "2024-03-04" },
      ...{ settled_until: 2020, newest_settled: "2018-2020" },
    });
    // Papers of May are retracted in March of the second year after: all within 1.9 years.
    expect(data.delays.map(({ later }) => later)).to.deep.equal([1, ...Array(9).fill(0)]);
    const { caveats } = (await read("countries?from=2021&to=2021")).meta;
    expect(caveats.join(" "))
      .to.match(/2021-2021 is provisional/)
      .and.to.match(/came 2\.2 years after the end/);
    expect((await read("countries?from=2018&to=2020")).meta.caveats.join(" ")).not.to.include("provisional");
  });

  it("sort ranks by a figure and adds those for small numbers; without it nothing changes", async () => {
    for (const table of TABLES) {
      for (const figure of ["rate", "rate_ci_low", "rate_shrunken"] as const) {
        const { data } = await read(`${table}?sort=${figure}`);
        const values = data.map((row) => row[figure] ?? Number.NaN);
        expect(values, `${table} ${figure}`).to.deep.equal(values.toSorted((a, b) => b - a));
        expect(data[0]?.rank).to.equal(1);
      }
      const [plain, sorted] = await Promise.all([raw(table), raw(`${table}?sort=rate`)]);
      expect(Object.keys(sorted[0] ?? {})).to.deep.equal([
        ...Object.keys(plain[0] ?? {}),
        ...["rate_shrunken", "rank_low", "rank_high"],
      ]);
      expect(sorted.map(({ rate_shrunken: _, rank_low: __, rank_high: ___, ...row }) => row)).to.deep.equal(
        plain,
      );
      const [header] = (await bytes(`${table}?sort=rate&format=csv`)).split("\r\n");
      expect(header).to.match(/,unstable,rate_shrunken,rank_low,rank_high,synthetic_dataset_version$/);
    }
  });

  it("institutions are the same by stored shrunken rates and, after a load of an earlier release, by computed ones", async () => {
    const query = "institutions?below=true&sort=rate_shrunken";
    const ask = (part: string) => raw(`${query}&${part}`);
    const stored = await ask("offset=0");
    expect(stored.length).to.be.above(3);
    // Two institutions of the same rate share a rank, also where a page begins between them.
    await statistics.database.query(
      `update statistics_rows as twin set rate_shrunken = other.rate_shrunken from statistics_rows as other
        where other.key = $1 and twin.key = $2 and other.window_id = twin.window_id`,
      [stored[0]?.ror, stored[1]?.ror],
    );
    const tied = await ask("offset=0&limit=999");
    expect(tied.slice(0, 3).map(({ rank }) => rank)).to.deep.equal([1, 1, 3]);
    for (const offset of stored.keys())
      expect(await ask(`offset=${offset}&limit=2`)).to.deep.equal(tied.slice(offset, offset + 2));
    expect(await ask(`offset=${stored.length}&limit=2`)).to.deep.equal([]);
    await statistics.database.query("update statistics_rows set rate_shrunken = null");
    // Another limit, so that no kept answer is sent.
    expect(await ask("limit=1000")).to.deep.equal(stored);
  });

  it("stable, country, limit and offset select rows and keep their ranks", async () => {
    const all = await read("institutions?below=true");
    const { country_code: country } = all.data[0] ?? {};
    const own = await read(`institutions?below=true&country=${country?.toLowerCase()}`);
    expect(own.data).to.deep.equal(all.data.filter((row) => row.country_code === country));
    expect(own.meta.counts.total).to.equal(own.data.length);
    for (const table of TABLES) {
      const plain = await read(table);
      const stable = await read(`${table}?stable=true`);
      expect(stable.data).to.deep.equal(plain.data.filter(({ unstable }) => !unstable));
      expect(stable.meta.counts.ranked).to.equal(stable.data.length);
      const page = await read(`${table}?limit=3&offset=2`);
      expect(page.data).to.deep.equal(plain.data.slice(2, 5));
      expect(page.meta.counts).to.deep.equal(plain.meta.counts);
    }
    await expectProblem(await statistics.request("/v1/countries?limit=0"), 422, "invalid-input", ["limit"]);
    await expectProblem(await statistics.request("/v1/institutions?country=DEU"), 422, "invalid-input", [
      "country",
    ]);
  });

  it("an institution and a discipline have their row, their rank and their years", async () => {
    const [row] = (await read("institutions?from=2014&to=2016&sort=rate_shrunken")).data;
    const ror = String(row?.ror);
    const Place = z.looseObject({
      data: z.looseObject({ series: Row.pick({ papers: true, publications: true }).array() }),
    });
    const of = async (path: string) => Place.parse(await (await statistics.request(path)).json()).data;
    const own = await of(`/v1/institution/${ror.slice(-9)}?from=2014&to=2016&sort=rate_shrunken`);
    expect(own.institution).to.deep.equal(row);
    expect(own.series.reduce((sum, { papers }) => sum + papers, 0)).to.equal(row?.papers);
    expect(own.series.reduce((sum, { publications }) => sum + publications, 0)).to.equal(row?.publications);
    const nothing = await of("/v1/institution/02mhbdp94");
    expect(nothing.institution).to.include({
      ror: "https://ror.org/02mhbdp94",
      name: null,
      papers: 0,
      rank: null,
    });
    for (const { field_id, papers } of (await read("disciplines")).data) {
      const { series } = await of(`/v1/discipline/${field_id}`);
      expect(series.reduce((sum, one) => sum + one.papers, 0)).to.equal(papers);
    }
    await expectProblem(await statistics.request("/v1/institution/banana"), 422, "invalid-input", ["ror"]);
    await expectProblem(await statistics.request("/v1/discipline/37"), 422, "invalid-input", ["field_id"]);
  });

  it("sends an answer packed to a client that takes it so, under a tag of its own", async () => {
    const ask = async (encoding?: string, tag?: string) => {
      const { promise, resolve } = Promise.withResolvers<{
        status: number;
        headers: Record<string, unknown>;
        body: Buffer;
      }>();
      const { request } = await import("node:http");
      const headers = {
        ...(encoding !== undefined && { "Accept-Encoding": encoding }),
        ...(tag !== undefined && { "If-None-Match": tag }),
      };
      request(`${statistics.address}/v1/countries?below=true`, { headers }, async (answer) => {
        const chunks: Buffer[] = [];
        for await (const chunk of answer) chunks.push(chunk);
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(chunks) });
      }).end();
      return promise;
    };
    const plain = await ask("identity");
    const silent = await ask();
    expect(silent.body.equals(plain.body), "no header").to.equal(true);
    for (const { headers, body } of [plain, silent]) {
      expect(headers["content-encoding"]).to.equal(undefined);
      expect(headers["content-length"]).to.equal(String(body.length));
      expect(headers.etag).to.match(/^"[\w-]{22}"$/);
    }
    for (const [encoding, unpack] of [
      ["gzip", gunzipSync],
      ["br", brotliDecompressSync],
    ] as const) {
      const packed = await ask(encoding);
      expect(packed.headers).to.include({ "content-encoding": encoding, vary: "Accept-Encoding" });
      expect(packed.body.length).to.be.below(plain.body.length / 3);
      expect(unpack(packed.body).equals(plain.body)).to.equal(true);
      expect(packed.headers.etag).not.to.equal(plain.headers.etag);
      expect((await ask(encoding, String(packed.headers.etag))).status).to.equal(304);
      expect((await ask(encoding, String(plain.headers.etag))).status).to.equal(304);
    }
    expect((await ask("gzip;q=0, *;q=0.1")).headers["content-encoding"]).to.equal("br");
  });

  it("has everything in one file, the same each time", async () => {
    const [one, other] = await Promise.all(
      [0, 1].map(async () =>
        Buffer.from(await (await statistics.request("/v1/everything.zip")).arrayBuffer()),
      ),
    );
    expect(one?.equals(other ?? Buffer.alloc(0))).to.equal(true);
    const files = unzipSync(one ?? new Uint8Array());
    const windows = ["2018-2022", "2013-2022", "2013-2017"];
    expect(Object.keys(files).toSorted()).to.deep.equal(
      [
        ...[...TABLES, "totals", "reasons", "papers"].flatMap((table) =>
          windows.map((id) => `${table}-${id}.csv`),
        ),
        "CITATION.cff",
        "cases.json",
        "caveats.txt",
        "news.json",
        "sources.json",
      ].toSorted(),
    );
    const caveats = Buffer.from(files["caveats.txt"] ?? [])
      .toString()
      .split("\n");
    for (const path of ["countries?window=2018-2022", "papers", "cases", "news"]) {
      const { meta } = JSON.parse(await bytes(path));
      expect(meta.caveats, path).not.to.be.empty;
      expect(caveats, path).to.include.members(meta.caveats);
    }
    const papers = Buffer.from(files["papers-2013-2017.csv"] ?? []).toString();
    expect(papers).to.equal(await bytes("papers?window=2013-2017&format=csv"));
    const csv = Buffer.from(files["countries-2013-2017.csv"] ?? []).toString();
    expect(csv).to.equal(await bytes("countries?window=2013-2017&below=true&sort=rate_shrunken&format=csv"));
  });
});
