import {
  GlobalWorkerOptions,
  getDocument,
  type PageViewport,
  type PDFDocumentProxy,
  type PDFPageProxy,
  VerbosityLevel,
  version,
} from "pdfjs-dist/legacy/build/pdf.mjs";
import workerUrl from "pdfjs-dist/legacy/build/pdf.worker.min.mjs?url";
import { useEffect, useState } from "preact/hooks";
import type { Report } from "../../../client/index.ts";
import { layOut } from "../../../extract/pdf/pdf-layout.ts";
import { type ReadPage, type ReadSoFar, readPage } from "../../../extract/pdf/pdf-page.ts";
import { withScannedLines } from "../../../extract/pdf/pdf-scan.ts";
import { engine } from "../shared/engine.ts";
import { type PagePiece, pagePieces } from "./page-places.ts";

GlobalWorkerOptions.workerSrc = workerUrl;

/** Where `npm run build:pages` puts the fonts, character maps and decoders that some files need. */
const FILES = `/pages/pdfjs-${version}`;

export type PdfPage = {
  readonly proxy: PDFPageProxy;
  readonly viewport: PageViewport;
  readonly read: ReadPage;
};

/** A PDF that is being read: first its first page, in the end all pages and the places of the text on them. */
export type Pdf = {
  readonly document: PDFDocumentProxy;
  readonly pages: readonly PdfPage[];
  /** Undefined until all pages are read, and if their text is not the checked one. */
  readonly pieces: readonly PagePiece[] | undefined;
  /** Whether all pages are read. */
  readonly isRead: boolean;
};

type LoadedPdf = { readonly pdf?: Pdf; readonly error?: unknown };

/** Loads the original of a check and finds the places of its text. Nothing in it is run, and no form in it can be filled in. */
export function usePdf(checkId: string, { query_text: text, page_notes: notes = [] }: Report): LoadedPdf {
  const hasOcr = notes.some(({ kind }) => kind === "ocr");
  const [loaded, setLoaded] = useState<LoadedPdf>({});
  useEffect(() => {
    const left = new AbortController();
    const { signal } = left;
    const show = (pdf: Pdf) => {
      if (!signal.aborted) setLoaded({ pdf });
    };
    const ended = readPdf(checkId, text, hasOcr, signal, show).catch((error: unknown) => {
      if (!signal.aborted) setLoaded({ error });
      return undefined;
    });
    return () => {
      left.abort();
      ended.then((document) => document?.loadingTask.destroy());
    };
  }, [checkId, text]);
  return loaded;
}

/** Pages after which the reader gets to draw. */
const PAGES_AT_ONCE = 20;

async function readPdf(
  checkId: string,
  text: string,
  hasOcr: boolean,
  signal: AbortSignal,
  show: (pdf: Pdf) => void,
): Promise<PDFDocumentProxy> {
  const [answer, { pages: ocrPages }] = await Promise.all([
    engine.getOriginal(checkId, { signal }),
    hasOcr ? engine.getOcrPages(checkId, { signal }) : { pages: [] },
  ]);
  const scanned = new Map(ocrPages.map(({ page, lines }) => [page, lines]));
  const document = await getDocument({
    data: await answer.arrayBuffer(),
    verbosity: VerbosityLevel.ERRORS,
    isEvalSupported: false,
    // The names of glyphs, as the service reads them.
    fontExtraProperties: true,
    enableXfa: false,
    useSystemFonts: false,
    // The policy of the page allows no WebAssembly; a slower decoder in JavaScript takes its place.
    useWasm: false,
    wasmUrl: `${FILES}/wasm/`,
    // The page fetches the files, so its policy applies instead of the worker's.
    useWorkerFetch: false,
    cMapUrl: `${FILES}/cmaps/`,
    cMapPacked: true,
    standardFontDataUrl: `${FILES}/standard_fonts/`,
  }).promise;
  const pages: PdfPage[] = [];
  const soFar: ReadSoFar = {
    fields: new Set(),
    numberEdges: [],
    layers: await document.getOptionalContentConfig(),
  };
  for (let number = 1; number <= document.numPages && !signal.aborted; number++) {
    const proxy = await document.getPage(number);
    const drawn = await readPage(proxy, soFar);
    const words = scanned.get(number);
    const read = words === undefined ? drawn : withScannedLines(drawn, words);
    pages.push({ proxy, viewport: proxy.getViewport({ scale: 1 }), read });
    // The operators of all pages would fill the memory; those of pages that are drawn are read again.
    proxy.cleanup();
    if (number % PAGES_AT_ONCE === 1) show({ document, pages: [...pages], pieces: undefined, isRead: false });
  }
  const laidOut = layOut(pages.map(({ read }) => read));
  // As `storableText` stores it.
  const isChecked = laidOut.text.replaceAll("\0", "\uFFFD").toWellFormed() === text;
  show({ document, pages, pieces: isChecked ? pagePieces(laidOut) : undefined, isRead: true });
  return document;
}
