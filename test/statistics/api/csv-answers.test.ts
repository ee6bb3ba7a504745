import { expect } from "chai";
import { parse } from "csv-parse/sync";
import { z } from "zod";
import { createLoadStatistics } from "../../../src/statistics/load/load-statistics.ts";
import { loadSyntheticSet } from "../../../src/statistics/load/synthetic-set.ts";
import { ratePer100k } from "../../../src/statistics/rates/rate.ts";
import { useStatistics } from "../../support/use-statistics.ts";
import { hardSet } from "./hard-set.ts";

const TABLES = [
  "/v1/countries?below=true",
  "/v1/countries?region=europe",
  "/v1/institutions?below=true",
  "/v1/disciplines?",
];

const Rows = z.object({ data: z.array(z.record(z.string(), z.unknown())) });

describe("decisions, Statistics: CSV", () => {
  const statistics = useStatistics();
  before(async () => {
    await createLoadStatistics(statistics)(await hardSet(statistics.folder));
  });

  const rowsOf = async (path: string) => Rows.parse(await (await statistics.request(path)).json()).data;

  it("holds the rows of the JSON answer, in its order, with its numbers, and its names as the header", async () => {
    for (const path of TABLES) {
      const data = await rowsOf(path);
      const text = await (await statistics.request(`${path}&format=csv`)).text();
      const header = text.slice(0, text.indexOf("\r\n")).split(",");
      expect(header, "the order of the columns").to.deep.equal(Object.keys(data[0] ?? {}));
      const read: unknown = parse(text, { columns: true });
      const written = data.map((row) =>
        Object.fromEntries(
          Object.entries(row).map(([name, value]) => [
            name,
            value === null ? "" : withApostrophe(String(value)),
          ]),
        ),
      );
      expect(read, path).to.deep.equal(written);
    }
  });

  it("is RFC 4180 with CRLF, in UTF-8 without a mark, true and false in words, null as an empty cell", async () => {
    const response = await statistics.request("/v1/institutions?below=true&format=csv");
    expect(response.headers.get("content-type")).to.match(/^text\/csv; charset=utf-8/);
    const text = Buffer.from(await response.arrayBuffer()).toString("utf8");
    const [limitsOfA, limitsOfD, limitsOfE] = [limits(1, 1_000), limits(1, 999), limits(0, 2_000)];
    expect(text.split("\r\n").slice(1)).to.deep.equal([
      `1,https://ror.org/0syn00010,"Universität ""Süd"", Institut",DE,1,1000,100,${limitsOfA},0.5,250,200,false,true`,
      `2,https://ror.org/0syn00014,'=SUM(1),DE,0,2000,0,${limitsOfE},0,500,0,false,true`,
      `,https://ror.org/0syn00013,'@Fourth,DE,1,999,${100_000 / 999},${limitsOfD},1,249.75,${100_000 / 249.75},true,true`,
      ",https://ror.org/0syn00015,-1,DE,1,0,,,,0.5,0,,true,true",
      "",
    ]);
    expect(text.replaceAll("\r\n", "")).not.to.match(/[\r\n]/);
  });

  it("has the licence and the attribution in a Link header, and a name of its own for the file", async () => {
    const { headers } = await statistics.request("/v1/countries?format=csv");
    expect(headers.get("link")).to.equal(
      '<https://creativecommons.org/licenses/by/4.0/>; rel="license"; title="Similarity Check statistics, from: ' +
        'Retraction Watch Database (Crossref); Publication counts"',
    );
    expect(headers.get("content-disposition")).to.equal('attachment; filename="countries-2010-2014.csv"');
  });

  it("has an ETag of its own: that of the JSON answer does not stand for it", async () => {
    for (const path of TABLES) {
      const json = (await statistics.request(path)).headers.get("etag") ?? "";
      const asked = await statistics.request(`${path}&format=csv`, { headers: { "If-None-Match": json } });
      expect(asked.status, path).to.equal(200);
      expect(asked.headers.get("etag"), path).not.to.equal(json);
    }
  });
});

describe("decisions, Statistics: the CSV of the synthetic set", () => {
  const statistics = useStatistics();
  before(() => loadSyntheticSet(createLoadStatistics(statistics)));

  it("names the set in a column after all others, in each row", async () => {
    for (const path of TABLES) {
      const [row] = Rows.parse(await (await statistics.request(path)).json()).data;
      const text = await (await statistics.request(`${path}&format=csv`)).text();
      const rows: Record<string, string>[] = parse(text, { columns: true });
      expect(Object.keys(rows[0] ?? {}), path).to.deep.equal([
        ...Object.keys(row ?? {}),
        "synthetic_dataset_version",
      ]);
      for (const { synthetic_dataset_version: version } of rows) expect(version).to.match(/^demo-/);
    }
  });
});

function limits(papers: number, publications: number): string {
  const { rate_ci_low, rate_ci_high } = ratePer100k(papers, publications);
  return `${rate_ci_low},${rate_ci_high}`;
}

/** A cell that starts as a formula does, and is no number. */
function withApostrophe(value: string): string {
  return /^[=+@-]/.test(value) && Number.isNaN(Number(value)) ? `'${value}` : value;
}
