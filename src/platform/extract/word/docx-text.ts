import { posix } from "node:path";

import { DomainError } from "../../../core/domain-error.ts";
import { inlineAltChunks } from "./alt-chunk.ts";
import { drawingWords } from "./drawing-words.ts";
import { PARAGRAPH_END, readWordXml } from "./mammoth-text.ts";
import { slimWordXml } from "./slim-word-xml.ts";
import { unwrapWordXml } from "./unwrap-word-xml.ts";
import { withUsualPrefixes } from "./usual-prefixes.ts";
import { openWordPackage, type WordPackage } from "./word-package.ts";

/** Documents inside documents inside documents: more is an attack, not a text. */
const NESTED_MAX = 2;

/**
 * Reads the text of a Word document: paragraphs, tables (cell after cell), text boxes after the paragraph that holds
 * them, embedded HTML, plain text and Word files where they stand; then the footnotes and endnotes in the order of
 * their marks, the words of charts and diagrams, and the headers and footers, each text once however many pages
 * repeat it. Not read: comments, which are not the author's text but what others say of it; deleted text; formulas;
 * files that only open with a double click; building blocks, and all that pictures show.
 *
 * @throws DomainError `unreadable_file` when the XML inside is not that of a document, or an embedded file that is
 *   part of the text can't be read.
 */
export async function readDocxText(archive: WordPackage, nestedMax = NESTED_MAX): Promise<string> {
  const parts = openParts(archive, nestedMax);
  const document = await parts.read(archive.mainPart);
  if (document === undefined) throw damaged(new Error("the package has no main part"));
  const body = await readXml({
    document,
    footnotes: await parts.read(parts.notes("footnotes")),
    endnotes: await parts.read(parts.notes("endnotes")),
  });
  const drawings = [...parts.named("chart"), ...parts.named("diagramData")];
  const words = drawings.flatMap((part) => drawingWords(withUsualPrefixes(archive.readXml(part) ?? "")));
  const margins = new Set<string>();
  for (const part of [...parts.named("header"), ...parts.named("footer")]) {
    const xml = await parts.read(part);
    if (xml !== undefined) margins.add((await readXml({ document: asDocument(xml) })).trim());
  }
  const behind = [...words, ...[...margins].filter(isMoreThanPageNumber)];
  return body + behind.map((text) => text + PARAGRAPH_END).join("");
}

type Parts = {
  /** The parts that the document refers to as its `type`. */
  named(type: string): string[];
  notes(type: "footnotes" | "endnotes"): string;
  /** The XML of a part, rewritten so that the reader finds all text in it and little else. */
  read(part: string): Promise<string | undefined>;
};

function openParts(archive: WordPackage, nestedMax: number): Parts {
  const related = archive.relationships(archive.mainPart);
  const named = (type: string) =>
    related.flatMap((one) => (one.type === type && one.part !== undefined ? [one.part] : [])).toSorted();
  return {
    named,
    // Some programs leave this relationship out; the part then has its usual name.
    notes: (type) => named(type)[0] ?? posix.join(posix.dirname(archive.mainPart), `${type}.xml`),
    async read(part) {
      const xml = archive.readXml(part);
      if (xml === undefined) return undefined;
      const readable = slimWordXml(unwrapWordXml(withUsualPrefixes(xml)));
      return inlineAltChunks(readable, part, archive, async (bytes) => {
        if (nestedMax === 0) throw damaged(new Error("too many documents inside each other"));
        return readDocxText(openNested(bytes), nestedMax - 1);
      });
    },
  };
}

/** What calls itself a Word document and is none is a damaged one here, since nobody chose its type. */
function openNested(bytes: Uint8Array): WordPackage {
  try {
    return openWordPackage(bytes, []);
  } catch (cause) {
    throw damaged(cause);
  }
}

/** A header or footer has the content of a document's body, inside another root. */
function asDocument(xml: string): string {
  return xml
    .replace(/<w:(hdr|ftr)(\s[^<>]*?)?\/>/, "<w:$1$2></w:$1>")
    .replace(/<w:(?:hdr|ftr)(?:\s[^<>]*)?>/, "$&<w:body>")
    .replace(/<\/w:(?:hdr|ftr)\s*>/, "</w:body>$&");
}

function isMoreThanPageNumber(text: string): boolean {
  return /\p{L}/u.test(text);
}

async function readXml(parts: Parameters<typeof readWordXml>[0]): Promise<string> {
  try {
    return await readWordXml(parts);
  } catch (cause) {
    throw damaged(cause);
  }
}

function damaged(cause: unknown): DomainError {
  return new DomainError(
    "unreadable_file",
    "The file is a damaged Word document and can't be read. Open it in Word and save it again.",
    { cause },
  );
}
