import mammoth from "mammoth";

import { sliceBody } from "./body-slices.ts";
import { writeStoredZip, type ZipMember } from "./stored-zip.ts";

/** What stands at the end of a paragraph, in mammoth's own raw text too. */
export const PARAGRAPH_END = "\n\n";

/** The XML of the parts that a text is made of, with the usual prefixes. */
export type WordXml = {
  readonly document: string;
  readonly footnotes?: string | undefined;
  readonly endnotes?: string | undefined;
};

const WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
const EMPTY_DOCUMENT = `<w:document xmlns:w="${WORD}"><w:body/></w:document>`;

/**
 * Reads a document's body with mammoth, then its footnotes and endnotes in the order of their marks; a note without a
 * mark is not part of the text. Mammoth gets an archive of just these parts, under their usual names: styles, numbers
 * and links play no part in the text. It gets the body slice by slice, because of the memory that it takes.
 *
 * Mammoth's `extractRawText` would lose the notes and join the words on both sides of a line break, so the text is
 * taken from the document tree that mammoth hands to `transformDocument`.
 * Rejects with mammoth's error when the XML is not that of a document.
 */
export async function readWordXml({ document, footnotes, endnotes }: WordXml): Promise<string> {
  const texts: string[] = [];
  const noteMarks: Node[] = [];
  for (const slice of sliceBody(document)) {
    const parts: string[] = [];
    collect(await readTree({ document: slice }), parts, noteMarks);
    texts.push(parts.join("")); // joined at once: the parts are views of the slice, and keep it in memory
  }
  if (noteMarks.length > 0) {
    texts.push(notesText(await readTree({ document: EMPTY_DOCUMENT, footnotes, endnotes }), noteMarks));
  }
  return texts.join("");
}

async function readTree(parts: WordXml): Promise<unknown> {
  let tree: unknown;
  await mammoth.convertToHtml(
    { buffer: archiveOf(parts) },
    {
      transformDocument: (document: unknown) => {
        tree = document;
        return isNode(document) ? { ...document, children: [] } : document; // no HTML is wanted
      },
    },
  );
  return tree;
}

function archiveOf(parts: WordXml): Buffer {
  return writeStoredZip(
    Object.entries(parts).flatMap(([name, xml]): ZipMember[] =>
      xml === undefined ? [] : [{ name: `word/${name}.xml`, content: Buffer.from(xml) }],
    ),
  );
}

type Node = Readonly<Record<string, unknown>>;

/** A note may itself hold the mark of a note: the list grows while it is read, and each note is read once. */
function notesText(document: unknown, noteMarks: Node[]): string {
  const parts: string[] = [];
  const seen = new Set<string>();
  for (const mark of noteMarks) {
    const key = `${mark.noteType}-${mark.noteId}`;
    if (seen.has(key)) continue;
    seen.add(key);
    collectAll(noteBody(document, mark), parts, noteMarks);
  }
  return parts.join("");
}

function collect(node: unknown, parts: string[], noteMarks: Node[]): void {
  if (!isNode(node)) return;
  if (node.type === "text" && typeof node.value === "string") parts.push(node.value);
  else if (node.type === "tab") parts.push("\t");
  else if (node.type === "break") parts.push("\n");
  else if (node.type === "noteReference") noteMarks.push(node);
  else collectAll(node.children, parts, noteMarks);
  if (node.type === "paragraph") parts.push(PARAGRAPH_END);
}

function collectAll(nodes: unknown, parts: string[], noteMarks: Node[]): void {
  if (!Array.isArray(nodes)) return;
  for (const node of nodes) collect(node, parts, noteMarks);
}

/** The document carries its notes apart from its body, behind a look-up by mark. */
function noteBody(document: unknown, mark: Node): unknown {
  if (!isNode(document) || !isNode(document.notes)) return undefined;
  const { notes } = document;
  const note: unknown = typeof notes.resolve === "function" ? notes.resolve(mark) : undefined;
  return isNode(note) ? note.body : undefined;
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null;
}
