import { createRequire } from "node:module";
import { dirname, join, sep } from "node:path";
import { getDocument, type PDFDocumentProxy, VerbosityLevel } from "pdfjs-dist/legacy/build/pdf.mjs";

import { DomainError, unreadableFile } from "../../platform/domain-error.ts";
import { type PageNote, pageList } from "../../text/page-notes.ts";
import type { OcrSettings } from "../ocr/ocr-settings.ts";
import { assertTextFits, passwordProtected, textTooLong } from "../text/extracted-text.ts";
import type { ScannedPage } from "../text/scanned-page.ts";
import { actualTexts } from "./pdf-actual-text.ts";
import { readPdfStructure } from "./pdf-damage.ts";
import { type LaidOutText, layOut } from "./pdf-layout.ts";
import type { Page } from "./pdf-lines.ts";
import type { readScannedPages } from "./pdf-ocr.ts";
import { type PageGap, type ReadPage, type ReadSoFar, readPage } from "./pdf-page.ts";
import { withScannedLines } from "./pdf-scan.ts";

export type PdfText = Omit<LaidOutText, "lines"> & {
  readonly pageNotes: readonly PageNote[];
  /** The lines of the pages that were read by OCR. */
  readonly scanned: readonly ScannedPage[];
  /** The title and the author in its metadata, whatever they are. */
  readonly stated: { readonly title: unknown; readonly author: unknown };
};

/** Pages after which pdf.js must drop earlier ones: 6,000 pages of 20 million characters took 709 MB without this, 420 MB with it. */
const PAGES_KEPT = 100;

/**
 * Reads the text layer of a PDF page by page, as people read it (see `layOut`). Form values and text that was typed onto a page
 * follow the text of the page. A PDF with an empty user password is read, as in every viewer. Of a
 * portfolio, and of a file that rights management wraps in a notice, only the cover is read, as a viewer shows it.
 *
 * Nothing is fetched, rendered or run (pdf.js keeps scripting in its viewer), and attached files are not opened. pdf.js reports
 * omissions only on the console, so a process reads one PDF at a time. Why not pdf-parse: docs/decisions/extraction.md.
 *
 * @param ocr reads the pages whose text can't be read; without it, they are noted
 * @throws DomainError `unreadable_file` for a password and for a file that can't be read completely, and `text_too_long` as
 *   soon as the pages read so far hold more than `textCharsMax` code points.
 */
export async function readPdfText(
  bytes: Uint8Array,
  textCharsMax: number,
  ocr?: OcrSettings,
): Promise<PdfText> {
  const omissions: string[] = [];
  let picturesLeftOut = 0;
  const { warn } = console;
  console.warn = (message: unknown) => {
    if (String(message).includes(PICTURE_LEFT_OUT)) picturesLeftOut++;
    if (OMISSION.test(String(message)) && !MISSING.test(String(message))) omissions.push(String(message));
  };
  const source = () => ({
    data: new Uint8Array(bytes), // a copy, since pdf.js detaches its input
    isEvalSupported: false,
    useWorkerFetch: false,
    useSystemFonts: false,
    useWasm: false,
    cMapUrl: pdfjsFolder("cmaps"),
    cMapPacked: true,
    standardFontDataUrl: pdfjsFolder("standard_fonts"),
  });
  const loading = getDocument({
    ...source(),
    verbosity: VerbosityLevel.WARNINGS,
    // The names of glyphs, see `PageFont`.
    fontExtraProperties: true,
    // Decoding pictures would take most of the time.
    maxImageSize: 0,
  });
  let place = "";
  try {
    const document = await loading.promise;
    const { ref } = await document.getPage(1);
    const structure = ref === null ? undefined : readPdfStructure(bytes, ref.num, document.numPages);
    if (structure?.damage !== undefined) throw damaged(`: ${structure.damage}`);
    const soFar: ReadSoFar = {
      fields: new Set(),
      numberEdges: [],
      picturesLeftOut: () => picturesLeftOut,
      layers: await document.getOptionalContentConfig(),
      mayHaveTypedText: structure?.mayHaveTypedText ?? true,
    };
    const pages: Page[] = [];
    const unread = new Map<number, ReadPage>();
    let chars = 0;
    for (let number = 1; number <= document.numPages; number++) {
      place = `: page ${number} has corrupt content`;
      const page = await document.getPage(number);
      const read = await readPage(
        page,
        soFar,
        () =>
          structure === undefined
            ? new Map()
            : actualTexts(structure.content(number - 1), (name) => structure.properties(number - 1, name)),
        () => structure?.hasPictureMasks(number - 1) === false,
      );
      if (read.gap !== undefined) unread.set(number, read);
      if (omissions.some((omission) => !CUT.test(omission) || structure?.cutLosesText(number - 1) !== false))
        throw damaged(place);
      omissions.length = 0;
      page.cleanup();
      if (number % PAGES_KEPT === 0) await document.cleanup();
      pages.push(withoutPieces(read));
      chars += read.lines.reduce((sum, line) => sum + line.text.length, 0);
      // Code points, which are at least half as many, are counted at the end.
      if (chars > 2 * textCharsMax) throw textTooLong(textCharsMax);
    }
    const scanned =
      ocr === undefined ? [] : await readScans(source(), [...unread.keys()], textOf(pages), ocr);
    for (const { page: number, lines } of scanned) {
      const read = unread.get(number);
      if (read !== undefined) pages[number - 1] = withoutPieces(withScannedLines(read, lines));
      unread.delete(number);
    }
    const { text, margins, hidden } = layOut(pages);
    assertTextFits(text, textCharsMax);
    const unreadable = pagesWith("unreadable_font", unread);
    if (unreadable.length > 0 && text.replaceAll(/\P{L}/gu, "").length < LETTERS_MIN)
      throw unreadableFonts(unreadable);
    const notes: PageNote[] = [
      { kind: "no_text", pages: pagesWith("no_text", unread) },
      { kind: "unreadable_font", pages: unreadable },
      { kind: "ocr", pages: scanned.map(({ page }) => page) },
    ];
    const pageNotes = notes.filter(({ pages }) => pages.length > 0);
    return { text, margins, hidden, pageNotes, scanned, stated: await statedProperties(document) };
  } catch (cause) {
    if (cause instanceof DomainError) throw cause;
    if (cause instanceof Error && cause.name === "PasswordException") throw passwordProtected();
    throw damaged(place, cause);
  } finally {
    console.warn = warn;
    await loading.destroy();
  }
}

/** From the XMP metadata, which newer programs write, otherwise from the document information. They are no reason to refuse a PDF. */
async function statedProperties(document: PDFDocumentProxy): Promise<PdfText["stated"]> {
  const { info, metadata } = await document.getMetadata().catch(() => ({ info: {}, metadata: null }));
  const own = new Map<string, unknown>(Object.entries(info));
  const creators: unknown = metadata?.get("dc:creator");
  return {
    title: metadata?.get("dc:title") || own.get("Title"),
    author: (Array.isArray(creators) ? creators.join(", ") : creators) || own.get("Author"),
  };
}

/** pdf.js says only so that it leaves out a part of a page. With `stopAtErrors` it would drop text in a missing font too. */
const OMISSION = /(?:getOperatorList|getContentStream) - ignoring (?:errors|sub-stream|XObject)/;

/** Faulty drawings end the content that they are in. */
const CUT = /ignoring errors during .*FormatError: (?:Invalid command|Too many arguments)/;

/** A reference to an object that the file lacks is a reference to nothing, and no damage (ISO 32000-1, 7.3.10). */
const MISSING = /ignoring XObject: "FormatError: XObject should be a stream"/;

const PICTURE_LEFT_OUT = "Image exceeded maximum allowed size";

/** If fewer letters of a file can be read, it is refused. */
const LETTERS_MIN = 50;

/** What reads scans takes time and memory to load, and few files have any. */
async function readScans(
  ...[source, pages, text, settings]: Parameters<typeof readScannedPages>
): ReturnType<typeof readScannedPages> {
  if (pages.length === 0) return [];
  return (await import("./pdf-ocr.ts")).readScannedPages(source, pages, text, settings);
}

/** Without the pieces of its lines, which take several times the memory of their text. */
function withoutPieces({ lines, bottom, height, hidden }: ReadPage): Page {
  const kept = lines.map(({ pieces: _, ...line }) => line);
  return { lines: kept, bottom, height, ...(hidden && { hidden }) };
}

function textOf(pages: readonly Page[]): string {
  return pages.flatMap(({ lines }) => lines.map(({ text }) => text)).join("\n");
}

function pagesWith(gap: PageGap, pages: ReadonlyMap<number, ReadPage>): number[] {
  return [...pages].flatMap(([number, read]) => (read.gap === gap ? [number] : []));
}

function unreadableFonts(pages: readonly number[]): DomainError {
  return unreadableFile(
    `The text of ${pageList(pages)} can't be read: its fonts do not say which characters their glyphs stand for. ` +
      "Export the PDF again from the program that made it, or run text recognition (OCR) over it.",
  );
}

/** @param place where the damage is, after a colon; empty if that is not known. */
function damaged(place: string, cause?: unknown): DomainError {
  const message = `The file is a damaged or incomplete PDF and can't be read${place}. Save or download it again.`;
  return unreadableFile(message, cause);
}

/** A folder of the installed pdf.js; in Node pdf.js reads it as a path, not as a URL. */
function pdfjsFolder(name: string): string {
  return join(dirname(createRequire(import.meta.url).resolve("pdfjs-dist/package.json")), name) + sep;
}
