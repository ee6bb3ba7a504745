import type { PDFPageProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import { z } from "zod";

import { pageTexts } from "./pdf-items.ts";
import { lineNumbersOf, lineOfNumbers } from "./pdf-line-numbers.ts";
import { drawnLines, type HiddenRun, type Page, type PageLine, type TextItem } from "./pdf-lines.ts";
import { type Layers, paintedGlyphs } from "./pdf-painting.ts";
import { readableGlyphs } from "./pdf-readable.ts";
import { readTexFonts } from "./pdf-tex-fonts.ts";

/** How pdf.js describes a font of a page: the height of its letters above and below the baseline, as shares of the line. */
type FontStyle = { readonly fontFamily: string; readonly ascent: number; readonly descent: number };

/** Why the text of a page is not the whole text that it shows: it is a picture, or its fonts can't be read. */
export type PageGap = "no_text" | "unreadable_font";

export type ReadPage = Page & {
  readonly fonts: Readonly<Record<string, FontStyle>>;
  readonly gap: PageGap | undefined;
};

/** State carried from the earlier pages of a document to the next ones. */
export type ReadSoFar = {
  /** The names of the form fields that were read; a field on several pages counts once. */
  readonly fields: Set<string>;
  /** Where the numbers of lines begin or end, in points from the left. */
  readonly numberEdges: number[];
  /** Counts the pictures that pdf.js has left out so far; missing where it leaves out none. */
  readonly picturesLeftOut?: () => number;
  /** The layers of the document that can be switched on and off. */
  readonly layers?: Layers | undefined;
  /** False for a file that has neither form fields nor text that was typed onto its pages. */
  readonly mayHaveTypedText?: boolean;
};

/**
 * Reads the lines of a page, and after them the numbers of its lines and the text that annotations put on it. The browser reads pages in
 * the same way, to find the places of a text on them.
 * @param soFar is changed by each page. @param actualTexts see `readableGlyphs` @param arePicturesOpaque see `paintedGlyphs`
 */
export async function readPage(
  page: PDFPageProxy,
  soFar: ReadSoFar,
  actualTexts: () => ReadonlyMap<number, string> = () => new Map(),
  arePicturesOpaque: () => boolean = () => false,
): Promise<ReadPage> {
  const painting = await paintedGlyphs(page, soFar.picturesLeftOut, soFar.layers, arePicturesOpaque);
  readTexFonts(painting.glyphs);
  const { glyphs, isUnreadable } = readableGlyphs(painting.glyphs, actualTexts);
  const { items: texts, hidden } = pageTexts(glyphs);
  const styles = Object.fromEntries(
    [...painting.fonts].map(([name, { family, ascent, descent }]) => [
      name,
      { fontFamily: family, ascent, descent },
    ]),
  );
  const [, bottom = 0, , top = 0] = page.view;
  const height = Math.max(1, top - bottom);
  const numbers = lineNumbersOf(texts, { bottom, height }, soFar.numberEdges);
  const isFixed = ({ str, fontName }: TextItem) =>
    str.trim() === "" || styles[fontName]?.fontFamily === "monospace";
  const drawn = drawnLines(texts.filter((item) => !numbers.has(item))).map((line) =>
    line.pieces?.every(({ item }) => isFixed(item)) ? { ...line, isFixedWidth: true } : line,
  );
  // pdf.js reads the whole page again for its links.
  const annotations = soFar.mayHaveTypedText === false ? [] : await page.getAnnotations();
  const added = annotationTexts(annotations, soFar.fields).filter((text) => text !== "");
  const lines = [
    ...withHidden(drawn, hidden),
    ...lineOfNumbers(numbers),
    ...added.map((text) => ({ text, place: undefined })),
  ];
  const hasText = lines.reduce((sum, { text }) => sum + text.length, 0) >= TEXT_MIN;
  // A number may have been printed on a scan.
  const isBare = !lines.some(({ text }) => /\p{L}/u.test(text));
  const isPicture = painting.pictureShare >= (isBare ? PICTURE_MIN : SCAN_MIN);
  const gap = isUnreadable ? "unreadable_font" : !hasText && isPicture ? "no_text" : undefined;
  return { lines, bottom, height, fonts: styles, gap, ...(drawn.length === 0 && { hidden }) };
}

/** A page of less text, in UTF-16 units, may be a scan with a stamp or a number on it. */
const TEXT_MIN = 100;

/** The share of a page that a picture covers, at least, for the page to be named: one without text, and a scan. */
const PICTURE_MIN = 0.1;
const SCAN_MIN = 0.8;

/** The lines with the hidden text that would stand in each: in the nearest one, behind the text to its left. */
function withHidden(lines: readonly PageLine[], hidden: readonly HiddenRun[]): PageLine[] {
  const byLine = new Map<PageLine, NonNullable<PageLine["hidden"]>[number][]>();
  const inLine = new Map(
    lines.flatMap((line) =>
      (line.pieces ?? []).flatMap(({ item, start }) =>
        item.before === undefined
          ? []
          : [[item.before, { line, at: start + item.str.trimEnd().length }] as const],
      ),
    ),
  );
  for (const run of hidden) {
    const { means, text, x, y } = run;
    const line = inLine.get(run)?.line ?? nearestLine(lines, x, y);
    if (line === undefined) continue;
    const before = line.pieces?.findLast(
      ({ item }) => item.str.trim() !== "" && (item.transform[4] ?? 0) <= x,
    );
    const at = inLine.get(run)?.at ?? (before === undefined ? 0 : before.start + offsetIn(before.item, x));
    byLine.set(line, [...(byLine.get(line) ?? []), { at, means, text }]);
  }
  return lines.map((line) => {
    const own = byLine.get(line);
    return own === undefined ? line : { ...line, hidden: own };
  });
}

function nearestLine(lines: readonly PageLine[], x: number, y: number): PageLine | undefined {
  const distance = ({ place }: PageLine) =>
    place === undefined
      ? Number.MAX_VALUE
      : 10 * Math.abs(place.baseline - y) + Math.max(place.left - x, x - place.right, 0);
  return lines.toSorted((a, b) => distance(a) - distance(b))[0];
}

/** The offset behind the word of a piece that ends nearest to a place. */
function offsetIn({ str, width, transform }: TextItem, x: number): number {
  const share = (x - (transform[4] ?? 0)) / (width || 1);
  if (share >= 0.98) return str.length;
  const space = str.indexOf(" ", Math.floor(share * str.length));
  return space < 0 ? str.length : space;
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
