import { crc32 } from "node:zlib";
import { type Entry, fromBufferPromise, type ZipFile } from "yauzl";
import { UNSHOWABLE } from "../http/input/upload.ts";
import { DomainError, unreadableFile } from "../platform/domain-error.ts";
import type { NewMember } from "./batch.ts";

/** The largest file of a member, as of a check. */
export const MEMBER_BYTES_MAX = 10 * 1024 * 1024;

/** Files in one archive or form. */
export const FILES_MAX = 10_000;

/** The maximum unpacked size of an archive: 10,000 texts of 50 KB. Text packs to a third, so one of 100 MiB of text stays below this. */
const UNPACKED_BYTES_MAX = 512 * 1024 * 1024;

/** A file in the archive, with its path in it. */
export type ArchivedFile = { readonly path: string; readonly content: NewMember["content"] };

/** Whether bytes are a ZIP archive by their signature. DOCX files are too, so only a file that is named so counts as one. */
export function isArchive(filename: string, bytes: Uint8Array): boolean {
  return /\.zip$/i.test(filename) && bytes[0] === 0x50 && bytes[1] === 0x4b;
}

/**
 * The files of a ZIP archive, one unpacked at a time. Paths are labels only and never used to write anything. Folders, hidden files
 * and files of operating systems are skipped; an archive in the archive is a file that can't be read.
 * @throws DomainError `unreadable_file` for a damaged archive; `body_too_large` for too many files or bytes, before any is given.
 */
export async function* archivedFiles(bytes: Uint8Array): AsyncGenerator<ArchivedFile> {
  const { zip, entries } = await listEntries(bytes);
  let bytesLeft = UNPACKED_BYTES_MAX;
  for (const entry of entries) {
    const content = await unpack(zip, entry, bytesLeft);
    if ("bytes" in content) bytesLeft -= content.bytes.byteLength;
    yield { path: pathOf(entry), content };
  }
}

/** The paths that `archivedFiles` gives, without unpacking. @throws as `archivedFiles` */
export async function archivedPaths(bytes: Uint8Array): Promise<string[]> {
  const { entries } = await listEntries(bytes);
  return entries.map(pathOf);
}

async function listEntries(
  bytes: Uint8Array,
): Promise<{ readonly zip: ZipFile; readonly entries: readonly Entry[] }> {
  const entries: Entry[] = [];
  try {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    // yauzl refuses absolute paths and paths with `..`. This holds for `pathOf` too: `/` and `.` are the same bytes in CP437 and UTF-8.
    const zip = await fromBufferPromise(buffer, { lazyEntries: true, validateEntrySizes: false });
    if (zip.entryCount > 4 * FILES_MAX) throw tooMany();
    let declared = 0;
    for await (const entry of zip.eachEntry()) {
      if (isSkipped(entry)) continue;
      entries.push(entry);
      declared += entry.uncompressedSize;
      if (entries.length > FILES_MAX) throw tooMany();
      if (declared > UNPACKED_BYTES_MAX) throw tooLarge();
    }
    return { zip, entries };
  } catch (cause) {
    if (cause instanceof DomainError) throw cause;
    throw unreadableFile(
      "The archive is damaged or has unsafe paths, and can't be unpacked. Make it again.",
      cause,
    );
  }
}

/** The type of a file in the mode that Unix programs write; a symbolic link has no text. */
const FILE_TYPE = 0o170000;
const SYMBOLIC_LINK = 0o120000;

function isSkipped({ fileName, externalFileAttributes }: Entry): boolean {
  const parts = fileName.split("/");
  const isHidden = parts.some((part) => part.startsWith(".") || part === "__MACOSX");
  const isLink = ((externalFileAttributes >>> 16) & FILE_TYPE) === SYMBOLIC_LINK;
  return (
    fileName.endsWith("/") || isHidden || isLink || /^(?:thumbs\.db|desktop\.ini)$/i.test(parts.at(-1) ?? "")
  );
}

/** The bit by which an entry says that its name is UTF-8, and the extra field that has the name in UTF-8. */
const UTF8_FLAG = 0x800;
const UNICODE_PATH_FIELD = 0x7075;

/** The Finder of macOS writes UTF-8 without saying so, which yauzl reads as CP437; names that really are CP437 are hardly ever valid UTF-8. */
function pathOf({ fileName, fileNameRaw, generalPurposeBitFlag, extraFields }: Entry): string {
  const isDeclared =
    (generalPurposeBitFlag & UTF8_FLAG) !== 0 || extraFields.some(({ id }) => id === UNICODE_PATH_FIELD);
  if (isDeclared) return shownPath(fileName);
  try {
    return shownPath(new TextDecoder("utf-8", { fatal: true }).decode(fileNameRaw));
  } catch {
    return shownPath(fileName);
  }
}

async function unpack(zip: ZipFile, entry: Entry, bytesLeft: number): Promise<NewMember["content"]> {
  if (entry.isEncrypted())
    return failed(
      unreadableFile("The file is protected by a password. Remove the password and add it again."),
    );
  try {
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of await zip.openReadStreamPromise(entry)) {
      chunks.push(chunk);
      length += chunk.length;
      // The declared size may be wrong, so the unpacked bytes count.
      if (length > bytesLeft) throw tooLarge();
      if (length > MEMBER_BYTES_MAX) return failed(fileTooLarge());
    }
    const bytes = Buffer.concat(chunks);
    if (crc32(bytes) !== entry.crc32) throw new Error("the checksum does not match");
    return { bytes, isText: false };
  } catch (cause) {
    if (cause instanceof DomainError) throw cause;
    return failed(unreadableFile("The file is damaged in its archive. Add it again.", cause));
  }
}

export function failed({ code, message }: DomainError): NewMember["content"] {
  return { error: { code, message } };
}

export function fileTooLarge(): DomainError {
  return new DomainError(
    "body_too_large",
    `The file is over the limit of ${MEMBER_BYTES_MAX / 1024 / 1024} MiB.`,
  );
}

function tooMany(): DomainError {
  const limit = FILES_MAX.toLocaleString("en");
  return new DomainError(
    "body_too_large",
    `The archive has more than ${limit} files. Add the others in further requests.`,
  );
}

function tooLarge(): DomainError {
  const limit = UNPACKED_BYTES_MAX / 1024 / 1024;
  return new DomainError(
    "body_too_large",
    `The archive unpacks to more than ${limit} MiB. Send it in parts.`,
  );
}

/** The longest name of a member. */
const NAME_CHARS_MAX = 200;

/** A path as it may be stored and shown: in NFC, with `/` between folders, without characters that can't be shown; only its end if it is long. */
export function shownPath(path: string): string {
  const parts = path
    .toWellFormed()
    .normalize("NFC")
    .replaceAll("\\", "/")
    .replace(UNSHOWABLE, "")
    .split("/")
    .map((part) => part.trim())
    .filter((part) => part !== "" && part !== "." && part !== "..");
  const name = [...parts.join("/")].slice(-NAME_CHARS_MAX).join("");
  return name === "" ? "upload" : name;
}

/** The folder of a path; empty at the top. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

/** The deepest folder that holds all these paths, itself or in its folders; empty if they share no folder. */
export function commonFolder(paths: readonly string[]): string {
  let folder = folderOf(paths[0] ?? "");
  for (const path of paths) while (folder !== "" && !path.startsWith(`${folder}/`)) folder = folderOf(folder);
  return folder;
}
