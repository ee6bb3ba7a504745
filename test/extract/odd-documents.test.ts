import { existsSync, readFileSync } from "node:fs";

import { expect } from "chai";
import { createExtractor, type Extractor } from "../../src/extract/extractor.ts";
import { MEDIA_TYPES } from "../../src/extract/text/extracted-text.ts";
import { DomainError } from "../../src/platform/domain-error.ts";

const FOLDER = new URL("../../../shared/data/documents/", import.meta.url);

/** No file may take more: the extractor ends a process that does, and the file then is `unreadable_file`. */
const LIMITS = { processes: 1, timeMs: 60_000, memoryMb: 512 } as const;

/**
 * What a file gives: phrases that stand in its text in this order, with any white space between their words, and
 * things that must not stand there, or the number of its words; else the code of its error and a part of its message.
 */
type Expected =
  | { readonly phrases: readonly string[]; readonly without?: readonly string[]; readonly words?: number }
  | { readonly code: DomainError["code"]; readonly message: RegExp };

const PASSWORD = { code: "unreadable_file", message: /protected by a password/ } as const;
const NO_LAYER = { code: "no_extractable_text", message: /PDF holds no text.*scan/ } as const;

const TIKA_PAGE = [
  "Apache Tika - Apache Tika http://incubator.apache.org/tika/",
  "Tika - Content Analysis Toolkit Apache Tika is a toolkit for detecting and extracting metadata",
  "further review indicates that the infrastructure, communications, and decision making process have stabilized",
  "March 22nd, 2007: Apache Tika project started",
] as const;

/** Words are counted as runs of letters and digits. */
const EXPECTED: Readonly<Record<string, Expected>> = {
  "testPDF.pdf": { phrases: TIKA_PAGE, words: 163 },
  // Each word of this page is a piece of its own, written upwards.
  "testPDF_rotated.pdf": { phrases: TIKA_PAGE, words: 163 },
  "testPDFVarious.pdf": {
    phrases: [
      "This is the header text.",
      "Footnote appears here1 Bold italic underline superscript subscript",
      "Bullet 1 Bullet 2 Bullet 3",
      "ゾルゲと尾崎、淡々と最期",
      "𐀀𐀀𐀀𐀀𐀀𐀀",
      "Here is a text box",
      "Figure 1 This is a caption for Figure 1",
      "Row 2 column 2",
    ],
    words: 141,
  },
  "testPDF_Version.10.x.pdf": NO_LAYER,
  "testPDF_bookmarks.pdf": {
    phrases: ["This is a page about France", "This is a page about Denmark"],
    words: 12,
  },
  "testOverlappingText.pdf": { phrases: ["Text the first time", "Text the second time"], words: 8 },
  "testPageNumber.pdf": { phrases: ["1 This is page one."], words: 5 },
  // The annotation is text that was typed onto the page, not a note that opens.
  "testAnnotations.pdf": { phrases: ["Here is some text.", "Here is a comment"], words: 8 },
  "testPDF_acroform3.pdf": {
    phrases: [
      "Example PDF file that contains a form with a signature field.",
      "TIKA-1226",
      "comboItemB",
      "listItemC",
    ],
    without: ["comboExportB", "exportListItemC"],
  },
  // The cover, which is all that a viewer shows beside the list of files.
  "testPDFPackage.pdf": {
    phrases: [
      "Multiple files are bound together in this PDF Package.",
      "click a file in this PDF Package to view it.",
    ],
    words: 86,
  },
  "testPDF_no_extract_no_accessibility_owner_empty.pdf": { phrases: ["Hello World"], words: 2 },
  "testOCR.pdf": NO_LAYER,
  "testPDF_jpeg2000.pdf": NO_LAYER,
  // The notice in which a rights management wraps a file: here too it is the page that a viewer shows.
  "testMicrosoftIRMServices.pdf": { phrases: ["This PDF file is protected", "Microsoft Office"], words: 42 },
  "testFlashInPDF.pdf": NO_LAYER,
  "testPDF_bom.pdf": { phrases: ["Hello World"], words: 2 },
  "pdfparse-04-valid.pdf": {
    phrases: [
      "Acute effect of speed exercise on nitric oxide (NO) level of footballers",
      "Nitric oxide (NO) is defined as the “surprising soldier mediator” of biological systems.",
      "decrease in the NO level after the exercise, compared to before, were not statistically meaningful (P = 0.052).",
    ],
    words: 3041,
  },
  "testWORD.docx": {
    phrases: [
      "Sample Word Document Title And now for a subtitle Main Heading",
      "This document includes text that is BOLD and ITALIC.",
      "This is a table Nested table More of our nested table The table has things in it",
      "This is back to the default again",
      "This links to The Main Heading Bookmark and The Level 3 Bookmark. That’s it!",
      "This is the header for our document",
      "This is the footer for our document",
    ],
    words: 121,
  },
  "footnotes.docx": { phrases: ["Eto ochen prostoy text so snoskoy", "snoska"], words: 7 },
  "testWORD_text_box.docx": {
    phrases: [
      "This text is directly in the body of the document.",
      "This text is inside of a text box in the body of the document.",
      "This text is inside of a text box in the header of the document.",
      "This text is inside of a text box in the footer of the document.",
    ],
    words: 52,
  },
  "testWORD_charts.docx": { phrases: ["wants a peach", "NUMBER", "January February", "August"], words: 12 },
  "testWORD_signed.docx": { phrases: ["signed"], words: 1 },
  "testWORD_2006ml.docx": {
    phrases: [
      "This is an engaging title page",
      "The quick brown fox jumped over the lazy brown dog.",
      "This should have a footnote This is a text box And this is the footnote",
      "This is          10 spaces",
      "Embedded table r1c1",
      "This is text within a shape",
      "Second paragraph here First paragraph there",
      "Rich text content control Simple text content control",
      "This is some serious word art With table Wordartr1c1",
      "Mattmann, C., & Zitting, J. (2011). Tika in Action.",
      "This is an endnote",
      "This is the chart title",
      "Category 1",
      "Odd page header",
      "Odd page footer",
    ],
    // What was deleted, and what a reviewer said.
    without: ["frog", "Deleted paragraph", "Del r1c1", "This is a comment"],
  },
  "testWORD_protected_passtika.docx": PASSWORD,
  "testWORD_missing_text.docx": {
    phrases: [
      "Statement",
      "Seasoned professional",
      "Experience BigCompany other",
      "Cell0 Rich_text_in_cell Cell2",
    ],
    words: 12,
  },
  "testAltChunkHTML.docx": {
    phrases: [
      "Simple paragraph with a emphasized word.",
      "Example of a table: Col 1 Col 2 ROW 1 ROW 1 ROW 2 ROW 2",
    ],
    without: ["HTML import", "border-collapse"],
    words: 22,
  },
  "testWORD_macros.docm": { phrases: ["The quick brown fox."], words: 4 },
  "testWORD6.doc": { code: "unsupported_file_type", message: /legacy Office document .*save it as DOCX/ },
  "testODTEncrypted.odt": { code: "unsupported_file_type", message: /not a Word document/ },
  "testRTF.rtf": { code: "unsupported_file_type", message: /an RTF document/ },
  "mammoth-empty.docx": { code: "no_extractable_text", message: /holds no text/ },
  "mammoth-endnotes.docx": { phrases: ["Ouch.", "A tachyon walks into a bar.", "Fin."], words: 8 },
  "made-zero.pdf": { code: "no_extractable_text", message: /empty \(0 bytes\)/ },
  "made-html.pdf": { code: "unsupported_file_type", message: /an HTML page/ },
  "made-docx-as.pdf": { phrases: ["Above Top left Top right Bottom left Bottom right Below"], words: 10 },
  "made-truncated.docx": { code: "unreadable_file", message: /damaged or incomplete/ },
};

describe("the extractor: odd documents", () => {
  let extractor: Extractor;

  before(function () {
    if (!existsSync(FOLDER)) {
      if (process.env.REQUIRE_SHARED_DATA === "1")
        throw new Error(`the shared documents are missing: ${FOLDER}`);
      console.log("      the shared documents are not here: skipped");
      this.skip();
    }
    extractor = createExtractor(LIMITS);
  });

  after(async () => {
    await extractor?.close();
  });

  it("covers every file of the folder's manifest", () => {
    const manifest = readFileSync(new URL("MANIFEST.tsv", FOLDER), "utf8");
    const names = manifest
      .trim()
      .split("\n")
      .slice(1)
      .map((row) => row.split("\t")[0]);
    expect(names.toSorted()).to.deep.equal(Object.keys(EXPECTED).toSorted());
  });

  for (const [filename, expected] of Object.entries(EXPECTED)) {
    it(`${filename}: ${"code" in expected ? expected.code : "its text"}`, async () => {
      const bytes = readFileSync(new URL(filename, FOLDER));
      const extraction = extractor.extract(bytes, { filename, accept: MEDIA_TYPES, textCharsMax: 500_000 });
      if ("code" in expected) expectRefusal(await errorOf(extraction), expected.code, expected.message);
      else expectText((await extraction).text, expected);
    });
  }
});

function expectRefusal(error: unknown, code: string, message: RegExp): void {
  if (!(error instanceof DomainError)) throw new Error(`not a DomainError: ${error}`);
  expect(error.code, error.message).to.equal(code);
  expect(error.message).to.match(message);
}

function expectText(
  text: string,
  { phrases, without = [], words }: Extract<Expected, { phrases: unknown }>,
): void {
  const read = singleSpaced(text);
  let from = 0;
  for (const phrase of phrases.map(singleSpaced)) {
    const at = read.indexOf(phrase, from);
    expect(at, `“${phrase}” in “${read.slice(from)}”`).to.be.at.least(0);
    from = at + phrase.length;
  }
  for (const phrase of without) expect(read).not.to.include(phrase);
  if (words !== undefined) expect(read.match(/[\p{L}\p{N}]+/gu)).to.have.length(words);
}

function singleSpaced(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

async function errorOf(extraction: Promise<unknown>): Promise<unknown> {
  return extraction.then(
    () => undefined,
    (error: unknown) => error,
  );
}
