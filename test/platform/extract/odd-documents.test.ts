import { existsSync, readFileSync } from "node:fs";

import { expect } from "chai";

import { DomainError } from "../../../src/core/domain-error.ts";
import { extractText } from "../../../src/platform/extract/extract-text.ts";
import { MEDIA_TYPES } from "../../../src/platform/extract/media-type.ts";

const FOLDER = new URL("../../../../shared/data/documents/", import.meta.url);

/**
 * What each file must give: its words (those of other readers, or for DOCX those that a person counts in Word),
 * or its error. Words are counted as runs of letters and digits.
 */
const EXPECTED: Readonly<Record<string, number | string>> = {
  "testPDF.pdf": 163,
  "testPDFVarious.pdf": 140,
  "testPDF_rotated.pdf": 163,
  "testPDF_Version.10.x.pdf": "no_extractable_text",
  "testPDF_bookmarks.pdf": 12,
  "testOverlappingText.pdf": 7,
  "testPageNumber.pdf": 5,
  "testAnnotations.pdf": 4,
  "testPDF_acroform3.pdf": 52,
  "testPDFPackage.pdf": 86,
  "testPDF_no_extract_no_accessibility_owner_empty.pdf": 2,
  "testOCR.pdf": "no_extractable_text",
  "testPDF_jpeg2000.pdf": "no_extractable_text",
  "testMicrosoftIRMServices.pdf": 42,
  "testFlashInPDF.pdf": "no_extractable_text",
  "testPDF_bom.pdf": 2,
  "pdfparse-04-valid.pdf": 3031,
  "testWORD.docx": 100,
  "footnotes.docx": 7,
  "testWORD_text_box.docx": 24,
  "testWORD_charts.docx": "no_extractable_text", // its words stand in a chart only
  "testWORD_signed.docx": 1,
  "testWORD_2006ml.docx": 195,
  "testWORD_protected_passtika.docx": "unreadable_file",
  "testWORD_missing_text.docx": 11,
  "testAltChunkHTML.docx": "no_extractable_text", // its words stand in an embedded HTML file only
  "testWORD_macros.docm": 4,
  "testWORD6.doc": "unsupported_file_type",
  "testODTEncrypted.odt": "unsupported_file_type",
  "testRTF.rtf": "unsupported_file_type",
  "mammoth-empty.docx": "no_extractable_text",
  "mammoth-endnotes.docx": 8,
  "made-zero.pdf": "no_extractable_text",
  "made-html.pdf": "unsupported_file_type",
  "made-docx-as.pdf": 10,
  "made-truncated.docx": "unreadable_file",
};

/** Readers differ in where a word ends (a cell, a hyphen, a ligature); 10% or two words is the same text. */
const WORDS_TOLERANCE = 0.1;
const WORDS_TOLERANCE_MIN = 2;

describe("extractText: odd documents", () => {
  before(function () {
    if (existsSync(FOLDER)) return;
    if (process.env.REQUIRE_SHARED_DATA === "1")
      throw new Error(`the shared documents are missing: ${FOLDER}`);
    console.log("      the shared documents are not here: skipped");
    this.skip();
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
    it(`${filename}: ${typeof expected === "number" ? `${expected} words` : expected}`, async () => {
      const found = await outcome(filename);
      if (typeof expected === "string" || typeof found === "string") expect(found).to.equal(expected);
      else expect(found).to.be.closeTo(expected, Math.max(WORDS_TOLERANCE_MIN, expected * WORDS_TOLERANCE));
    });
  }
});

async function outcome(filename: string): Promise<number | string> {
  const bytes = readFileSync(new URL(filename, FOLDER));
  try {
    const { text } = await extractText(bytes, { filename, accept: MEDIA_TYPES, textCharsMax: 500_000 });
    return text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
  } catch (error) {
    if (error instanceof DomainError) return error.code;
    throw error;
  }
}
