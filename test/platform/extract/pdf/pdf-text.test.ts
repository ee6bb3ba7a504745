import { expect } from "chai";

import { readPdfText } from "../../../../src/platform/extract/pdf/pdf-text.ts";
import { line, makePdf } from "../made-documents.ts";

async function read(parts: Parameters<typeof makePdf>[0]): Promise<string> {
  return readPdfText(makePdf(parts), 100_000);
}

/** The dictionary of an annotation that is printed (flag 4) unless other flags are given. */
function annotation(entries: string, flags = 4): string {
  return `<</Type/Annot/Rect[100 100 300 200]/F ${flags}${entries}>>`;
}

describe("readPdfText", () => {
  it("reads rotated text in lines, like upright text", async () => {
    const rotated =
      "BT /F1 12 Tf 0 1 -1 0 300 100 Tm (Turned by a) Tj ( quarter) Tj 0 -14 Td (second line) Tj ET";
    expect(await read({ pages: [rotated] })).to.equal("Turned by a quarter\nsecond line");
  });

  it("reads the values of form fields and what was typed onto the page, behind the page's text", async () => {
    const annotations = [
      annotation("/Subtype/Widget/FT/Tx/T(name)/V(Ada Lovelace)"),
      annotation(
        "/Subtype/Widget/FT/Ch/Ff 131072/T(country)/V(uk)/Opt[[(fr)(France)][(uk)(United Kingdom)]]",
      ),
      annotation("/Subtype/FreeText/DA(/Helv 12 Tf 0 g)/Contents(typed on)/AP<<>>"),
    ].join("");
    const text = await read({ pages: [line("The form")], annotations });
    expect(text).to.equal("The form\ntyped on\nAda Lovelace\nUnited Kingdom");
  });

  it("reads a field that stands on several pages once", async () => {
    const annotations = annotation("/Subtype/Widget/FT/Tx/T(name)/V(Ada)");
    expect(await read({ pages: [line("one"), line("two")], annotations })).to.equal("one\nAda\n\ntwo");
  });

  it("reads no comments, no buttons, no passwords and nothing hidden", async () => {
    const annotations = [
      annotation("/Subtype/Text/Contents(a note by the examiner)"),
      annotation("/Subtype/Highlight/QuadPoints[100 200 300 200 100 100 300 100]/Contents(please rephrase)"),
      annotation("/Subtype/Widget/FT/Btn/T(button)/V/Yes"),
      annotation("/Subtype/Widget/FT/Tx/Ff 8192/T(password)/V(secret)"),
      annotation("/Subtype/Widget/FT/Tx/T(hidden)/V(hidden)", 2),
    ].join("");
    expect(await read({ pages: [line("The page")], annotations })).to.equal("The page");
  });

  it("reads all pages of a long document, in order", async () => {
    const pages = Array.from({ length: 250 }, (_, i) => line(`Page text ${i}`));
    expect(await read({ pages })).to.equal(pages.map((_, i) => `Page text ${i}`).join("\n\n"));
  });
});
