import { createRequire } from "node:module";
import { dirname, join, sep } from "node:path";

import {
  getDocument,
  type PDFDocumentProxy,
  type PDFPageProxy,
  VerbosityLevel,
} from "pdfjs-dist/legacy/build/pdf.mjs";

import { DomainError } from "../../../core/domain-error.ts";
import { assertTextFits } from "../text-length.ts";
import { passwordProtected } from "../word/word-package.ts";
import { annotationTexts } from "./page-annotations.ts";
import { joinTextItems } from "./page-text.ts";

/** Between two pages stands a blank line, as between paragraphs, and no page number. */
const PAGE_JOINER = "\n\n";

/**
 * Pages after which pdf.js is told to forget what it keeps of earlier ones: 6,000 pages of 20 million characters took
 * 709 MB without, 420 MB with it.
 */
const PAGES_KEPT = 100;

/**
 * Reads the text layer of a PDF page by page, in the order in which each page is drawn; hyphens at line ends stay.
 * After the text of a page come the values of its form fields and what was typed onto it. A PDF that is encrypted with
 * an empty user password is read, as every viewer does. Of a portfolio, and of a file that a rights management wraps
 * in a notice, the cover is read: it is what a PDF viewer shows; files inside a PDF are not opened.
 *
 * Nothing is fetched, no script in the file runs (pdf.js keeps scripting in its viewer), and no drawing is done.
 * Character maps for Chinese, Japanese and Korean come from the installed pdf.js package.
 *
 * @throws DomainError `unreadable_file` for a damaged or password-protected file, and `text_too_long` as soon as
 *   the pages read so far hold more than `textCharsMax` code points.
 */
export async function readPdfText(bytes: Uint8Array, textCharsMax: number): Promise<string> {
  const loading = getDocument({
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
    return await readPages(await loading.promise, textCharsMax);
  } catch (cause) {
    if (cause instanceof DomainError) throw cause;
    if (cause instanceof Error && cause.name === "PasswordException") throw passwordProtected();
    throw new DomainError(
      "unreadable_file",
      "The file is a damaged or incomplete PDF and can't be read. Save or download it again.",
      { cause },
    );
  } finally {
    await loading.destroy();
  }
}

async function readPages(document: PDFDocumentProxy, textCharsMax: number): Promise<string> {
  const fieldsSeen = new Set<string>();
  let text = "";
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number);
    const pageText = await readPage(page, fieldsSeen);
    page.cleanup();
    if (number % PAGES_KEPT === 0) await document.cleanup();
    text += number === 1 ? pageText : PAGE_JOINER + pageText;
    assertTextFits(text, textCharsMax);
  }
  return text;
}

async function readPage(page: PDFPageProxy, fieldsSeen: Set<string>): Promise<string> {
  const { items } = await page.getTextContent();
  const drawn = joinTextItems(items.filter((item) => "str" in item));
  const added = annotationTexts(await page.getAnnotations(), fieldsSeen);
  return [drawn, ...added].filter((part) => part !== "").join("\n");
}

/** A folder of the installed pdf.js; in Node pdf.js reads it as a path, not as a URL. */
function pdfjsFolder(name: string): string {
  return join(dirname(createRequire(import.meta.url).resolve("pdfjs-dist/package.json")), name) + sep;
}
