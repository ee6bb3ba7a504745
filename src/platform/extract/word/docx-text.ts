import mammoth from "mammoth";

import { DomainError } from "../../../core/domain-error.ts";

/** What stands at the end of a paragraph, in mammoth's own raw text too. */
const PARAGRAPH_END = "\n\n";

/**
 * Reads the text of a Word document: paragraphs, tables (cell after cell), text boxes and, at the end, the
 * footnotes and endnotes in the order of their marks. Not read: headers and footers, which repeat on each page;
 * comments, which are not the author's text; deleted text, formulas, charts and embedded files.
 *
 * Mammoth's `extractRawText` would lose the notes and join the words on both sides of a line break, so the text is
 * taken from the document tree that mammoth hands to `transformDocument`.
 *
 * @param archive a ZIP whose sizes have been checked (`openWordPackage`).
 * @throws DomainError `unreadable_file` when the XML inside is not that of a document.
 */
export async function readDocxText(archive: Buffer): Promise<string> {
  let text = "";
  try {
    await mammoth.convertToHtml(
      { buffer: archive },
      {
        transformDocument: (document: unknown) => {
          text = documentText(document);
          return isNode(document) ? { ...document, children: [] } : document; // no HTML is wanted
        },
      },
    );
  } catch (cause) {
    throw new DomainError(
      "unreadable_file",
      "The file is a damaged Word document and can't be read. Open it in Word and save it again.",
      { cause },
    );
  }
  return text;
}

type Node = Readonly<Record<string, unknown>>;

function documentText(document: unknown): string {
  const parts: string[] = [];
  const noteMarks: Node[] = [];
  collect(document, parts, noteMarks);
  // A note may itself hold the mark of a note: the list grows while it is read, and each note is read once.
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
