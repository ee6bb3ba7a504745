import { createRequire } from "node:module";
import { dirname, join, sep } from "node:path";
import { getDocument, VerbosityLevel } from "pdfjs-dist/legacy/build/pdf.mjs";

import { DomainError, unreadableFile } from "../../platform/domain-error.ts";
import { assertTextFits, passwordProtected, textTooLong } from "../text/extracted-text.ts";
import { findPdfDamage } from "./pdf-damage.ts";
import { type LaidOutText, layOut } from "./pdf-layout.ts";
import type { Page } from "./pdf-lines.ts";
import { type ReadSoFar, readPage } from "./pdf-page.ts";

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
 * @throws DomainError `unreadable_file` for a password and for a file that can't be read completely, and `text_too_long` as
 *   soon as the pages read so far hold more than `textCharsMax` code points.
 */
export async function readPdfText(
  bytes: Uint8Array,
  textCharsMax: number,
): Promise<Omit<LaidOutText, "lines">> {
  const omissions: string[] = [];
  const { warn } = console;
  console.warn = (message: unknown) => {
    if (OMISSION.test(String(message))) omissions.push(String(message));
  };
  const loading = getDocument({
    data: new Uint8Array(bytes), // a copy, since pdf.js detaches its input
    verbosity: VerbosityLevel.WARNINGS,
    isEvalSupported: false,
    useWorkerFetch: false,
    useSystemFonts: false,
    useWasm: false,
    cMapUrl: pdfjsFolder("cmaps"),
    cMapPacked: true,
    standardFontDataUrl: pdfjsFolder("standard_fonts"),
  });
  let place = "";
  try {
    const document = await loading.promise;
    const { ref } = await document.getPage(1);
    const damage = ref === null ? undefined : findPdfDamage(bytes, ref.num, document.numPages);
    if (damage !== undefined) throw damaged(`: ${damage}`);
    const soFar: ReadSoFar = { fields: new Set(), numberEdges: [] };
    const pages: Page[] = [];
    let chars = 0;
    for (let number = 1; number <= document.numPages; number++) {
      place = `: page ${number} has corrupt content`;
      const page = await document.getPage(number);
      const { lines, bottom, height } = await readPage(page, soFar);
      if (omissions.length > 0) throw damaged(place);
      page.cleanup();
      if (number % PAGES_KEPT === 0) await document.cleanup();
      // Without the pieces of its lines, which take several times the memory of their text.
      pages.push({ lines: lines.map(({ pieces: _, ...line }) => line), bottom, height });
      chars += lines.reduce((sum, line) => sum + line.text.length, 0);
      // Code points, which are at least half as many, are counted at the end.
      if (chars > 2 * textCharsMax) throw textTooLong(textCharsMax);
    }
    const { text, margins } = layOut(pages);
    assertTextFits(text, textCharsMax);
    return { text, margins };
  } catch (cause) {
    if (cause instanceof DomainError) throw cause;
    if (cause instanceof Error && cause.name === "PasswordException") throw passwordProtected();
    throw damaged(place, cause);
  } finally {
    console.warn = warn;
    await loading.destroy();
  }
}

/** pdf.js says only so that it leaves out a part of a page. With `stopAtErrors` it would drop text in a missing font too. */
const OMISSION = /(?:getTextContent|getContentStream) - ignoring (?:errors|sub-stream|XObject)/;

/** @param place where the damage is, after a colon; empty if that is not known. */
function damaged(place: string, cause?: unknown): DomainError {
  const message = `The file is a damaged or incomplete PDF and can't be read${place}. Save or download it again.`;
  return unreadableFile(message, cause);
}

/** A folder of the installed pdf.js; in Node pdf.js reads it as a path, not as a URL. */
function pdfjsFolder(name: string): string {
  return join(dirname(createRequire(import.meta.url).resolve("pdfjs-dist/package.json")), name) + sep;
}
