import { expect } from "chai";
import { layOut } from "../../src/extract/pdf/pdf-layout.ts";
import type { Page, PageLine } from "../../src/extract/pdf/pdf-lines.ts";
import { readPdfText } from "../../src/extract/pdf/pdf-text.ts";
import { blankMargins, withoutMargins } from "../../src/text/margins.ts";
import { makePdf } from "./made-documents.ts";

const CHARACTER = 5;

/** A line of 10-point text whose first letter stands at `left` and whose letters stand at `baseline`. */
function lineAt(text: string, left: number, baseline: number, height = 10): PageLine {
  return { text, place: { left, right: left + text.length * CHARACTER, baseline, height } };
}

/** Lines under each other, from `top` down. */
function column(texts: readonly string[], left = 72, top = 700): PageLine[] {
  return texts.map((text, at) => lineAt(text, left, top - 12 * at));
}

function page(lines: readonly PageLine[]): Page {
  return { lines, bottom: 0, height: 792 };
}

const FULL = [
  "The keeper of the lighthouse climbed the stairs each",
  "evening with a bucket of oil in either hand, and came",
  "down again only when the sun had risen over the bay.",
];

describe("the layout of a PDF's pages", () => {
  it("makes one line of a paragraph, and a blank line between paragraphs", () => {
    const lines = column([...FULL.slice(0, 2), "down again at dawn.", ...FULL]);
    expect(layOut([page(lines)]).text).to.equal(
      `${FULL.slice(0, 2).join(" ")} down again at dawn.\n\n${FULL.join(" ")}`,
    );
  });

  it("begins a paragraph at an indented line, and an item of a list at its sign", () => {
    const [first = "", second = "", third = ""] = FULL;
    const indented = [...column([first, second]), lineAt(third, 90, 676), lineAt(first, 72, 664)];
    expect(layOut([page(indented)]).text).to.equal(`${first} ${second}\n\n${third} ${first}`);
    const listed = column([`1. ${first}`, `2. ${second}`, `• ${third}`]);
    expect(layOut([page(listed)]).text.split(/\n+/)).to.have.length(3);
  });

  it("keeps the line end after a hyphen, and lines of tables, of other sizes and at other distances apart", () => {
    const hyphenated = column([
      "The light was seen by every ship that passed the penin-",
      "sula, and by the fishermen in all of the villages there",
    ]);
    expect(layOut([page(hyphenated)]).text).to.include("penin-\nsula");
    const cells = column(["name\tyears of service", "Ada\ttwelve of them"]);
    expect(layOut([page(cells)]).text).to.equal("name\tyears of service\nAda\ttwelve of them");
    const heading = [lineAt("The lighthouse at night", 72, 720, 16), ...column(FULL, 72, 690)];
    expect(layOut([page(heading)]).text).to.equal(`The lighthouse at night\n\n${FULL.join(" ")}`);
  });

  it("reads column after column where they are drawn row by row, below a title over both", () => {
    const texts = Array.from(
      { length: 8 },
      (_, at) => [`left ${at} `.repeat(4), `right ${at} `.repeat(4)] as const,
    );
    const rows = texts.flatMap(([left, right], at) => [
      lineAt(left, 72, 680 - 12 * at),
      lineAt(right, 330, 680 - 12 * at),
    ]);
    const { text } = layOut([
      page([lineAt("A title that stands over both of the columns of this page", 72, 720), ...rows]),
    ]);
    expect(text.startsWith("A title")).to.equal(true);
    expect(text.indexOf("left 7")).to.be.below(text.indexOf("right 0"));
  });

  it("goes on in the next column with a paragraph that columns divide", () => {
    const lines = [
      ...column(Array.from({ length: 8 }, () => "left ".repeat(9))),
      ...column(
        Array.from({ length: 8 }, () => "right ".repeat(8)),
        330,
      ),
    ];
    expect(layOut([page(lines)]).text).to.match(/^(left )+(right )+$/);
  });

  describe("of several pages", () => {
    const body = (number: number) =>
      column([...FULL, ...FULL, `and this is how page ${number} of the book came to its own`], 72, 680);
    const pages = [1, 2, 3, 4].map((number) =>
      page([lineAt("Lighthouses of the north", 72, 760), ...body(number), lineAt(String(number), 300, 30)]),
    );
    const { text, margins } = layOut(pages);

    it("names headers and page numbers, which stay in the text", () => {
      const named = margins.map(({ start, end }) => text.slice(start, end));
      expect(named.join(" ").match(/Lighthouses of the north/g)).to.have.length(4);
      for (const number of ["1", "2", "3", "4"]) expect(named.join(" ").split(/\s+/)).to.include(number);
      expect(text.match(/Lighthouses of the north/g)).to.have.length(4);
    });

    it("goes on with a paragraph on the next page", () => {
      expect(withoutMargins(text, margins)).to.include("page 1 of the book came to its own The keeper");
      const compared = blankMargins(text, margins);
      expect(compared).to.have.length(text.length);
      expect(compared)
        .to.match(/page 1 of the book came to its own\s+The keeper/)
        .and.not.to.include("north");
      expect(compared).not.to.match(/page 1 of the book came to its own\s*\n/);
    });

    it("takes no line for a header that a page of few lines repeats, or that stands in the middle", () => {
      const short = [1, 2, 3].map((number) => page([lineAt(`Page text ${number}`, 72, 760)]));
      expect(layOut(short).margins).to.deep.equal([]);
      const refrain = [1, 2, 3].map((number) =>
        page(column([...FULL, "and so it went on", ...FULL.map((line) => line + number)], 72, 500)),
      );
      expect(layOut(refrain).margins).to.deep.equal([]);
    });
  });

  it("joins a word that the end of a page divides", () => {
    const pages = [1, 2, 3].map(() =>
      page([
        lineAt("A header", 72, 760),
        ...column(
          [
            "sula, where the light was seen by all of the fishermen,",
            ...FULL,
            "and by every ship that passed at night the long penin-",
          ],
          72,
          680,
        ),
      ]),
    );
    const { text, margins } = layOut(pages);
    expect(withoutMargins(text, margins)).to.include("penin-\nsula");
    expect(blankMargins(text, margins)).to.match(/penin-\n\s*sula/);
  });

  it("is read from a file", async () => {
    const draw = (text: string, x: number, y: number) => `BT /F1 10 Tf ${x} ${y} Td (${text}) Tj ET\n`;
    const content = (number: number) =>
      draw("Journal of lamps", 72, 765) +
      [...FULL, ...FULL].map((text, at) => draw(text, 72, 700 - 12 * at)).join("") +
      draw(`Page ${number}`, 280, 30);
    const { text, margins } = await readPdfText(makePdf({ pages: [1, 2, 3].map(content) }), 100_000);
    expect(withoutMargins(text, margins)).not.to.match(/Journal|Page/);
    expect(withoutMargins(text, margins)).to.include(FULL.join(" "));
  });
});
