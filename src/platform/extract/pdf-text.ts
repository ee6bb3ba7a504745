import { createRequire } from "node:module";
import { dirname, join, sep } from "node:path";
import { getDocument, type PDFPageProxy, VerbosityLevel } from "pdfjs-dist/legacy/build/pdf.mjs";
import { z } from "zod";

import { DomainError, unreadableFile } from "../../core/domain-error.ts";
import { assertTextFits, passwordProtected, textTooLong } from "./extracted-text.ts";
import { findPdfDamage } from "./pdf-damage.ts";
import { type LaidOutText, type LinePlace, layOut, type Page, type PageLine } from "./pdf-layout.ts";

/** Pages after which pdf.js must drop earlier ones: 6,000 pages of 20 million characters took 709 MB without this, 420 MB with it. */
const PAGES_KEPT = 100;

/**
 * Reads the text layer of a PDF page by page, as people read it (see `layOut`). Form values and text that was typed onto a page
 * follow the text of the page. A PDF with an empty user password is read, as in every viewer. Of a
 * portfolio, and of a file that rights management wraps in a notice, only the cover is read, as a viewer shows it.
 *
 * Nothing is fetched, rendered or run (pdf.js keeps scripting in its viewer), and attached files are not opened. pdf.js says what
 * it leaves out only on the console, so a process reads one PDF at a time. Why not pdf-parse: docs/decisions/extraction.md.
 *
 * @throws DomainError `unreadable_file` for a password and for a file of which not everything can be read, and `text_too_long` as
 *   soon as the pages read so far hold more than `textCharsMax` code points.
 */
export async function readPdfText(bytes: Uint8Array, textCharsMax: number): Promise<LaidOutText> {
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
    const fieldsSeen = new Set<string>();
    const pages: Page[] = [];
    let chars = 0;
    for (let number = 1; number <= document.numPages; number++) {
      place = `: page ${number} has corrupt content`;
      const page = await document.getPage(number);
      const read = await readPage(page, fieldsSeen);
      if (omissions.length > 0) throw damaged(place);
      page.cleanup();
      if (number % PAGES_KEPT === 0) await document.cleanup();
      pages.push(read);
      chars += read.lines.reduce((sum, line) => sum + line.text.length, 0);
      // Code points, which are at least half as many, are counted at the end.
      if (chars > 2 * textCharsMax) throw textTooLong(textCharsMax);
    }
    const laidOut = layOut(pages);
    assertTextFits(laidOut.text, textCharsMax);
    return laidOut;
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

async function readPage(page: PDFPageProxy, fieldsSeen: Set<string>): Promise<Page> {
  const { items } = await page.getTextContent();
  const drawn = drawnLines(items.filter((item) => "str" in item));
  const added = annotationTexts(await page.getAnnotations(), fieldsSeen).filter((text) => text !== "");
  const [, bottom = 0, , top = 0] = page.view;
  const lines = [...drawn, ...added.map((text) => ({ text, place: undefined }))];
  return { lines, bottom, height: Math.max(1, top - bottom) };
}

/** A folder of the installed pdf.js; in Node pdf.js reads it as a path, not as a URL. */
function pdfjsFolder(name: string): string {
  return join(dirname(createRequire(import.meta.url).resolve("pdfjs-dist/package.json")), name) + sep;
}

/** A piece of text as pdf.js returns it: drawn at once, on one line. Lengths in points. */
export type TextItem = {
  readonly str: string;
  /** Maps text space to the page: the first two numbers are the direction of writing, the last two the position. */
  readonly transform: readonly number[];
  readonly width: number;
  readonly height: number;
  /** Set where pdf.js found the end of a line. */
  readonly hasEOL: boolean;
};

/** A gap wider than two or three letters divides cells or columns; pdf.js turns smaller gaps into spaces. */
const CELL_GAP = 7;

/** Text that is shifted by less than the height of its line plus this is a superscript, not another line. */
const SHIFT_SLACK = 1;

/** A smaller shift is a rounding error. */
const LINE_SHIFT_MIN = 4.6;

/** Cosine of the largest angle between two pieces that are written in the same direction (about 8 degrees). */
const SAME_DIRECTION = 0.99;

/**
 * The lines of a page as the file draws them: one ends before another line or direction, and a tab stands for a wide gap
 * (also backwards, where text is drawn over text). Distances are along and across the direction of writing, whatever it is.
 */
export function drawnLines(items: readonly TextItem[]): PageLine[] {
  const lines: PageLine[] = [];
  let line: TextItem[] = [];
  let text = "";
  let lineHeight = 0;
  const endLine = () => {
    lines.push({ text, place: placeOf(line) });
    [line, text, lineHeight] = [[], "", 0];
  };
  let previous: TextItem | undefined;
  for (const item of items) {
    const divider = previous === undefined ? "" : dividerBetween(previous, item, lineHeight);
    if (divider === "\n") endLine();
    else text += divider;
    text += item.str;
    line.push(item);
    lineHeight = Math.max(lineHeight, item.height);
    if (item.hasEOL) endLine();
    previous = item;
  }
  if (line.length > 0) endLine();
  return lines.filter((one) => one.text.trim() !== "");
}

/** Where an upright line stands on its page. */
function placeOf(line: readonly TextItem[]): LinePlace | undefined {
  const written = line.filter(({ str }) => str.trim() !== "");
  const [first] = written;
  if (first === undefined || !written.every((item) => direction(item)[0] > SAME_DIRECTION)) return undefined;
  return {
    left: written.reduce((left, item) => Math.min(left, at(item, 4)), at(first, 4)),
    right: written.reduce((right, item) => Math.max(right, at(item, 4) + item.width), at(first, 4)),
    baseline: at(first, 5),
    height: written.reduce((most, { height }) => Math.max(most, height), 0),
  };
}

function dividerBetween(previous: TextItem, item: TextItem, lineHeight: number): "" | "\t" | "\n" {
  if (previous.hasEOL) return "";
  const [ux, uy] = direction(previous);
  const dx = at(item, 4) - at(previous, 4);
  const dy = at(item, 5) - at(previous, 5);
  const across = Math.abs(dy * ux - dx * uy);
  const gap = Math.abs(dx * ux + dy * uy - previous.width);
  const blank = item.str.trim() === ""; // has no meaningful direction
  const [ix, iy] = direction(item);
  const isParallel = ix * ux + iy * uy > SAME_DIRECTION;
  if (!blank && !isParallel) return "\n";
  if (across > Math.max(LINE_SHIFT_MIN, lineHeight + SHIFT_SLACK) && !(blank && item.hasEOL)) return "\n";
  return gap > CELL_GAP && across < LINE_SHIFT_MIN ? "\t" : "";
}

function direction(item: TextItem): readonly [x: number, y: number] {
  const length = Math.hypot(at(item, 0), at(item, 1));
  return length === 0 ? [1, 0] : [at(item, 0) / length, at(item, 1) / length];
}

function at(item: TextItem, index: number): number {
  return item.transform[index] ?? 0;
}

const Shared = { annotationFlags: z.number().default(0) };

/** The annotations that put text on the page, as pdf.js describes them. */
const Annotation = z.discriminatedUnion("subtype", [
  z.object({ ...Shared, subtype: z.literal("FreeText"), textContent: z.array(z.string()).default([]) }),
  z.object({
    ...Shared,
    subtype: z.literal("Widget"),
    fieldType: z.enum(["Tx", "Ch"]),
    fieldName: z.string().default(""),
    fieldValue: z.union([z.string(), z.array(z.string())]).nullish(),
    password: z.boolean().default(false),
    options: z.array(z.object({ exportValue: z.string(), displayValue: z.string() })).default([]),
  }),
]);

type Annotation = z.infer<typeof Annotation>;

/** The flags Hidden and NoView (ISO 32000-1, table 165). */
const NOT_SHOWN = 2 | 32;

/**
 * The text that annotations put on a page: the values of text fields and choices, and text typed onto the page (FreeText), with
 * which many programs fill in forms without fields. Comments, which the author did not write, and hidden text are not read.
 * @param fieldsSeen names of the fields that were read; a field on several pages counts once.
 */
function annotationTexts(annotations: readonly unknown[], fieldsSeen: Set<string>): string[] {
  return annotations.flatMap((raw) => {
    const parsed = Annotation.safeParse(raw);
    if (!parsed.success || (parsed.data.annotationFlags & NOT_SHOWN) !== 0) return [];
    const text = textOf(parsed.data, fieldsSeen);
    return text.trim() === "" ? [] : [text];
  });
}

function textOf(annotation: Annotation, fieldsSeen: Set<string>): string {
  if (annotation.subtype === "FreeText") return annotation.textContent.join("\n");
  const { fieldName, fieldValue, options, password } = annotation;
  if (password || fieldValue === null || fieldValue === undefined) return "";
  if (fieldName !== "" && fieldsSeen.has(fieldName)) return "";
  fieldsSeen.add(fieldName);
  const values = typeof fieldValue === "string" ? [fieldValue] : fieldValue;
  return values.map((value) => shown(value, options)).join("\n");
}

/** A choice is stored under one name and shown under another. */
function shown(value: string, options: readonly { exportValue: string; displayValue: string }[]): string {
  return options.find(({ exportValue }) => exportValue === value)?.displayValue ?? value;
}
