import { expect } from "chai";
import fc from "fast-check";

import { readBlocks, sliceBlocks } from "../../../src/extract/word/word-blocks.ts";
import { paragraph } from "../made-documents.ts";

function table(...rows: readonly string[]): string {
  return `<w:tbl>${rows.map((cell) => `<w:tr><w:tc>${cell}</w:tc></w:tr>`).join("")}</w:tbl>`;
}

const DELETED_MARK =
  '<w:p><w:pPr><w:rPr><w:del w:id="1"/></w:rPr></w:pPr><w:r><w:t>runs on </w:t></w:r></w:p>';

describe("sliceBlocks", () => {
  it("gives slices whose texts in a row are the text of the whole", async () => {
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
          const xml = blocks.join("");
          const texts: string[] = [];
          for (const slice of sliceBlocks(xml, size)) texts.push(await readBlocks(slice));
          expect(texts.join("")).to.equal(await readBlocks(xml));
        },
      ),
      { seed: 17, numRuns: 100 },
    );
  });

  it("cuts between blocks and between the rows of a table", () => {
    const slices = [...sliceBlocks(paragraph("a") + table(paragraph("b"), paragraph("c")), 1)];
    expect(slices).to.deep.equal([
      paragraph("a"),
      table(paragraph("b")),
      table(paragraph("c")),
      "<w:tbl></w:tbl>",
      "",
    ]);
  });

  it("leaves XML whose tags are not balanced to its reader", () => {
    for (const xml of [`<w:p>${paragraph("a")}`, `${paragraph("a")}</w:p>`, "<w:p>", "</w:tbl>"]) {
      expect([...sliceBlocks(xml, 1)]).to.deep.equal([xml]);
    }
  });
});
