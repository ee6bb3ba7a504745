import { expect } from "chai";
import { parse } from "csv-parse/sync";
import { z } from "zod";
import { CELL_LENGTH_MAX, PASSAGE_COLUMNS } from "../../../../src/report/exports/passages-csv.ts";
import type { WireReport } from "../../../support/client.ts";
import { expectProblem } from "../../../support/expect-problem.ts";
import { useEngine } from "../../../support/use-engine.ts";
import { prose } from "../../../support/work/prose.ts";
import { queryTextOf } from "../report-laws.ts";

const Rows = z.array(z.record(z.string(), z.string()));

describe("GET /v1/checks/{check_id}/passages.csv", () => {
  const engine = useEngine();
  const [first, second] = [prose(1, 30), prose(2, 60)];
  const quoted = prose(3, 30);
  let checkId: string;

  before(async () => {
    await engine.client.addDocument("first.txt", `${prose(11, 20)} ${first}`, {
      title: '=HYPERLINK("https://example.org")',
      source_url: "https://example.org/a,b",
    });
    await engine.client.addDocument("second.txt", `👩‍🚀 ${second}\r\n${prose(14, 60)} ${quoted}`, {
      title: 'A "title", two',
    });
    const text = `😀 ${prose(12, 20)} ${first} e\u0301 𠮷野家 ${second}\r\n${prose(13, 20)} “${quoted}” Ende.`;
    ({ check_id: checkId } = await engine.client.checked(text, { title: "../Ünïcode: essay" }));
  });

  const pathOf = (query = "") => `/v1/checks/${checkId}/passages.csv${query}`;

  async function table(query = ""): Promise<Record<string, string>[]> {
    const response = await engine.client.request(pathOf(query));
    expect(response.status).to.equal(200);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes.subarray(0, 3).toString("hex"), "UTF-8's byte order mark").to.equal("efbbbf");
    const text = bytes.subarray(3).toString();
    expect(text.split("\r\n")[0]).to.equal(PASSAGE_COLUMNS.join(","));
    expect(text.endsWith("\r\n")).to.equal(true);
    return Rows.parse(parse(text, { columns: true, record_delimiter: "\r\n" }));
  }

  const asText = (value: string | number | null) => (value === null ? "" : String(value));

  function rowsOf(report: WireReport): Record<string, string>[] {
    return report.sources.flatMap((source) =>
      source.passages.map((passage, number) => ({
        source_rank: String(source.number),
        source_document_id: source.source_document_id,
        source_title: source.title.startsWith("=") ? `'${source.title}` : source.title,
        source_filename: source.source_filename,
        source_url: asText(source.source_url),
        match_type: passage.match_type,
        query_start: asText(passage.query_start),
        query_end: asText(passage.query_end),
        source_document_start: asText(passage.source_document_start),
        source_document_end: asText(passage.source_document_end),
        query_text: queryTextOf(report, passage),
        source_text_preview: passage.overlap_text_preview,
        source_language: source.language,
        passage: String(number + 1),
        exclusive_matched_chars: asText(passage.query_end - passage.query_start),
        note: "",
        match_group: passage.match_group ?? "",
      })),
    );
  }

  for (const query of ["", "?offset_unit=utf16", "?exclude_quotes=true&offset_unit=utf16", "?min_words=40"]) {
    it(`has one row per passage, in the order of the report: ${query || "no filter"}`, async () => {
      const report = await engine.client.report(checkId, query);
      const rows = rowsOf(report);
      expect(rows.length).to.be.above(query.includes("=40") ? 0 : 1);
      expect(await table(query)).to.deep.equal(rows);
    });
  }

  it("contains the copied texts", async () => {
    const texts = (await table()).map(({ query_text }) => query_text);
    expect(texts).to.have.members([first, second, quoted]);
    const kept = (await table("?exclude_quotes=true")).map(({ query_text }) => query_text);
    expect(kept).to.have.members([first, second]);
  });

  it("states its type, its encoding and its file name", async () => {
    const { headers } = await engine.client.request(pathOf());
    expect(headers.get("content-type")).to.equal("text/csv; charset=utf-8; header=present");
    expect(headers.get("content-disposition")).to.equal(
      `attachment; filename="${checkId}.csv"; filename*=UTF-8''%C3%9Cn%C3%AFcode%20essay%20-%20passages.csv`,
    );
  });

  it("shortens a passage to what a spreadsheet cell holds, and keeps its offsets", async () => {
    const long = `😀 ${prose(21, 8_000)}`;
    await engine.client.addDocument("long.txt", long);
    const { check_id, sources } = await engine.client.checked(long);
    const response = await engine.client.request(`/v1/checks/${check_id}/passages.csv`);
    const [row = {}] = Rows.parse(parse(await response.text(), { bom: true, columns: true }));
    const text = row.query_text ?? "";
    expect(text.length).to.be.within(CELL_LENGTH_MAX - 3, CELL_LENGTH_MAX);
    expect(long.includes(text.slice(0, -1))).to.equal(true);
    expect(text.at(-1)).to.equal("…");
    expect(row.query_end).to.equal(String(sources[0]?.passages[0]?.query_end));
  });

  it("has only the header for a report without passages", async () => {
    expect(await table("?min_words=1000")).to.deep.equal([]);
  });

  it("answers errors like the report does", async () => {
    const missing = "/v1/checks/01a1fdd2-fc66-74d3-872a-6fcc3985a6fd/passages.csv";
    await expectProblem(await engine.client.request(missing), 404, "check-not-found");
    const wrong = await engine.client.request(pathOf("?min_words=few"));
    await expectProblem(wrong, 422, "invalid-input", ["min_words"]);
  });
});
