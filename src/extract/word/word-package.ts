import { posix } from "node:path";
import { crc32 } from "node:zlib";
import { type Entry, fromBufferPromise, type ZipFile } from "yauzl";

import { DomainError, unreadableFile } from "../../platform/domain-error.ts";
import { type MediaType, passwordProtected, unsupportedFileType } from "../text/extracted-text.ts";
import { readAttributes } from "./word-xml.ts";

/** A document has a few dozen parts; one with a thousand pictures has a little over a thousand. */
const ENTRIES_MAX = 10_000;

/** The declared size of all parts together. Pictures hardly compress, so a real document stays near its own size. */
const DECLARED_BYTES_MAX = 256 * 1024 * 1024;

/**
 * The actual size of the parts that are read. 20 million characters, the longest accepted text, were 42 MB of XML in
 * runs of 200; much more than this would not fit into memory when it is parsed.
 */
const READ_BYTES_MAX = 64 * 1024 * 1024;

const CONTENT_TYPES = "[Content_Types].xml";
const USUAL_MAIN_PART = "word/document.xml";

/** The main part of a document or template, with or without macros (which never run: only text is read). */
const WORD_MAIN_TYPES =
  /application\/(?:vnd\.openxmlformats-officedocument\.wordprocessingml\.(?:document|template)|vnd\.ms-word\.(?:document|template)\.macroEnabled(?:Template)?)\.main\+xml/;

/** A reference from one part of a package to another (ISO/IEC 29500-2, 9.3). */
export type Relationship = {
  readonly id: string;
  /** The last word of the type's URI, such as `header`. It is the same in transitional and strict documents. */
  readonly type: string;
  /** Name of the part inside the package; `undefined` for a target outside it. */
  readonly part: string | undefined;
};

/** The parts of a ZIP archive; undefined for one that is missing. Names are case-insensitive, as the formats require. */
export type Package = {
  /** Whether a part is encrypted, so that no part can be read. */
  readonly isEncrypted: boolean;
  has(part: string): boolean;
  read(part: string): Promise<Uint8Array | undefined>;
  readXml(part: string): Promise<string | undefined>;
  relationships(part: string): Promise<readonly Relationship[]>;
};

/** The parts of a Word document. */
export type WordPackage = Package & {
  readonly mainPart: string;
  /** The media type that the package states for a part; empty when it states none. */
  contentType(part: string): string;
};

/**
 * Opens a ZIP archive. Parts are unpacked when they are read, so pictures and fonts never are, and the limit counts the
 * unpacked bytes, whatever sizes the archive declares. @throws DomainError `unreadable_file`, also when a part is read, for one that is
 * damaged or over a limit.
 */
export async function openPackage(bytes: Uint8Array): Promise<Package> {
  const { zip, entries } = await listEntries(bytes);
  let bytesLeft = READ_BYTES_MAX;

  async function read(part: string): Promise<Uint8Array | undefined> {
    const entry = entries.get(keyOf(part));
    if (entry === undefined) return undefined;
    const content = await unpack(zip, entry, bytesLeft);
    bytesLeft -= content.length;
    return content;
  }

  async function readXml(part: string): Promise<string | undefined> {
    const content = await read(part);
    return content === undefined ? undefined : decodeXml(content);
  }

  async function relationships(part: string): Promise<Relationship[]> {
    const rels = posix.join(posix.dirname(part), "_rels", `${posix.basename(part)}.rels`);
    return readRelationships((await readXml(rels)) ?? "", part);
  }

  const isEncrypted = [...entries.values()].some((entry) => entry.isEncrypted());
  return { isEncrypted, has: (part) => entries.has(keyOf(part)), read, readXml, relationships };
}

/** Opens a ZIP archive as a Word document. @throws DomainError as `openPackage`; `unsupported_file_type` for another archive. */
export async function openWordPackage(bytes: Uint8Array, accept: readonly MediaType[]): Promise<WordPackage> {
  return asWordPackage(await openPackage(bytes), accept);
}

/** @throws DomainError `unsupported_file_type` for another archive, `unreadable_file` for an encrypted one. */
export async function asWordPackage(archive: Package, accept: readonly MediaType[]): Promise<WordPackage> {
  // The usual name of the main part is enough: the list of types may be incomplete, or encrypted like everything else.
  const types = archive.isEncrypted ? "" : ((await archive.readXml(CONTENT_TYPES)) ?? "");
  const isWord = archive.has(USUAL_MAIN_PART) || WORD_MAIN_TYPES.test(types);
  if (!archive.has(CONTENT_TYPES) || !isWord)
    throw unsupportedFileType("a ZIP archive, but not a Word document (DOCX)", accept);
  if (archive.isEncrypted) throw passwordProtected();

  const related = await archive.relationships("");
  const main = related.find(({ type }) => type === "officeDocument")?.part;
  const mainPart = main !== undefined && archive.has(main) ? main : USUAL_MAIN_PART;
  return { ...archive, mainPart, contentType: (part) => contentTypeOf(types, part) };
}

type Listing = { readonly zip: ZipFile; readonly entries: ReadonlyMap<string, Entry> };

async function listEntries(bytes: Uint8Array): Promise<Listing> {
  const entries = new Map<string, Entry>();
  let declaredBytes = 0;
  try {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    // Names are decoded here because some programs write a leading slash, which yauzl refuses. Declared sizes are not
    // compared with the actual ones: a wrong size of a picture does no harm, and the parts that are read are counted.
    const options = { lazyEntries: true, decodeStrings: false, validateEntrySizes: false };
    const zip = await fromBufferPromise(buffer, options);
    if (zip.entryCount > ENTRIES_MAX) throw unpacksToTooMuch();
    for await (const entry of zip.eachEntry()) {
      entries.set(keyOf(entry.fileNameRaw.toString()), entry);
      declaredBytes += entry.uncompressedSize;
    }
    if (declaredBytes > DECLARED_BYTES_MAX) throw unpacksToTooMuch();
    return { zip, entries };
  } catch (cause) {
    throw cause instanceof DomainError ? cause : damaged(cause);
  }
}

async function unpack(zip: ZipFile, entry: Entry, bytesMax: number): Promise<Buffer> {
  try {
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of await zip.openReadStreamPromise(entry)) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > bytesMax) throw unpacksToTooMuch();
    }
    const content = Buffer.concat(chunks);
    if (crc32(content) !== entry.crc32) throw new Error("the checksum does not match"); // yauzl does not compare it
    return content;
  } catch (cause) {
    throw cause instanceof DomainError ? cause : damaged(cause);
  }
}

/** Some programs write backslashes or a leading slash. */
function keyOf(name: string): string {
  return name.replaceAll("\\", "/").replace(/^\//, "").toLowerCase();
}

/** Decodes an XML part: UTF-16 when it has that byte-order mark, else UTF-8. The format allows no other encoding. */
export function decodeXml(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  return new TextDecoder().decode(bytes);
}

function readRelationships(xml: string, part: string): Relationship[] {
  return [...xml.matchAll(/<(?:[\w.-]+:)?Relationship\s[^<>]*>/g)].map(([tag]) => {
    const attributes = readAttributes(tag);
    const isExternal = attributes.get("TargetMode") === "External";
    return {
      id: attributes.get("Id") ?? "",
      type: attributes.get("Type")?.split("/").at(-1) ?? "",
      part: isExternal ? undefined : resolveTarget(part, attributes.get("Target") ?? ""),
    };
  });
}

/** A target is relative to the part that refers to it, or to the root of the package when it begins with a slash. */
function resolveTarget(part: string, target: string): string {
  const path = target.startsWith("/") ? target : posix.join("/", posix.dirname(part), target);
  return posix.normalize(path).slice(1);
}

/** A part has its own type, or the type of its extension. */
function contentTypeOf(types: string, part: string): string {
  const tags = [...types.matchAll(/<(?:[\w.-]+:)?(?:Override|Default)\s[^<>]*>/g)].map(([tag]) =>
    readAttributes(tag),
  );
  const own = tags.find((tag) => keyOf(tag.get("PartName") ?? "") === keyOf(part));
  const extension = keyOf(part).split(".").at(-1);
  const shared = tags.find((tag) => tag.get("Extension")?.toLowerCase() === extension);
  return (own ?? shared)?.get("ContentType") ?? "";
}

function unpacksToTooMuch(): DomainError {
  return unreadableFile("The file can't be read: it unpacks to more data than is allowed.");
}

function damaged(cause: unknown): DomainError {
  return unreadableFile(
    "The file is damaged or incomplete, and can't be unpacked. Save or download it again.",
    cause,
  );
}
