import { expect } from "chai";
import fc from "fast-check";

import { sliceBody } from "../../../../src/platform/extract/word/body-slices.ts";
import { readWordXml } from "../../../../src/platform/extract/word/mammoth-text.ts";
import { paragraph, wordPart } from "../made-documents.ts";

function document(...blocks: readonly string[]): string {
  return wordPart("document", `<w:body>${blocks.join("")}</w:body>`);
}

function table(...rows: readonly string[]): string {
  return `<w:tbl>${rows.map((cell) => `<w:tr><w:tc>${cell}</w:tc></w:tr>`).join("")}</w:tbl>`;
}

const DELETED_MARK =
  '<w:p><w:pPr><w:rPr><w:del w:id="1"/></w:rPr></w:pPr><w:r><w:t>runs on </w:t></w:r></w:p>';

describe("sliceBody", () => {
  it("gives documents whose texts in a row are the text of the whole", async () => {
    const block = fc.letrec<{ block: string }>((tie) => ({
      block: fc.oneof(
        { depthSize: "small" },
        fc.nat(999).map((n) => paragraph(`p${n}`)),
        fc.constantFrom(DELETED_MARK + paragraph("on"), "<w:p/>", '<w:p w:rsidR="a>b"/>'),
        fc.array(tie("block"), { minLength: 1, maxLength: 4 }).map((cells) => table(...cells)),
        tie("block").map((inner) => `<w:sdt><w:sdtContent>${inner}</w:sdtContent></w:sdt>`),
        tie("block").map(
          (inner) => `<w:p><w:r><w:pict><w:txbxContent>${inner}</w:txbxContent></w:pict></w:r></w:p>`,
        ),
      ),
    })).block;
    await fc.assert(
      fc.asyncProperty(
        fc.array(block, { maxLength: 8 }),
        fc.integer({ min: 1, max: 400 }),
        async (blocks, size) => {
          const xml = document(...blocks);
          const texts: string[] = [];
          for (const slice of sliceBody(xml, size)) texts.push(await readWordXml({ document: slice }));
          expect(texts.join("")).to.equal(await readWordXml({ document: xml }));
        },
      ),
      { seed: 17, numRuns: 100 },
    );
  });

  it("cuts between blocks and between the rows of a table, and keeps the root of the document", () => {
    const slices = [...sliceBody(document(paragraph("a"), table(paragraph("b"), paragraph("c"))), 1)];
    expect(slices).to.deep.equal([
      document(paragraph("a")),
      document(table(paragraph("b"))),
      document(table(paragraph("c"))),
      document("<w:tbl></w:tbl>"),
      document(),
    ]);
  });

  it("leaves XML that is no document, or is damaged, to its reader", () => {
    for (const xml of ["<w:p>", document("<w:p>", paragraph("a")), document("</w:p>"), "<w:body/>", ""]) {
      expect([...sliceBody(xml, 1)]).to.deep.equal([xml]);
    }
  });
});
