import { existsSync, readFileSync } from "node:fs";
import { expect } from "chai";
import { extractText } from "../../src/extract/extract-text.ts";
import type { ExtractedText } from "../../src/extract/text/extracted-text.ts";
import { integrityFlags } from "../../src/text/integrity.ts";

const FOLDER = new URL("../../../shared/data/reported/", import.meta.url);

async function read(filename: string): Promise<ExtractedText> {
  const bytes = readFileSync(new URL(filename, FOLDER));
  return extractText(bytes, { filename, accept: ["application/pdf"], textCharsMax: 500_000 });
}

function words(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

const FIRST =
  "The bell foundry at Karlow cast its last great bell in the autumn of 1911, a few months before the railway company bought the yard " +
  "and turned the furnaces into a store for timber. Old workers remembered that the metal was poured at night, because the draught in the " +
  "chimney was steadier after sunset and the glow showed every flaw in the mould.";

describe("PDFs that were reported as read wrongly", () => {
  before(function () {
    if (existsSync(FOLDER)) return;
    if (process.env.REQUIRE_SHARED_DATA === "1") throw new Error(`the reported files are missing: ${FOLDER}`);
    console.log("      the reported files are not here: skipped");
    this.skip();
  });

  it("hidden words are no part of the text, and are named", async () => {
    const { text, hidden = [] } = await read("hidden-white-words.pdf");
    // The other words of its lines lie outside the page.
    expect(words(text)).to.match(
      /^The bell foundry at Karlow cast its last great 1911, a few months before the railway company/,
    );
    expect(text).not.to.match(/copper|pencil signal|basket/);
    expect(hidden.length).to.be.greaterThan(10);
    expect(hidden.map(({ means }) => means)).to.include("background_colour");
  });

  it("columns that are drawn row by row are read one after the other", async () => {
    const { text } = await read("two-columns-row-by-row-gutter18.pdf");
    expect(words(text)).to.include(
      "Nothing can be put back, so a careful founder stops early and leaves the last cents to the weather",
    );
    expect(words(text)).to.include(
      "She did not trust calculators, so every price was written in pencil on the back of a used envelope",
    );
    expect(text).not.to.include("\t");
  });

  for (const name of ["fake-bold-letter-by-letter.pdf", "letter-spaced-1.5pt.pdf"])
    it(`${name}: the words that a reader sees`, async () => {
      const { text } = await read(name);
      expect(words(text)).to.include(FIRST);
      expect(integrityFlags(text)).to.deep.equal([]);
    });

  it("letters that are drawn one by one from right to left", async () => {
    const { text } = await read("hebrew-glyph-by-glyph.pdf");
    const source = readFileSync(new URL("corpus-he.txt", FOLDER), "utf8");
    expect(words(text)).to.equal(words(source));
    expect(integrityFlags(text)).to.deep.equal([]);
  });

  it("a reference to a picture that is missing is no damage", async () => {
    expect(words((await read("dangling-picture.pdf")).text)).to.equal(FIRST);
  });

  for (const name of [
    "unreadable-pua.pdf",
    "unreadable-no-tounicode.pdf",
    "issue19802.pdf",
    "complex_ttf_font.pdf",
  ])
    it(`${name}: refused, because its fonts can't be read`, async () => {
      const error = await read(name).then(
        ({ text }) => expect.fail(`accepted: ${text.slice(0, 100)}`),
        (reason: unknown) => reason,
      );
      expect(error).to.include({ code: "unreadable_file" });
      expect(String(error)).to.match(/The text of pages? \d/);
    });

  it("digits of a font that has names for them only do not accuse the author", async () => {
    const { text } = await read("issue10640.pdf");
    expect(integrityFlags(text)).to.deep.equal([]);
  });

  it("pages that are pictures are named", async () => {
    const { pageNotes } = await read("mixed-3-pages-2-scanned.pdf");
    expect(pageNotes).to.deep.equal([{ kind: "no_text", pages: [2, 3, 4] }]);
  });
});
