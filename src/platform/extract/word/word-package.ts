import { DomainError } from "../../../core/domain-error.ts";
import { type MediaType, unsupportedFileType } from "../media-type.ts";
import { slimWordXml } from "./slim-word-xml.ts";
import { writeStoredZip } from "./stored-zip.ts";
import { readZipDirectory, unpackZipEntry, type ZipEntry } from "./zip-archive.ts";

/** A document has a few dozen parts, one with a thousand pictures a little over a thousand. */
const ENTRIES_MAX = 10_000;

/** What all parts together may say they unpack to: pictures pack little, so a real document stays near its size. */
const DECLARED_BYTES_MAX = 256 * 1024 * 1024;

/**
 * What the XML parts together may unpack to. 20 million characters, the most text that is taken, were 42 MB of XML in
 * runs of 200; parsing takes about 17 times the XML's size, so much more than this would not fit into memory anyway.
 */
const XML_BYTES_MAX = 64 * 1024 * 1024;

const CONTENT_TYPES = "[Content_Types].xml";
const USUAL_MAIN_PART = "word/document.xml";

/** The main part of a document, a template, and both with macros (which are never run: only text is read). */
const WORD_MAIN_TYPES =
  /application\/(?:vnd\.openxmlformats-officedocument\.wordprocessingml\.(?:document|template)|vnd\.ms-word\.(?:document|template)\.macroEnabled(?:Template)?)\.main\+xml/;

/**
 * Takes out of a ZIP what the text of a Word document depends on: its XML parts, as an archive that is stored
 * uncompressed. The reader behind it then needs no trust: every size here was measured, not declared, and
 * pictures and embedded files are gone.
 * Throws `unsupported_file_type` for a ZIP that is no Word document, and `unreadable_file` for one that is
 * damaged, protected by a password, or would unpack to more than the limits above.
 */
export function openWordPackage(bytes: Uint8Array, accept: readonly MediaType[]): Buffer {
  const entries = readZipDirectory(bytes);
  assertReasonable(entries);
  if (!isWordPackage(bytes, entries)) {
    throw unsupportedFileType("a ZIP archive, but no Word document (DOCX)", accept);
  }
  if (entries.some((entry) => entry.encrypted)) throw passwordProtected();
  let left = XML_BYTES_MAX;
  const members = entries.filter(isXmlPart).map((entry) => {
    const content = unpackZipEntry(bytes, entry, left);
    left -= content.length;
    return { name: entry.name, content: slimPart(content) };
  });
  return writeStoredZip(members);
}

/** Office programs write UTF-8; a part in another encoding passes unchanged. */
function slimPart(content: Uint8Array): Uint8Array {
  try {
    return Buffer.from(slimWordXml(new TextDecoder("utf-8", { fatal: true }).decode(content)));
  } catch {
    return content;
  }
}

/** The error for any document that only opens with a password. */
export function passwordProtected(): DomainError {
  return new DomainError(
    "unreadable_file",
    "The file is protected by a password. Remove the password and submit it again.",
  );
}

function assertReasonable(entries: readonly ZipEntry[]): void {
  const declared = sumSizes(entries);
  const declaredXml = sumSizes(entries.filter(isXmlPart));
  if (entries.length > ENTRIES_MAX || declared > DECLARED_BYTES_MAX || declaredXml > XML_BYTES_MAX) {
    throw new DomainError(
      "unreadable_file",
      "The file can't be read: it unpacks to more data than is allowed.",
    );
  }
}

function sumSizes(entries: readonly ZipEntry[]): number {
  return entries.reduce((sum, entry) => sum + entry.size, 0);
}

/** By its list of content types or, where that list is incomplete or encrypted, by the main part's usual name. */
function isWordPackage(bytes: Uint8Array, entries: readonly ZipEntry[]): boolean {
  const list = entries.find((entry) => entry.name === CONTENT_TYPES);
  if (list === undefined) return false;
  if (entries.some((entry) => entry.name === USUAL_MAIN_PART)) return true;
  if (list.encrypted) return false;
  return WORD_MAIN_TYPES.test(new TextDecoder().decode(unpackZipEntry(bytes, list, XML_BYTES_MAX)));
}

function isXmlPart(entry: ZipEntry): boolean {
  return /\.(?:xml|rels)$/i.test(entry.name);
}
