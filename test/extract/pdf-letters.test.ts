import { expect } from "chai";
import { readPdfText } from "../../src/extract/pdf/pdf-text.ts";
import { makePdf } from "./made-documents.ts";

async function read(pages: string | readonly string[], parts: { font?: string; resources?: string } = {}) {
  return readPdfText(makePdf({ pages: [pages].flat(), ...parts }), 100_000);
}

async function textOf(content: string): Promise<string> {
  return (await read(content)).text.replaceAll(/[^\S\n]+/g, " ");
}

/** Letters of the same width, 6 points at 10, each drawn at its own place. */
const COURIER = "<</Type/Font/Subtype/Type1/BaseFont/Courier/Encoding/WinAnsiEncoding>>";

function letters(text: string, place: (at: number) => readonly [x: number, y: number]): string[] {
  return Array.from(text, (letter, at) => {
    const [x, y] = place(at);
    return letter === " " ? "" : `BT /F1 10 Tf ${x} ${y} Td (${letter}) Tj ET`;
  });
}

describe("readPdfText reads letters as they are seen", () => {
  const sentence = "The foundry cast its last bell in autumn";

  it("drawn twice: each letter, each word, or the whole line", async () => {
    const once = letters(sentence, (at) => [72 + 6 * at, 700]);
    const twice = letters(sentence, (at) => [72.4 + 6 * at, 700]);
    const byLetter = once.flatMap((one, at) => [one, twice[at]]).join("\n");
    const byLine = [...once, ...twice].join("\n");
    for (const content of [byLetter, byLine])
      expect((await read(content, { font: COURIER })).text).to.equal(sentence);
    const words = "BT /F1 12 Tf 72 700 Td (bell tower) Tj ET BT /F1 12 Tf 72.3 700 Td (bell tower) Tj ET";
    expect(await textOf(words)).to.equal("bell tower");
  });

  it("but not letters that stand twice beside each other, nor a line that is repeated below", async () => {
    expect(await textOf("BT /F1 12 Tf 72 700 Td (illlliw bookkeeper) Tj ET")).to.equal("illlliw bookkeeper");
    const lines = "BT /F1 12 Tf 72 700 Td (the same line) Tj 0 -14 Td (the same line) Tj ET";
    expect(await textOf(lines)).to.match(/the same line\s+the same line/);
  });

  it("spaced apart by the file, or by their places", async () => {
    for (const spacing of [1, 1.8, 3, 5])
      expect(await textOf(`BT /F1 12 Tf ${spacing} Tc 72 700 Td (The bell rang) Tj ET`)).to.equal(
        "The bell rang",
      );
    const spaced = letters(sentence, (at) => [72 + 8 * at, 700]).join("\n");
    expect((await read(spaced, { font: COURIER })).text).to.equal(sentence);
  });

  it("in any order, within a line and on the page", async () => {
    const inLine = letters(sentence, (at) => [72 + 6 * at, 700]);
    const reversed = inLine.toReversed().join("\n");
    expect((await read(reversed, { font: COURIER })).text).to.equal(sentence);
    const lines = [sentence, "It was tuned by shaving metal inside", "and its note was heard in the valley"];
    const all = lines.flatMap((one, row) => letters(one, (at) => [72 + 6 * at, 700 - 14 * row]));
    const shuffled = all
      .map((one, at) => [(at * 7919) % all.length, one] as const)
      .toSorted(([a], [b]) => a - b);
    const { text } = await read(shuffled.map(([, one]) => one).join("\n"), { font: COURIER });
    expect(text.replaceAll(/\s+/g, " ")).to.equal(lines.join(" "));
  });

  it("spaced apart one by one, with spaces between the words", async () => {
    for (const gap of [1.5, 2, 3, 4]) {
      const places = Array.from(sentence, (letter, at) => {
        return `BT /F1 10 Tf ${72 + (6 + gap) * at} 700 Td (${letter}) Tj ET`;
      });
      expect((await read(places.join("\n"), { font: COURIER })).text).to.equal(sentence);
      const moved = Array.from(sentence, (letter) => `(${letter})${-100 * gap}`).join("");
      const content = `BT /F1 10 Tf 72 700 Td [${moved}] TJ ET`;
      expect((await read(content, { font: COURIER })).text).to.equal(sentence);
    }
  });

  it("spaced apart, with a number among them, and drawn word by word", async () => {
    const numbered = "It cast bells in 1911, and a few in 1926";
    const spaced = letters(numbered, (at) => [72 + 8 * at, 700]).join("\n");
    expect((await read(spaced, { font: COURIER })).text).to.equal(numbered);
    let x = 72;
    const byWord = numbered.split(" ").map((word) => {
      const drawn = `BT 2 Tc /F1 10 Tf ${x} 700 Td (${word}) Tj ET`;
      x += 8 * (word.length + 1);
      return drawn;
    });
    expect((await read(byWord.join("\n"), { font: COURIER })).text).to.equal(numbered);
  });

  /** Lines whose letters have more than ten different places in each. */
  const lines = Array.from({ length: 12 }, (_, at) => `${at} ${sentence.slice(2)} and the tower of stone`);
  const all = lines.map((one, row) => letters(one, (at) => [72 + 6 * at, 700 - 14 * row]));
  const orders = {
    "every second letter first": [0, 1].flatMap((part) => all.flat().filter((_, at) => at % 2 === part)),
    "letter by letter of the alphabet": lines
      .flatMap((one, row) => Array.from(one, (letter, at) => ({ letter, drawn: all[row]?.[at] ?? "" })))
      .toSorted((a, b) => a.letter.localeCompare(b.letter))
      .map(({ drawn }) => drawn),
    "word after word of the page in another order": lines
      .flatMap((one, row) =>
        Array.from(one.matchAll(/\S+/g), ({ 0: word, index }) => {
          return `BT /F1 10 Tf ${72 + 6 * index} ${700 - 14 * row} Td (${word}) Tj ET`;
        }),
      )
      .map((one, at, { length }) => [(at * 7919) % length, one] as const)
      .toSorted(([a], [b]) => a - b)
      .map(([, one]) => one),
    "from the last line to the first": all.toReversed().flat(),
  };
  for (const [order, drawn] of Object.entries(orders))
    it(`drawn ${order}`, async () => {
      const { text } = await read(drawn.join("\n"), { font: COURIER });
      expect(text.replaceAll(/\s+/g, " ")).to.equal(lines.join(" "));
    });

  it("but not across columns of a few points each, cells of two lines, or a line of fractions", async () => {
    const at = (x: number, y: number, text: string) => `BT /F1 10 Tf ${x} ${y} Td (${text}) Tj ET`;
    const names = ["First", "Second", "Third", "Fourth"];
    const read1 = async (drawn: readonly string[]) =>
      (await read(drawn.join("\n"), { font: COURIER })).text.replaceAll(/\s+/g, " ");
    const columns = names
      .slice(0, 3)
      .map((name) => Array.from({ length: 8 }, (_, row) => `${name} point ${row}`));
    const points = columns.flatMap((one, column) =>
      one.map((text, row) => at(50 + 180 * column, 700 - 60 * row, text)),
    );
    expect(await read1(points)).to.equal(columns.flat().join(" "));
    const cells = Array.from({ length: 6 }, (_, row) =>
      names.map((name) => [`${name} of ${row},`, "in short"]),
    );
    const table = cells.flatMap((row, y) =>
      row.flatMap((cell, x) => cell.map((text, line) => at(50 + 130 * x, 700 - 40 * y - 12 * line, text))),
    );
    const drawnCell = await read1(table);
    for (const cell of cells.flat()) expect(drawnCell).to.include(cell.join(" "));
    const fractions = Array.from({ length: 8 }, (_, row) => [
      at(50 + 12 * row, 700 - 40 * row, `Half of ${row} is`),
      at(142 + 12 * row, 707 - 40 * row, "1"),
      at(142 + 12 * row, 693 - 40 * row, "2"),
      at(154 + 12 * row, 700 - 40 * row, "of it, as"),
    ]);
    expect(await read1(fractions.flat())).to.match(/^Half of 0 is 1 2 of it, as Half of 1 is 1 2 /);
  });

  it("with spaces, though the font states no widths", async () => {
    const font =
      "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding<</Differences[1/uni0062/uni0065/uni006C/uni0020]>>>>";
    const content = "BT /F1 12 Tf 72 700 Td <0102030304010203> Tj ET";
    expect((await read(content, { font })).text).to.equal("bell bel");
  });
});

const LEFT = [
  "The bell foundry at Karlow",
  "cast its last great bell in",
  "the autumn of that year, a",
  "few months before railways",
  "bought the yard and turned",
  "furnaces into a store for",
  "timber. Old workers said",
  "that metal was poured late",
];
const MIDDLE = [
  "My grandmother kept a shop",
  "for seeds and string near",
  "the river and I spent most",
  "summers there counting all",
  "envelopes. She did not use",
  "calculators, so each price",
  "was written in pencil and",
  "added twice in the evening",
];
const RIGHT = [
  "When the parish asked for",
  "a replacement, no founder",
  "still kept old patterns so",
  "the council then hired one",
  "clockmaker, who measured",
  "the broken bell with good",
  "callipers and drew it all",
  "on brown paper for a yard",
];

/** Rows that are drawn across columns, as one text with gaps or as a text for each column. */
function rows(columns: readonly (readonly string[])[], gutter: number): string {
  const width = 27 * 6 + gutter;
  return (columns[0] ?? [])
    .map((_, row) =>
      columns
        .map((column, at) => `BT /F1 10 Tf ${50 + width * at} ${700 - 12 * row} Td (${column[row]}) Tj ET`)
        .join(" "),
    )
    .join("\n");
}

describe("readPdfText reads columns that are drawn row by row", () => {
  for (const gutter of [6, 9, 12, 18, 24])
    it(`two and three of them, with gaps of ${gutter} points`, async () => {
      for (const columns of [
        [LEFT, MIDDLE],
        [LEFT, MIDDLE, RIGHT],
      ]) {
        const { text } = await read(rows(columns, gutter), { font: COURIER });
        expect(text.replaceAll(/\s+/g, " ")).to.equal(columns.map((lines) => lines.join(" ")).join(" "));
      }
    });

  it("but keeps the rows of a table", async () => {
    const cells = (name: string) =>
      Array.from({ length: 8 }, (_, row) => `${name} number ${row} of the rows`);
    const { text } = await read(rows([cells("First"), cells("Second")], 12), { font: COURIER });
    expect(text.split("\n")[0]).to.match(/First number 0 .*Second number 0/);
  });
});

describe("readPdfText reads what can be read", () => {
  /** A font that calls its glyphs by names without a meaning. */
  const UNKNOWN = `<</Type/Font/Subtype/Type1/BaseFont/Unknown/FirstChar 1/LastChar 20/Widths[${"500 ".repeat(20)}]/Encoding<</Differences[1${Array.from({ length: 20 }, (_, at) => `/x${at}`).join("")}]>>>>`;
  const glyphs = "\\001\\002\\003\\004\\005\\006".repeat(10);

  it("takes the text that the file states for glyphs that can't be read, and not for others", async () => {
    const stated = `/Span<</ActualText(The bell rang in the old tower)>>BDC BT /F1 12 Tf 72 700 Td (${glyphs}) Tj ET EMC`;
    expect((await read(stated, { font: UNKNOWN })).text).to.equal("The bell rang in the old tower");
    const other = "/Span<</ActualText(Something else)>>BDC BT /F1 12 Tf 72 700 Td (The bell rang) Tj ET EMC";
    expect((await read(other)).text).to.equal("The bell rang");
  });

  it("takes it from the resources of the page and from strings of any Unicode encoding", async () => {
    const words = "The bell rang in the old tower";
    const drawn = `BT /F1 12 Tf 72 700 Td (${glyphs}) Tj ET EMC`;
    const resources = `/Properties<</P1<</ActualText(${words})>>/P2 6 0 R>>`;
    const objects = [`<</ActualText(${words})>>`];
    for (const name of ["P1", "P2"]) {
      const file = makePdf({ pages: [`/Span /${name} BDC ${drawn}`], font: UNKNOWN, resources, objects });
      expect((await readPdfText(file, 100_000)).text).to.equal(words);
    }
    const nested = `/Properties<</P0<</ActualText(no)>>/P1<</A<</ActualText(no)>>/T(a >> b)/ActualText(${words})>>>>`;
    const list = makePdf({ pages: [`/Span /P1 BDC ${drawn}`], font: UNKNOWN, resources: nested });
    expect((await readPdfText(list, 100_000)).text).to.equal(words);
    const inherited = makePdf({
      pages: [`/Span /P1 BDC ${drawn}`],
      font: UNKNOWN,
      objects: [`<</Font<</F1 3 0 R>>${nested}>>`],
    })
      .toString("latin1")
      .replace("/Resources", "/Unknown")
      .replace("/Kids", "/Resources 6 0 R/Kids");
    expect((await readPdfText(Buffer.from(inherited, "latin1"), 100_000)).text).to.equal(words);
    for (const encoded of [
      Buffer.from(`\ufeff${words}é`),
      Buffer.from(`\ufeff${words}é`, "utf16le"),
      Buffer.from(`\ufeff${words}é`, "utf16le").swap16(),
    ]) {
      const content = `/Span<</ActualText<${encoded.toString("hex")}>>>BDC ${drawn}`;
      expect((await read(content, { font: UNKNOWN })).text).to.equal(`${words}é`);
    }
  });

  it("names pages whose fonts can't be read, beside others", async () => {
    const readable =
      "BT /F2 12 Tf 72 700 Td (A page of some length that everybody can read without any trouble) Tj ET";
    const file = makePdf({
      pages: [readable, `BT /F1 12 Tf 72 700 Td (${glyphs}) Tj ET`],
      font: UNKNOWN,
      fonts: "/F2<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
    });
    const { text, pageNotes } = await readPdfText(file, 100_000);
    expect(text.trim()).to.match(/^A page of some length .* trouble$/);
    expect(pageNotes).to.deep.equal([{ kind: "unreadable_font", pages: [2] }]);
  });
});
