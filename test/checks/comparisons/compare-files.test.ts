import { expect } from "chai";
import { ComparisonAnswer } from "../../../src/checks/comparisons/api/schema.ts";
import { makeDocx, makePdf, paragraph } from "../../extract/made-documents.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import { useEngine } from "../../support/use-engine.ts";
import { PAGED_HEADER, pagedPdf } from "../../support/work/paged-pdf.ts";
import { prose } from "../../support/work/prose.ts";
import { expectComparisonLaws, sidesOf } from "./comparison-laws.ts";

type CompareFilesParts = Readonly<
  Record<string, string | { readonly name: string; readonly content: string | Buffer }>
>;

describe("POST /v1/comparisons/upload", () => {
  const engine = useEngine();
  const copied = prose(821, 60);
  const query = `${prose(822, 30)} ${copied}`;
  const source = `${copied} ${prose(823, 30)}`;

  function send(parts: CompareFilesParts, selection = ""): Promise<Response> {
    const form = new FormData();
    for (const [name, part] of Object.entries(parts)) {
      if (typeof part === "string") form.append(name, part);
      else form.append(name, new Blob([Uint8Array.from(Buffer.from(part.content))]), part.name);
    }
    return engine.client.request(`/v1/comparisons/upload${selection}`, { method: "POST", body: form });
  }

  async function compared(parts: CompareFilesParts) {
    const response = await send(parts);
    expect(response.status).to.equal(200);
    const comparison = ComparisonAnswer.parse(await response.json());
    expectComparisonLaws(comparison);
    return comparison;
  }

  const docx = { name: "essay.docx", content: Buffer.from(makeDocx({ body: paragraph(query) })) };
  const txt = { name: "source.txt", content: source };

  it("compares two files of different types, and names them", async () => {
    const comparison = await compared({ query_file: docx, source_file: txt });
    expect([comparison.query.filename, comparison.source.filename]).to.deep.equal([
      "essay.docx",
      "source.txt",
    ]);
    expect(comparison.source.text).to.equal(source);
    expect(comparison.passages.map((passage) => sidesOf(comparison, passage)[0].trim())).to.deep.equal([
      copied,
    ]);
  });

  it("compares a file with a text, on either side", async () => {
    const one = await compared({ query_file: docx, source_text: source });
    expect([one.query.filename, one.source.filename]).to.deep.equal(["essay.docx", null]);
    const other = await compared({ query_text: query, source_file: txt, language: "de" });
    expect([other.query.filename, other.source.filename]).to.deep.equal([null, "source.txt"]);
    expect(other.query.language).to.equal("de");
    expect(other.passages).to.have.length(1);
  });

  it("keeps what the text of a document may hold: 500,000 characters of four bytes, and U+FFFD", async () => {
    const text = `\ufffd${"\u{1d11e}".repeat(499_999)}`;
    const comparison = await compared({ query_text: text, source_file: txt });
    expect(comparison.query.text).to.equal(text);
  }).timeout(120_000);

  it("leaves out headers and page numbers of a PDF on both sides, and names them", async () => {
    const pdf = { name: "a.pdf", content: pagedPdf(prose(824, 300), 12) };
    const comparison = await compared({ query_file: pdf, source_file: { ...pdf, name: "b.pdf" } });
    for (const side of [comparison.query, comparison.source]) {
      const margins = side.page_margins.map(([start, end]) => side.text.slice(start, end)).join("");
      expect(margins).to.include("Page 2");
      expect(margins.split(PAGED_HEADER)).to.have.length(side.text.split(PAGED_HEADER).length);
    }
    expect(comparison.passages).to.have.length(1);
  });

  it("is 422 when a side is missing, given twice, or given as file and as text", async () => {
    const cases: [CompareFilesParts, string][] = [
      [{ query_file: docx }, "source_file"],
      [{ source_text: source }, "query_file"],
      [{ query_file: docx, query_text: query, source_file: txt }, "query_text"],
      [{ query_file: query, source_file: txt }, "query_file"],
      [{ query_file: docx, source_file: txt, source_language: "xx1" }, "source_language"],
    ];
    for (const [parts, field] of cases) {
      await expectProblem(await send(parts), 422, "invalid-input", [field]);
    }
  });

  it("says which of two files can't be read, and why", async () => {
    const png = { name: "scan.png", content: Buffer.from("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "latin1") };
    const refused = await expectProblem(
      await send({ query_file: docx, source_file: png }),
      415,
      "unsupported-file-type",
    );
    expect(refused.detail).to.match(/^scan\.png: /);
    const scan = { name: "scan.pdf", content: Buffer.from(makePdf({ pages: ["0 0 100 100 re f"] })) };
    const empty = await expectProblem(
      await send({ query_file: scan, source_file: txt }),
      422,
      "no-extractable-text",
    );
    expect(empty.detail).to.match(/^scan\.pdf: /);
  });

  it("is 413 for a file over 10 MiB and 415 for another content type", async () => {
    const large = { name: "large.txt", content: "x".repeat(10 * 1024 * 1024 + 1) };
    await expectProblem(await send({ query_file: docx, source_file: large }), 413, "body-too-large");
    const json = await engine.client.json("POST", "/v1/comparisons/upload", { query_text: "a" });
    await expectProblem(json, 415, "unsupported-media-type");
  });
});
