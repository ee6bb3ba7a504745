import { expect } from "chai";
import { parse as parseCsv } from "csv-parse/sync";
import { CheckList } from "../../src/checks/api/schema.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { useEngine } from "../support/use-engine.ts";
import { prose } from "../support/work/prose.ts";

describe("GET /v1/checks and /v1/checks.csv: sorted and selected by score", () => {
  const engine = useEngine({ roles: ["engine"] });

  /** Titles in the order of submission, with the number of words and the share that matches. */
  const checks = [
    { title: "A", words: 30, share: 0.5 },
    { title: "B", words: 10, share: undefined },
    { title: "C", words: 30, share: 0.125 },
    { title: "D", words: 20, share: 0.5 },
    { title: "E", words: 40, share: 0 },
  ] as const;

  before(async () => {
    for (const [at, { title, words, share }] of checks.entries()) {
      const checkId = await engine.client.submit(prose(at, words), { title });
      if (share === undefined) continue;
      await engine.database.query(
        `update checks set status = 'complete', coverage = 'full', completed_at = now(), char_count = 8000,
                total_matched_chars = 8000 * $2::numeric where check_id = $1`,
        [checkId, share],
      );
    }
  });

  async function titles(query: string): Promise<string> {
    const response = await engine.client.request(`/v1/checks?${query}`);
    return CheckList.parse(await response.json())
      .items.map(({ title }) => title)
      .join("");
  }

  async function table(query = ""): Promise<{ text: string; rows: Record<string, string>[] }> {
    const response = await engine.client.request(`/v1/checks.csv?${query}`);
    expect(response.status).to.equal(200);
    expect(response.headers.get("Content-Type")).to.equal("text/csv; charset=utf-8; header=present");
    expect(response.headers.get("Content-Disposition")).to.equal('attachment; filename="checks.csv"');
    const bytes = Buffer.from(await response.arrayBuffer());
    return { text: bytes.toString(), rows: parseCsv(bytes, { columns: true, bom: true }) };
  }

  const ORDERS = {
    "": "EDCBA",
    "sort=date&order=asc": "ABCDE",
    "sort=score": "DACEB",
    "sort=score&order=asc": "ECADB",
    "sort=words": "ECADB",
    "sort=words&order=asc": "BDACE",
    "sort=score&status=pending": "B",
    "score_min=12.5": "DCA",
    "score_min=12.51&sort=date&order=asc": "AD",
    "score_max=12.5&sort=score&order=asc": "EC",
    "score_min=0&score_max=0": "E",
    "score_max=1.401298464324817e-45": "E",
    "score_min=50.1": "",
  };

  it("sorts by date, score and words, those without a score last, and selects by score", async () => {
    for (const [query, expected] of Object.entries(ORDERS))
      expect(await titles(query), query).to.equal(expected);
  });

  it("has the same rows in the same order as CSV", async () => {
    for (const [query, expected] of Object.entries(ORDERS)) {
      const { rows } = await table(query);
      expect(rows.map(({ display_title: title }) => title).join(""), query).to.equal(expected);
    }
    const [first] = (await table("sort=score")).rows;
    expect(first).to.include({ overall_similarity_pct: "50", status: "complete", coverage: "full" });
  });

  it("pages without repeating or missing one of several equal rows", async () => {
    for (const sort of ["score", "words"]) {
      const pages = [];
      for (let offset = 0; offset < checks.length; offset++)
        pages.push(await titles(`sort=${sort}&limit=1&offset=${offset}`));
      expect(pages.join("")).to.equal(await titles(`sort=${sort}`));
    }
  });

  it("writes CSV for Excel, with harmless cells and the first words of texts without a title", async () => {
    await engine.client.submit("Lighthouses guide ships.\nThey stand at the coast.", { title: "=1+1" });
    await engine.client.submit("Lighthouses guide ships.\nThey stand at the coast.");
    const { text, rows } = await table("title=guide+ships.+they");
    expect(text.startsWith("\ufeffcheck_id,display_title,")).to.equal(true);
    expect(rows.map(({ display_title: title }) => title)).to.deep.equal([
      "Lighthouses guide ships. They stand at the coast.",
    ]);
    expect((await table("title=1%2B1")).rows[0]).to.include({ display_title: "'=1+1" });
  });

  it("exports more rows than it reads at a time", async () => {
    await engine.database.query(
      `insert into checks (check_id, title, language, language_origin, page_margins, template_spans, query_text, query_text_preview, char_count, word_count)
       select gen_random_uuid(), 'Copy ' || number, 'en', 'stated', '{}', '{}', 'x', 'x', 1, number from generate_series(1, 1201) as number`,
    );
    const { rows } = await table("title=copy&sort=words&order=asc");
    expect(rows.map(({ word_count: words }) => Number(words))).to.deep.equal(
      Array.from({ length: 1201 }, (_, at) => at + 1),
    );
  });

  it("422 for an order, a key and bounds that do not exist", async () => {
    const faults = {
      "sort=title": "sort",
      "order=up": "order",
      "score_min=101": "score_min",
      "score_max=-1": "score_max",
      "score_min=": "score_min",
      "score_min=1e1": "score_min",
    };
    for (const [query, field] of Object.entries(faults)) {
      for (const path of ["/v1/checks", "/v1/checks.csv"])
        await expectProblem(await engine.client.request(`${path}?${query}`), 422, "invalid-input", [field]);
    }
  });
});
