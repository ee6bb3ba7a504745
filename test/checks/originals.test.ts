import { expect } from "chai";
import { CheckList } from "../../src/checks/api/schema.ts";
import { CheckStore } from "../../src/checks/check-store.ts";
import { line, makeDocx, makePdf, paragraph, wordPart } from "../extract/made-documents.ts";
import { EngineClient } from "../support/client.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { MetricsText } from "../support/metrics-text.ts";
import { startTestService } from "../support/service.ts";
import { useEngine } from "../support/use-engine.ts";

const PDF = makePdf({ pages: [line("The keeper carried oil up the stairs every evening.")] });
const WORD_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";

describe("the original files of checks", () => {
  const engine = useEngine();

  it("are kept byte for byte, and named with their type and size by the check and the list", async () => {
    const { check_id } = await engine.client.checkedFile("Schlußaufsatz.pdf", PDF);
    const original = {
      filename: "Schlußaufsatz.pdf",
      media_type: "application/pdf",
      size_bytes: PDF.length,
    } as const;
    expect((await engine.client.check(check_id)).original).to.deep.equal(original);
    const listed = CheckList.parse(await (await engine.client.request("/v1/checks?limit=1")).json());
    expect(listed.items[0]?.original).to.deep.equal(original);
    const renamed = await engine.client.json("PATCH", `/v1/checks/${check_id}`, { title: "Essay" });
    expect(await renamed.json()).to.deep.include({ original });

    const answer = await engine.client.request(`/v1/checks/${check_id}/original`);
    expect(Buffer.from(await answer.arrayBuffer()).equals(PDF)).to.equal(true);
    expect(answer.headers.get("content-type")).to.equal("application/pdf");
    expect(answer.headers.get("content-length")).to.equal(String(PDF.length));
    expect(answer.headers.get("x-content-type-options")).to.equal("nosniff");
    expect(answer.headers.get("content-security-policy")).to.match(/default-src 'none'.*; sandbox$/);
    expect(answer.headers.get("content-disposition"))
      .to.match(/^attachment; filename="[0-9a-f-]{36}"/)
      .and.to.include("filename*=UTF-8''Schlu%C3%9Faufsatz.pdf");
  });

  it("do not exist for texts, and no other file than a Word document is read as HTML", async () => {
    const { check_id: ofText } = await engine.client.checked("A short text.");
    expect((await engine.client.check(ofText)).original).to.equal(null);
    for (const ending of ["original", "original.html"])
      await expectProblem(
        await engine.client.request(`/v1/checks/${ofText}/${ending}`),
        404,
        "original-not-found",
      );
    const { check_id: ofPdf } = await engine.client.checkedFile("a.pdf", PDF);
    await expectProblem(
      await engine.client.request(`/v1/checks/${ofPdf}/original.html`),
      404,
      "original-not-found",
    );
    const unknown = "01a1fdd2-fdd2-707b-bd4c-8ab108c3deaf";
    for (const ending of ["original", "original.html"])
      await expectProblem(
        await engine.client.request(`/v1/checks/${unknown}/${ending}`),
        404,
        "check-not-found",
      );
  });

  it("are read as HTML with headings, lists, tables and notes, and without links and scripts", async () => {
    const script = "&lt;script&gt;alert(1)&lt;/script&gt;";
    const body = [
      `<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>The lamps</w:t></w:r></w:p>`,
      paragraph(script),
      `<w:p><w:r><w:t>Oil burned</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r></w:p>`,
      `<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>HYPERLINK "javascript:alert(2)"</w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>a link</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>`,
      `<w:tbl><w:tr><w:tc>${paragraph("Year")}</w:tc><w:tc>${paragraph("Lamps")}</w:tc></w:tr></w:tbl>`,
      `<w:p><w:r><w:rPr><w:b/></w:rPr><w:t>Bold end.</w:t></w:r></w:p>`,
    ].join("");
    const styles = `<w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/></w:style>`;
    const content = makeDocx({
      body,
      footnotes: `<w:footnote w:id="2">${paragraph("Whale oil.")}</w:footnote>`,
      related: [{ type: "styles", name: "styles.xml", content: wordPart("styles", styles) }],
    });
    const { check_id } = await engine.client.checkedFile("essay.docx", content);
    expect((await engine.client.check(check_id)).original?.media_type).to.equal(WORD_TYPE);
    const answer = await engine.client.request(`/v1/checks/${check_id}/original.html`);
    expect(answer.headers.get("content-type")).to.equal("text/html; charset=utf-8");
    expect(answer.headers.get("content-security-policy")).to.match(/default-src 'none'.*; sandbox$/);
    const html = await answer.text();
    for (const part of [
      "<h1>The lamps</h1>",
      `<p>${script}</p>`,
      "<table><tr><td><p>Year</p></td>",
      "<strong>Bold end.</strong>",
      "Whale oil.",
    ])
      expect(html).to.include(part);
    expect(html).not.to.match(/<script/);
  });

  it("are counted in the metrics, and their sizes fall when checks are deleted", async () => {
    const sum = async () => new CheckStore().originalsSize(engine.database);
    const before = await sum();
    const { check_id } = await engine.client.checkedFile("b.pdf", PDF);
    expect(await sum()).to.equal(before + PDF.length);
    const metrics = await (await engine.client.request("/metrics")).text();
    expect(new MetricsText(metrics).sum("similarity_originals_bytes")).to.equal(before + PDF.length);
    await engine.client.request(`/v1/checks/${check_id}`, { method: "DELETE" });
    expect(await sum()).to.equal(before);
    expect(await new CheckStore().originalContent(engine.database, check_id)).to.equal(undefined);
  });

  it("are not kept with KEEP_ORIGINALS=off, and then the problem says so", async () => {
    const { databaseUrl, opensearchIndexPrefix } = engine.options;
    const other = await startTestService({ databaseUrl, opensearchIndexPrefix, keepOriginals: false });
    try {
      const client = new EngineClient(other.base);
      const { check_id } = await client.checkedFile("c.pdf", PDF);
      expect((await client.check(check_id)).original).to.equal(null);
      const answer = await client.request(`/v1/checks/${check_id}/original`);
      const { detail } = await expectProblem(answer, 404, "original-not-found");
      expect(detail).to.include("KEEP_ORIGINALS");
    } finally {
      await other.stop();
    }
  });
});
