import { type DomainError, unreadableFile } from "../../platform/domain-error.ts";
import { htmlText } from "../text/html-text.ts";
import { decodeText } from "../text/text-file.ts";
import type { WordPackage } from "./word-package.ts";
import { ATTRIBUTES, escapeXml, readAttributes } from "./word-xml.ts";

/** Reads a Word document that is embedded in another one. */
type ReadNested = (bytes: Uint8Array) => Promise<string>;

const ALT_CHUNK = new RegExp(`<w:altChunk(?=[\\s/>])(${ATTRIBUTES})(?:/>|>[\\s\\S]*?</w:altChunk>)`, "g");

/**
 * Puts the text of embedded files in the places where a part of a document includes them (`w:altChunk`, ISO/IEC 29500-1,
 * 17.17.2): HTML, web archives, plain text and Word documents. Some programs put the whole document into such a file.
 * @param xml simplified XML of `part`. @throws DomainError `unreadable_file` for a file that can't be read, such as RTF: without
 *   it, a part of the text would be checked as if it were the whole.
 */
export async function inlineEmbeddedFiles(
  xml: string,
  part: string,
  archive: WordPackage,
  readNested: ReadNested,
): Promise<string> {
  const chunks = [...xml.matchAll(ALT_CHUNK)];
  if (chunks.length === 0) return xml;
  const relationships = await archive.relationships(part);
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
  const bytes = target === undefined ? undefined : await archive.read(target);
  if (target === undefined || bytes === undefined) throw unreadable("is missing");
  const kind = archive.contentType(target) || target;
  const reader = READERS.find(({ kinds }) => kinds.test(kind));
  const text = await reader?.read(bytes, readNested);
  if (text === undefined) throw unreadable(`can't be read, because of its type (${kind})`);
  return text.trim();
}

type Reader = {
  /** Media types, or extensions where the package states no type. */
  readonly kinds: RegExp;
  read(bytes: Uint8Array, readNested: ReadNested): string | undefined | Promise<string>;
};

const READERS: readonly Reader[] = [
  { kinds: /rfc822|multipart|mhtml|\.mht$/i, read: readWebArchive },
  { kinds: /html|\.htm$/i, read: (bytes) => readHtml(decodeHtml(bytes)) },
  { kinds: /text\/plain|\.txt$/i, read: (bytes) => decodeText(bytes)?.replace(/\r\n?/g, "\n") },
  {
    kinds: /wordprocessingml|ms-word\.\w+\.macroenabled|\.do[ct][xm]$/i,
    read: (bytes, readNested) => readNested(bytes),
  },
];

/** The text of an embedded page. */
export function readHtml(html: string): string {
  try {
    return htmlText(html);
  } catch (cause) {
    if (cause instanceof RangeError) throw unreadable("is nested too deeply", cause);
    throw cause;
  }
}

/** An encoding that the page names for itself, in its first kilobyte as the standard requires. */
const STATED_ENCODING = /<(?:meta|\?xml)[^>]*?(?:charset|encoding)\s*=\s*["']?\s*([\w-]+)/i;
const STATED_WITHIN_BYTES = 1024;

/** Decodes a page in the given encoding, in the one that it names, or else as a text file. */
export function decodeHtml(bytes: Uint8Array, charset?: string): string {
  const head = Buffer.from(bytes.subarray(0, STATED_WITHIN_BYTES)).toString("latin1");
  const stated = charset ?? STATED_ENCODING.exec(head)?.[1];
  try {
    if (stated !== undefined) return new TextDecoder(stated).decode(bytes);
  } catch {
    // The encoding is unknown, so the bytes decide.
  }
  return decodeText(bytes) ?? "";
}

/** A page is a part of the archive, or a part of a list of alternatives in it. */
const ARCHIVE_DEPTH_MAX = 3;

/** Reads the page of a web archive (MHTML, RFC 2557), without its pictures and other parts; undefined when it has no page. */
export function readWebArchive(bytes: Uint8Array): string | undefined {
  const page = findPage(Buffer.from(bytes).toString("latin1"), ARCHIVE_DEPTH_MAX);
  return page === undefined ? undefined : readHtml(page);
}

function findPage(message: string, depthMax: number): string | undefined {
  const { header, body } = splitMessage(message);
  const type = headerField(header, "content-type");
  const boundary = parameter(type, "boundary");
  if (boundary === undefined) {
    if (!/^text\/html|^application\/xhtml\+xml/i.test(type)) return undefined;
    const content = decodeBody(body, headerField(header, "content-transfer-encoding"));
    return decodeHtml(content, parameter(type, "charset"));
  }
  if (depthMax === 0) return undefined;
  for (const part of body.split(`--${boundary}`).slice(1)) {
    const page = findPage(part.replace(/^\r?\n/, ""), depthMax - 1);
    if (page !== undefined) return page;
  }
  return undefined;
}

/** A blank line ends the header. A header line that begins with white space continues the one before. */
function splitMessage(message: string): { readonly header: string; readonly body: string } {
  const end = /\r?\n\r?\n/.exec(message);
  if (end === null) return { header: "", body: "" };
  return {
    header: message.slice(0, end.index).replace(/\r?\n[ \t]+/g, " "),
    body: message.slice(end.index + end[0].length),
  };
}

function headerField(header: string, name: string): string {
  return new RegExp(`^${name}:[ \\t]*(.*)$`, "im").exec(header)?.[1]?.trim() ?? "";
}

function parameter(value: string, name: string): string | undefined {
  const found = new RegExp(`;\\s*${name}\\s*=\\s*(?:"([^"]*)"|([^\\s;]+))`, "i").exec(value);
  return found?.[1] ?? found?.[2];
}

function decodeBody(body: string, encoding: string): Buffer {
  switch (encoding.toLowerCase()) {
    case "base64":
      return Buffer.from(body, "base64");
    case "quoted-printable":
      return Buffer.from(
        body
          .replace(/=[ \t]*\r?\n/g, "")
          .replace(/=([\da-f]{2})/gi, (_all, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
        "latin1",
      );
    default:
      return Buffer.from(body, "latin1");
  }
}

function unreadable(fault: string, cause?: unknown): DomainError {
  return unreadableFile(
    `A file that is embedded in the Word document as part of its text ${fault}. Open the document in Word, save it again, and submit that.`,
    cause,
  );
}
