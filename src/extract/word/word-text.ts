import { posix } from "node:path";

import { type DomainError, unreadableFile } from "../../platform/domain-error.ts";
import type { HiddenText } from "../../text/hidden-text.ts";
import { inlineEmbeddedFiles } from "./embedded-files.ts";
import { placeNotes } from "./notes-in-place.ts";
import { readBlocks } from "./word-blocks.ts";
import {
  markHiddenText,
  readWordStyles,
  stylesFor,
  type WordStyles,
  withoutHiddenText,
} from "./word-hidden.ts";
import { openWordPackage, type Relationship, type WordPackage } from "./word-package.ts";
import { ATTRIBUTES, readAttributes, simplifyWordXml, unescapeXml, withUsualPrefixes } from "./word-xml.ts";

/** Documents inside documents inside documents: more is an attack, not a text. */
const NESTED_MAX = 2;

/**
 * Reads the text of a Word document: paragraphs, tables (cell after cell), text boxes after the paragraph that holds them, embedded
 * files in their places, footnotes and endnotes behind the paragraph that refers to them; then the words of charts and diagrams, and each
 * different header and footer once. Comments, deleted text, signs of formulas, attachments, building blocks and pictures are not read.
 * @throws DomainError `unreadable_file` when the XML is not a document, or an embedded file can't be read.
 */
export async function readWordText(archive: WordPackage): Promise<WordText> {
  return withoutHiddenText(await readMarkedText(archive, NESTED_MAX));
}

/** The text without what the document hides from its reader, and that. */
type WordText = { readonly text: string; readonly hidden: readonly HiddenText[] };

async function readMarkedText(archive: WordPackage, nestedMax: number): Promise<string> {
  const related = await archive.relationships(archive.mainPart);
  const styles = await stylesOf(archive, related);
  const named = (type: string) =>
    related.flatMap((one) => (one.type === type && one.part !== undefined ? [one.part] : [])).toSorted();

  /** The simplified XML inside the root (or body) of a part; `undefined` when the package has no such part. */
  const contentOf = async (part: string, element: string) => {
    const xml = await archive.readXml(part);
    if (xml === undefined) return undefined;
    const content = contentIn(
      simplifyWordXml(xml, (own) => markHiddenText(own, stylesFor(xml, styles))),
      element,
    );
    return inlineEmbeddedFiles(content, part, archive, async (bytes) => {
      if (nestedMax === 0) throw damaged(new Error("too many documents inside each other"));
      return readMarkedText(await openNested(bytes), nestedMax - 1);
    });
  };
  const notesOf = async (kind: "footnote" | "endnote") => {
    const part = relatedPart(archive, related, `${kind}s`);
    return notesIn((await contentOf(part, `${kind}s`)) ?? "", kind);
  };

  const body = await contentOf(archive.mainPart, "body");
  if (body === undefined) throw damaged(new Error("the package has no main part"));
  const texts = [
    await readXml(withNotes(body, [...(await notesOf("footnote")), ...(await notesOf("endnote"))])),
  ];

  for (const part of [...named("chart"), ...named("diagramData")]) {
    const words = drawingWords(withUsualPrefixes((await archive.readXml(part)) ?? ""));
    texts.push(...words.map((text) => `${text}\n\n`));
  }
  const margins = new Set<string>();
  for (const [kind, element] of [
    ["header", "hdr"],
    ["footer", "ftr"],
  ] as const) {
    for (const part of named(kind))
      margins.add((await readXml((await contentOf(part, element)) ?? "")).trim());
  }
  return (
    texts.join("") +
    [...margins]
      .filter(hasLetter)
      .map((text) => `${text}\n\n`)
      .join("")
  );
}

/** What decides how text looks, besides its own formatting. */
export async function stylesOf(archive: WordPackage, related: readonly Relationship[]): Promise<WordStyles> {
  const part = async (type: string) =>
    withUsualPrefixes((await archive.readXml(relatedPart(archive, related, type))) ?? "");
  const settings = await part("settings");
  const main = settings.includes("<w:displayBackgroundShape")
    ? await archive.readXml(archive.mainPart)
    : undefined;
  const page = /<\w+:background\s[^<>]*\w+:color="([\da-fA-F]{6})"/.exec(main ?? "")?.[1];
  return readWordStyles(await part("styles"), page);
}

/** The part of a type that a document has at most once. Some programs leave the relationship out; the part then has its usual name. */
export function relatedPart(
  { mainPart }: WordPackage,
  related: readonly Relationship[],
  type: string,
): string {
  const parts = related.flatMap((one) => (one.type === type && one.part !== undefined ? [one.part] : []));
  return parts.toSorted()[0] ?? posix.join(posix.dirname(mainPart), `${type}.xml`);
}

/** An embedded file that is not a Word document damages the one that calls it so, since nobody chose its type. */
export async function openNested(bytes: Uint8Array): Promise<WordPackage> {
  try {
    return await openWordPackage(bytes, []);
  } catch (cause) {
    throw damaged(cause);
  }
}

/** @throws DomainError when the element is missing, never closed, or one of several. */
function contentIn(xml: string, element: string): string {
  const start = new RegExp(`<w:${element}(?:\\s${ATTRIBUTES})?/?>`).exec(xml);
  if (start === null) throw damaged(new Error(`no ${element} in the XML`));
  if (start[0].endsWith("/>")) return "";
  const end = xml.lastIndexOf(`</w:${element}`);
  if (end < start.index) throw damaged(new Error(`the ${element} is never closed`));
  return xml.slice(start.index + start[0].length, end);
}

type Note = readonly [key: string, content: string];

function notesIn(xml: string, kind: "footnote" | "endnote"): Note[] {
  return xml
    .split(new RegExp(`<w:${kind}(?=\\s)`))
    .slice(1)
    .map((note) => {
      const tagEnd = note.indexOf(">");
      const content = note.slice(tagEnd + 1, Math.max(tagEnd + 1, note.lastIndexOf(`</w:${kind}>`)));
      return [`${kind} ${readAttributes(note.slice(0, tagEnd)).get("id")}`, content];
    });
}

const NOTE_REFERENCE = new RegExp(`<w:(footnote|endnote)Reference\\s${ATTRIBUTES}>`, "g");

const PARAGRAPH_END = "</w:p>";

function withNotes(body: string, notes: readonly Note[]): string {
  return placeNotes(body, new Map(notes), {
    reference: NOTE_REFERENCE,
    keyOf: ([tag, kind]) => `${kind} ${readAttributes(tag).get("id")}`,
    paragraphEnd: (text, from) => {
      const end = text.indexOf(PARAGRAPH_END, from);
      return end < 0 ? end : end + PARAGRAPH_END.length;
    },
  });
}

/** The numbers that a chart was drawn from. Its titles and names are stored apart from them. */
const CHART_NUMBERS = /<c:(numCache|numLit)>[\s\S]*?<\/c:\1>/g;

/** A text of a drawing, a name in a chart, and the ends of both; each with the text up to the next tag. */
const DRAWING_TEXT = /<(\/?)(a:p|a:t|c:v|dgm:t)(?=[\s/>])[^<>]*>([^<]*)/g;

/** The words of a chart or a diagram (SmartArt), each once: a chart repeats the names of its categories for every series. */
function drawingWords(xml: string): string[] {
  const found = new Set<string>();
  let words = "";
  for (const [, closing, name, text = ""] of xml.replace(CHART_NUMBERS, "").matchAll(DRAWING_TEXT)) {
    const isText = name === "a:t" || name === "c:v";
    if (isText && closing === "") words += text;
    else if (closing === "/" && name !== "a:t") {
      found.add(unescapeXml(words).trim());
      words = "";
    }
  }
  return [...found].filter(hasLetter);
}

/** False for page numbers and figures. */
function hasLetter(text: string): boolean {
  return /\p{L}/u.test(text);
}

async function readXml(blocks: string): Promise<string> {
  try {
    return await readBlocks(blocks);
  } catch (cause) {
    throw damaged(cause);
  }
}

export function damaged(cause: unknown): DomainError {
  return unreadableFile(
    "The file is a damaged Word document and can't be read. Open it in Word and save it again.",
    cause,
  );
}
