import { expect } from "chai";
import fc from "fast-check";

import type { TextItem } from "../../src/extract/pdf/pdf-lines.ts";
import { drawnLines } from "../../src/extract/pdf/pdf-lines.ts";
import { readPdfText } from "../../src/extract/pdf/pdf-text.ts";
import { line, makePdf } from "./made-documents.ts";

async function read(parts: Parameters<typeof makePdf>[0]): Promise<string> {
  return (await readPdfText(makePdf(parts), 100_000)).text;
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

/** A piece of 10-point text at `x`, `y`, as wide as given, turned by `degrees` around the page's corner. */
function item(str: string, x: number, y: number, width: number, degrees = 0): TextItem {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  const place = [x * cos - y * sin, x * sin + y * cos];
  const transform = [10 * cos, 10 * sin, -10 * sin, 10 * cos, ...place];
  return { str, transform, width, height: 10, hasEOL: false, dir: "ltr", fontName: "f" };
}

const joinTextItems = (items: readonly TextItem[]) =>
  drawnLines(items)
    .map(({ text }) => text)
    .join("\n");

describe("drawnLines", () => {
  it("joins what stands close together, and keeps cells and lines apart", () => {
    const items = [
      item("one", 0, 700, 20),
      item(" two", 20, 700, 20),
      item("cell", 90, 700, 20),
      item("below", 0, 686, 20),
      item("2", 20, 691, 4), // a superscript
    ];
    expect(joinTextItems(items)).to.equal("one two\tcell\nbelow2");
  });

  it("divides text that is drawn over other text", () => {
    expect(joinTextItems([item("first", 0, 700, 60), item("second", 0, 700, 60)])).to.equal("first\tsecond");
  });

  it("trusts the line ends that are marked", () => {
    const items = [{ ...item("one", 0, 700, 20), hasEOL: true }, item("two", 0, 600, 20)];
    expect(joinTextItems(items)).to.equal("one\ntwo");
  });

  it("begins a line where the direction changes", () => {
    expect(joinTextItems([item("across", 0, 0, 30), item("up", 0, -30, 10, 90)])).to.equal("across\nup");
  });

  it("reads the same at any angle", () => {
    const place = fc.record({ x: fc.nat(50), y: fc.nat(50), width: fc.integer({ min: 1, max: 30 }) });
    fc.assert(
      fc.property(fc.array(place), fc.integer({ min: 1, max: 359 }), (places, degrees) => {
        // Halves keep every distance away from the thresholds, which rounding would blur.
        const turned = (angle: number) =>
          places.map(({ x, y, width }, i) =>
            item(String(i), x * 3 + 0.5, y * 3 + 0.5, width * 3 + 0.25, angle),
          );
        expect(joinTextItems(turned(degrees))).to.equal(joinTextItems(turned(0)));
      }),
      { seed: 5, numRuns: 200 },
    );
  });
});
