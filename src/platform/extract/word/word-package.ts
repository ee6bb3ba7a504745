import { DomainError } from "../../../core/domain-error.ts";
import { type MediaType, unsupportedFileType } from "../media-type.ts";
import { type Relationship, readRelationships, relationshipsPart } from "./relationships.ts";
import { decodeXml, readAttributes } from "./xml-text.ts";
import { readZipDirectory, unpacksToTooMuch, unpackZipEntry, type ZipEntry } from "./zip-archive.ts";

/** A document has a few dozen parts, one with a thousand pictures a little over a thousand. */
const ENTRIES_MAX = 10_000;

/** What all parts together may say they unpack to: pictures pack little, so a real document stays near its size. */
const DECLARED_BYTES_MAX = 256 * 1024 * 1024;

/**
 * What the parts that are read may unpack to together. 20 million characters, the most text that is taken, were 42 MB
 * of XML in runs of 200; much more than this would not fit into memory when it is parsed.
 */
const READ_BYTES_MAX = 64 * 1024 * 1024;

const CONTENT_TYPES = "[Content_Types].xml";
const USUAL_MAIN_PART = "word/document.xml";

/** The main part of a document, a template, and both with macros (which are never run: only text is read). */
const WORD_MAIN_TYPES =
  /application\/(?:vnd\.openxmlformats-officedocument\.wordprocessingml\.(?:document|template)|vnd\.ms-word\.(?:document|template)\.macroEnabled(?:Template)?)\.main\+xml/;

/** The parts of a Word document. Names are compared without regard to case, as the format asks. */
export type WordPackage = {
  readonly mainPart: string;
  /** The bytes of a part, or `undefined` when there is none of that name. */
  read(part: string): Uint8Array | undefined;
  /** The text of an XML part, or `undefined` when there is none of that name. */
  readXml(part: string): string | undefined;
  relationships(part: string): readonly Relationship[];
  /** The media type that the package states for a part; empty when it states none. */
  contentType(part: string): string;
};

/**
 * Opens a ZIP as a Word document. Parts are unpacked when they are asked for, so that pictures, fonts and embedded
 * files never are; the bytes of all together are counted as they are unpacked, not as the archive declares them.
 * Throws `unsupported_file_type` for a ZIP that is no Word document, and `unreadable_file` for one that is
 * damaged, protected by a password, or would unpack to more than the limits above; reading a part does so too.
 */
export function openWordPackage(bytes: Uint8Array, accept: readonly MediaType[]): WordPackage {
  const list = readZipDirectory(bytes);
  assertReasonable(list);
  const entries = new Map(list.map((entry) => [keyOf(entry.name), entry]));
  if (!entries.has(keyOf(CONTENT_TYPES))) throw noWordDocument(accept);
  let left = READ_BYTES_MAX;

  function read(part: string): Uint8Array | undefined {
    const entry = entries.get(keyOf(part));
    if (entry === undefined) return undefined;
    if (entry.encrypted) throw passwordProtected();
    const content = unpackZipEntry(bytes, entry, left);
    left -= content.length;
    return content;
  }

  function readXml(part: string): string | undefined {
    const content = read(part);
    return content === undefined ? undefined : decodeXml(content);
  }

  function relationships(part: string): readonly Relationship[] {
    return readRelationships(readXml(relationshipsPart(part)) ?? "", part);
  }

  // The main part's usual name is enough: the list of types may be incomplete, or encrypted like all else.
  const types = list.some(({ encrypted }) => encrypted) ? "" : (readXml(CONTENT_TYPES) ?? "");
  if (!entries.has(keyOf(USUAL_MAIN_PART)) && !WORD_MAIN_TYPES.test(types)) throw noWordDocument(accept);
  if (list.some(({ encrypted }) => encrypted)) throw passwordProtected();

  const main = relationships("").find(({ type }) => type === "officeDocument")?.part;
  const mainPart = main !== undefined && entries.has(keyOf(main)) ? main : USUAL_MAIN_PART;
  return { mainPart, read, readXml, relationships, contentType: (part) => contentTypeOf(types, part) };
}

/** The error for any document that only opens with a password. */
export function passwordProtected(): DomainError {
  return new DomainError(
    "unreadable_file",
    "The file is protected by a password. Remove the password and submit it again.",
  );
}

function noWordDocument(accept: readonly MediaType[]): DomainError {
  return unsupportedFileType("a ZIP archive, but no Word document (DOCX)", accept);
}

function assertReasonable(entries: readonly ZipEntry[]): void {
  const declared = entries.reduce((sum, entry) => sum + entry.size, 0);
  if (entries.length <= ENTRIES_MAX && declared <= DECLARED_BYTES_MAX) return;
  throw unpacksToTooMuch();
}

/** Some programs write backslashes, or a slash in front. */
function keyOf(name: string): string {
  return name.replaceAll("\\", "/").replace(/^\//, "").toLowerCase();
}

/** A part has a type of its own, or that of its ending. */
function contentTypeOf(types: string, part: string): string {
  const tags = [...types.matchAll(/<(?:[\w.-]+:)?(?:Override|Default)\s[^<>]*>/g)].map(([tag]) =>
    readAttributes(tag),
  );
  const own = tags.find((tag) => keyOf(tag.get("PartName") ?? "") === keyOf(part));
  const ending = keyOf(part).split(".").at(-1);
  const shared = tags.find((tag) => tag.get("Extension")?.toLowerCase() === ending);
  return (own ?? shared)?.get("ContentType") ?? "";
}
