import { DomainError } from "../../../core/domain-error.ts";
import { decodeText } from "../decode-text.ts";
import { decodeHtml, readHtmlText } from "./html-text.ts";
import { readWebArchive } from "./web-archive.ts";
import type { WordPackage } from "./word-package.ts";
import { ATTRIBUTES, escapeXml, readAttributes } from "./xml-text.ts";

const ALT_CHUNK = new RegExp(`<w:altChunk(?=[\\s/>])(${ATTRIBUTES})(?:/>|>[\\s\\S]*?</w:altChunk>)`, "g");

/** Reads a Word document that lies inside another one. */
export type ReadNested = (bytes: Uint8Array) => Promise<string>;

/**
 * Puts the text of embedded files in the places where a part of a document includes them (`w:altChunk`, ISO/IEC
 * 29500-1, 17.17.2): HTML, web archives, plain text and Word documents. To the reader of the document it is part of
 * its text: some programs put the whole document into such a file.
 *
 * @param xml the XML of `part`, with the usual prefixes.
 * @throws DomainError `unreadable_file` for an embedded file of another kind, such as RTF: to leave it out silently
 *   would be to check a part of the text and call it the whole.
 */
export async function inlineAltChunks(
  xml: string,
  part: string,
  archive: WordPackage,
  readNested: ReadNested,
): Promise<string> {
  const chunks = [...xml.matchAll(ALT_CHUNK)];
  if (chunks.length === 0) return xml;
  const relationships = archive.relationships(part);
  const pieces: string[] = [];
  let from = 0;
  for (const chunk of chunks) {
    const id = readAttributes(chunk[1] ?? "").get("id");
    const target = relationships.find((relationship) => relationship.id === id)?.part;
    const text = await readEmbedded(target, archive, readNested);
    pieces.push(xml.slice(from, chunk.index), `<w:p><w:r><w:t>${escapeXml(text)}</w:t></w:r></w:p>`);
    from = chunk.index + chunk[0].length;
  }
  return pieces.join("") + xml.slice(from);
}

async function readEmbedded(
  target: string | undefined,
  archive: WordPackage,
  readNested: ReadNested,
): Promise<string> {
  const bytes = target === undefined ? undefined : archive.read(target);
  if (target === undefined || bytes === undefined) throw unreadable("is not there");
  const kind = archive.contentType(target) || target;
  const reader = READERS.find(({ kinds }) => kinds.test(kind));
  const text = await reader?.read(bytes, readNested);
  if (text === undefined) throw unreadable(`can't be read, because of its kind (${kind})`);
  return text.trim();
}

type Reader = {
  /** The media types that are read so, or the endings of names where the package states no type. */
  readonly kinds: RegExp;
  read(bytes: Uint8Array, readNested: ReadNested): string | undefined | Promise<string>;
};

const READERS: readonly Reader[] = [
  { kinds: /rfc822|multipart|mhtml|\.mht$/i, read: readArchivedPage },
  { kinds: /html|\.htm$/i, read: (bytes) => readHtmlText(decodeHtml(bytes)) },
  { kinds: /text\/plain|\.txt$/i, read: (bytes) => decodeText(bytes)?.replace(/\r\n?/g, "\n") },
  {
    kinds: /wordprocessingml|ms-word\.\w+\.macroenabled|\.do[ct][xm]$/i,
    read: (bytes, readNested) => readNested(bytes),
  },
];

function readArchivedPage(bytes: Uint8Array): string | undefined {
  const page = readWebArchive(bytes);
  return page === undefined ? undefined : readHtmlText(page);
}

function unreadable(fault: string): DomainError {
  return new DomainError(
    "unreadable_file",
    `A file that is embedded in the Word document as part of its text ${fault}. Open the document in Word, save it again, and submit that.`,
  );
}
