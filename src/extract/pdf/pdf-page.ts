import type { PDFPageProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import { z } from "zod";

import { lineNumbersOf, lineOfNumbers } from "./pdf-line-numbers.ts";
import { drawnLines, type Page, type TextItem } from "./pdf-lines.ts";

/** How pdf.js describes a font of a page: the height of its letters above and below the baseline, as shares of the line. */
type FontStyle = { readonly fontFamily: string; readonly ascent: number; readonly descent: number };

export type ReadPage = Page & { readonly fonts: Readonly<Record<string, FontStyle>> };

/** State carried from the earlier pages of a document to the next ones. */
export type ReadSoFar = {
  /** The names of the form fields that were read; a field on several pages counts once. */
  readonly fields: Set<string>;
  /** Where the numbers of lines begin or end, in points from the left. */
  readonly numberEdges: number[];
};

/**
 * Reads the lines of a page, and after them the numbers of its lines and the text that annotations put on it. The browser reads pages in
 * the same way, to find the places of a text on them.
 * @param soFar is changed by each page.
 */
export async function readPage(page: PDFPageProxy, soFar: ReadSoFar): Promise<ReadPage> {
  const { items, styles } = await page.getTextContent();
  const texts = items.filter((item) => "str" in item);
  const [, bottom = 0, , top = 0] = page.view;
  const height = Math.max(1, top - bottom);
  const numbers = lineNumbersOf(texts, { bottom, height }, soFar.numberEdges);
  const isFixed = ({ str, fontName }: TextItem) =>
    str.trim() === "" || styles[fontName]?.fontFamily === "monospace";
  const drawn = drawnLines(texts.filter((item) => !numbers.has(item))).map((line) =>
    line.pieces?.every(({ item }) => isFixed(item)) ? { ...line, isFixedWidth: true } : line,
  );
  const added = annotationTexts(await page.getAnnotations(), soFar.fields).filter((text) => text !== "");
  const lines = [...drawn, ...lineOfNumbers(numbers), ...added.map((text) => ({ text, place: undefined }))];
  return { lines, bottom, height, fonts: styles };
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
