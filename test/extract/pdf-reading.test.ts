import { expect } from "chai";
import { readPdfText } from "../../src/extract/pdf/pdf-text.ts";
import { withoutMargins } from "../../src/text/margins.ts";
import { prose } from "../support/work/prose.ts";
import { typesetPdf } from "../support/work/typeset-pdf.ts";
import { makePdf } from "./made-documents.ts";

const TEXT_CHARS_MAX = 100_000;
const PAGE = "#set page(width: 130mm, height: 160mm)\n#set par(justify: true)\n";
const PARAGRAPHS = [1, 2, 3].map((seed) => longSentence(seed, 140));

/** A paragraph of one sentence: where a line ends with a sentence, a paragraph may end too. */
function longSentence(seed: number, words: number): string {
  const text = prose(seed, words);
  return (
    text.charAt(0) +
    text
      .slice(1)
      .toLowerCase()
      .replaceAll(/\.(?= )/g, ",")
  );
}

/** What was read of a PDF, without its margins, and each of these. */
async function read(bytes: Uint8Array) {
  const { text, margins } = await readPdfText(bytes, TEXT_CHARS_MAX);
  return {
    body: withoutMargins(text, margins),
    margins: margins.map(({ start, end }) => text.slice(start, end)),
  };
}

/** The paragraphs of a text that are longer than a line. */
function paragraphsOf(text: string): string[] {
  return text
    .split(/\n+/)
    .map((one) => one.trim())
    .filter((one) => one.length > 100);
}

function firstAndRest(text: string, words: number): readonly [first: string, rest: string] {
  const all = text.split(" ");
  return [all.slice(0, words).join(" "), all.slice(words).join(" ")];
}

describe("the numbers of lines in a PDF", () => {
  const every = '#set par.line(numbering: "1")\n';
  const everyFifth = '#set par.line(numbering: n => if calc.rem(n, 5) == 0 [#n], numbering-scope: "page")\n';

  it("are margins of their page, and divide no paragraph", async () => {
    const { body, margins } = await read(typesetPdf(PAGE + every + PARAGRAPHS.join("\n\n")));
    expect(paragraphsOf(body)).to.deep.equal(PARAGRAPHS);
    const numbers = margins.join(" ").split(" ").map(Number);
    expect(numbers).to.deep.equal(numbers.map((_, at) => at + 1));
    expect(numbers.length).to.be.above(50);
    expect(body).not.to.match(/\d/);
  });

  it("may number every fifth line, begin anew on each page, and be few on the last one", async () => {
    const { body, margins } = await read(typesetPdf(PAGE + everyFifth + PARAGRAPHS.join("\n\n")));
    expect(paragraphsOf(body)).to.deep.equal(PARAGRAPHS);
    expect(margins[0]).to.equal(margins[1]);
    expect(margins[0]).to.match(/^5 10 15 20\b/);
    expect(margins.at(-1)).to.equal("5 10");
    expect(body).not.to.match(/\d/);
  });

  it("stand at the outer sides of two columns", async () => {
    const bytes = typesetPdf(
      `${PAGE}#set page(width: 200mm, columns: 2)\n${every}${PARAGRAPHS.join("\n\n")}`,
    );
    const { body, margins } = await read(bytes);
    expect(paragraphsOf(body)).to.deep.equal(PARAGRAPHS);
    expect(margins.join(" ").split(" ").length).to.be.above(50);
  });

  it("are not the numbers of a table, whether other text is on its page or not", async () => {
    const rows = Array.from({ length: 18 }, (_, at) => `[${at + 1}], [District of the north], [${3 * at}],`);
    const table = `#table(columns: 3, stroke: none, ${rows.join(" ")})\n`;
    for (const markup of [table, `${PARAGRAPHS[0]}\n\n${table}`]) {
      const { body, margins } = await read(typesetPdf(PAGE + markup));
      expect(margins).to.deep.equal([]);
      for (const number of [1, 17, 18, 51]) expect(body).to.match(new RegExp(`\\b${number}\\b`));
    }
  });

  it("are not those of paragraphs, nor of pages in a table of contents", async () => {
    const numbered = Array.from(
      { length: 8 },
      (_, at) => `#grid(columns: (10mm, 1fr), [${at + 1}], [${prose(20 + at, 30)}])\n`,
    );
    expect((await read(typesetPdf(PAGE + numbered.join("\n")))).margins).to.deep.equal([]);
    const chapters = Array.from({ length: 6 }, (_, at) => `= ${prose(30 + at, 6)}\n#pagebreak()\n`);
    const { body } = await read(typesetPdf(`${PAGE}#outline()\n${chapters.join("")}`));
    expect(body.match(/(?:\. ?){4} ?\d$/gm)).to.have.length(6);
  });
});

describe("a paragraph of a PDF", () => {
  const [first = "", second = "", third = ""] = PARAGRAPHS;
  const [begin, end] = firstAndRest(first, 60);
  const footnote = longSentence(9, 30);

  it("goes on behind a footnote on the next page and in the next column", async () => {
    for (const columns of [1, 2]) {
      const page = `#set page(width: 130mm, height: 75mm, columns: ${columns})\n`;
      const markup = `${page}${begin}#footnote[${footnote}] ${end}\n\n${second}`;
      const { body } = await read(typesetPdf(markup));
      expect(paragraphsOf(body)).to.have.members([`${begin}1 ${end}`, `1${footnote}`, second]);
    }
  });

  it("goes on behind a figure and a table at the top of the next page", async () => {
    const figure =
      "#figure(placement: top, table(columns: 2, [name], [years], [Ada], [twelve]), caption: [The keepers of the north])\n";
    const page = "#set page(width: 130mm, height: 100mm)\n";
    const { body } = await read(typesetPdf(`${page}${first}\n${figure}\n${second}\n\n${third}`));
    expect(paragraphsOf(body)).to.include.members([first, second, third]);
    expect(body).to.include("Ada");
    expect(body).to.include("The keepers of the north");
  });

  it("hangs below its first line, as a reference does", async () => {
    const references = [11, 12, 13].map((seed) => longSentence(seed, 60));
    const { body } = await read(
      typesetPdf(`${PAGE}#set par(hanging-indent: 2em, spacing: 0.65em)\n${references.join("\n\n")}`),
    );
    expect(paragraphsOf(body)).to.deep.equal(references);
  });

  it("goes on below a note that is drawn after one of its lines", async () => {
    const draw = (text: string, x: number, y: number, size: number) =>
      `BT /F1 ${size} Tf ${x} ${y} Td (${text}) Tj ET\n`;
    const lines = [
      "The keeper of the lighthouse climbed the stairs each",
      "evening with a bucket of oil in either hand, and came",
      "down again only when the sun had risen over the bay,",
      "as his father had, and the father of his father too.",
    ];
    const drawn = lines.map((line, at) => draw(line, 72, 700 - 13 * at, 11));
    const note = ["Compare the", "second part"].map((line, at) => draw(line, 380, 687 - 9 * at, 8));
    drawn.splice(2, 0, ...note);
    const { body } = await read(makePdf({ pages: [drawn.join("")] }));
    expect(body.replaceAll(/ +/g, " "))
      .to.include(lines.join(" "))
      .and.to.match(/Compare the second part/);
  });
});

describe("lines of a PDF that are no text in sentences", () => {
  const [before, after] = firstAndRest(PARAGRAPHS[0] ?? "", 60);

  it("stay lines in a listing, a table and a table of contents", async () => {
    const listing = ["for name in keepers", "light the lamp of the keeper", "wait until the sun rises"];
    const { body } = await read(
      typesetPdf(`${PAGE}${before}\n\n\`\`\`\n${listing.join("\n")}\n\`\`\`\n\n${after}`),
    );
    expect(body).to.include(`\n${listing.join("\n")}\n`);
    const table =
      "#table(columns: (1fr, 1fr), [name], [years of service], [Ada], [twelve of them], [Berta], [seven])";
    expect((await read(typesetPdf(`${PAGE}${before}\n\n${table}\n\n${after}`))).body).to.include(
      "\nname\tyears of service\nAda\ttwelve of them\nBerta\tseven\n",
    );
  });

  it("are sentences if the whole text is in letters of the same width", async () => {
    const { body } = await read(
      typesetPdf(`${PAGE}#set text(font: "DejaVu Sans Mono", size: 9pt)\n${PARAGRAPHS.join("\n\n")}`),
    );
    expect(paragraphsOf(body)).to.deep.equal(PARAGRAPHS);
  });

  it("are margins as headers that change from page to page", async () => {
    const titles = ["lamps", "oil", "stairs", "ships"].map((word) => `On ${word}`);
    const header = `context ((${titles.map((title) => `"${title}"`).join(", ")}).at(here().page() - 1))`;
    const pages = [41, 42, 43, 44].map((seed) => longSentence(seed, 150));
    const { body, margins } = await read(
      typesetPdf(
        `#set page(width: 150mm, height: 200mm, header: ${header})\n${pages.join("\n#pagebreak()\n")}`,
      ),
    );
    expect(margins).to.deep.equal(titles);
    expect(paragraphsOf(body)).to.deep.equal(pages);
  });
});
