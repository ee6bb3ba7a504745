import { createRequire } from "node:module";
import { dirname, join, sep } from "node:path";

import { PasswordException, PDFParse, VerbosityLevel } from "pdf-parse";

import { DomainError } from "../../core/domain-error.ts";
import { assertTextFits } from "./text-length.ts";
import { passwordProtected } from "./word/word-package.ts";

/** Between two pages stands a blank line, as between paragraphs, and no page number. */
const PAGE_JOINER = "\n\n";

/**
 * Pages that are read before the length is looked at again. Asking page by page would make pdf-parse walk over all
 * page numbers each time: 16 keeps that walk short and still stops within a few thousand characters of the limit.
 */
const PAGES_AT_ONCE = 16;

/**
 * Reads the text layer of a PDF in pdf-parse's reading order; hyphens at line ends stay. A PDF that is encrypted
 * with an empty user password is read, as every viewer does.
 *
 * Nothing is fetched, no script in the file runs (pdf.js keeps scripting in its viewer), and no drawing is done.
 * Character maps for Chinese, Japanese and Korean come from the installed pdf.js package.
 *
 * @throws DomainError `unreadable_file` for a damaged or password-protected file, and `text_too_long` as soon as
 *   the pages read so far hold more than `textCharsMax` code points.
 */
export async function readPdfText(bytes: Uint8Array, textCharsMax: number): Promise<string> {
  const parser = new PDFParse({
    data: new Uint8Array(bytes), // a copy, since pdf.js takes its input away
    verbosity: VerbosityLevel.ERRORS,
    isEvalSupported: false,
    useWorkerFetch: false,
    useSystemFonts: false,
    useWasm: false,
    cMapUrl: pdfjsFolder("cmaps"),
    cMapPacked: true,
    standardFontDataUrl: pdfjsFolder("standard_fonts"),
  });
  try {
    return await readPages(parser, textCharsMax);
  } catch (cause) {
    if (cause instanceof DomainError) throw cause;
    if (cause instanceof PasswordException) throw passwordProtected();
    throw new DomainError(
      "unreadable_file",
      "The file is a damaged or incomplete PDF and can't be read. Save or download it again.",
      { cause },
    );
  } finally {
    await parser.destroy();
  }
}

async function readPages(parser: PDFParse, textCharsMax: number): Promise<string> {
  let text = "";
  let total = 1;
  for (let first = 1; first <= total; first += PAGES_AT_ONCE) {
    const result = await parser.getText({ first, last: first + PAGES_AT_ONCE - 1, pageJoiner: "" });
    total = result.total;
    const pages = result.pages.map((page) => page.text).join(PAGE_JOINER);
    text += first === 1 ? pages : PAGE_JOINER + pages;
    assertTextFits(text, textCharsMax);
  }
  return text;
}

/** A folder of the pdf.js that pdf-parse itself uses; in Node pdf.js reads it as a path, not as a URL. */
function pdfjsFolder(name: string): string {
  const pdfParse = createRequire(import.meta.url).resolve("pdf-parse");
  return join(dirname(createRequire(pdfParse).resolve("pdfjs-dist/package.json")), name) + sep;
}
