import type { PDFPageProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import { z } from "zod";

import type { LinePiece, LinePlace, Page, PageLine, TextItem } from "./pdf-layout.ts";

/** How pdf.js describes a font of a page: the height of its letters above and below the baseline, as shares of the line. */
type FontStyle = { readonly fontFamily: string; readonly ascent: number; readonly descent: number };

export type ReadPage = Page & { readonly fonts: Readonly<Record<string, FontStyle>> };

/**
 * Reads the lines of a page, and after them the text that annotations put on it. The browser reads pages in the same way, to find
 * the places of a text on them.
 * @param fieldsSeen names of the form fields that were read; a field on several pages counts once.
 */
export async function readPage(page: PDFPageProxy, fieldsSeen: Set<string>): Promise<ReadPage> {
  const { items, styles } = await page.getTextContent();
  const drawn = drawnLines(items.filter((item) => "str" in item));
  const added = annotationTexts(await page.getAnnotations(), fieldsSeen).filter((text) => text !== "");
  const [, bottom = 0, , top = 0] = page.view;
  const lines = [...drawn, ...added.map((text) => ({ text, place: undefined }))];
  return { lines, bottom, height: Math.max(1, top - bottom), fonts: styles };
}

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
  let pieces: LinePiece[] = [];
  let text = "";
  let lineHeight = 0;
  const endLine = () => {
    lines.push({ text, place: placeOf(line), pieces });
    [line, pieces, text, lineHeight] = [[], [], "", 0];
  };
  let previous: TextItem | undefined;
  for (const item of items) {
    const divider = previous === undefined ? "" : dividerBetween(previous, item, lineHeight);
    if (divider === "\n") endLine();
    else text += divider;
    pieces.push({ start: text.length, item });
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
