import { crc32, createInflateRaw } from "node:zlib";
import { type Entry, fromBufferPromise, getFileNameLowLevel, validateFileName } from "yauzl";
import { UNSHOWABLE } from "../http/input/upload.ts";
import { DomainError, unreadableFile } from "../platform/domain-error.ts";
import type { NewMember } from "./batch.ts";

/** The largest file of a member, as of a check. */
export const MEMBER_BYTES_MAX = 10 * 1024 * 1024;

/** Files in one form, or in all its archives. */
export const FILES_MAX = 10_000;

/** The maximum unpacked size of all archives of a request: 10,000 texts of 50 KB. Text packs to a third, so 100 MiB of it stay below this. */
const UNPACKED_BYTES_MAX = 512 * 1024 * 1024;

/** A file in the archive, with its path in it. */
export type ArchivedFile = { readonly path: string; readonly content: NewMember["content"] };

/** Whether bytes are a ZIP archive by their signature. DOCX files are too, so only a file that is named so counts as one. */
export function isArchive(filename: string, bytes: Uint8Array): boolean {
  return /\.zip$/i.test(filename) && bytes[0] === 0x50 && bytes[1] === 0x4b;
}

/** What the archives of one request may still unpack; `archivedFiles` counts it down. */
type UnpackingBudget = { filesLeft: number; bytesLeft: number };

export function newBudget(): UnpackingBudget {
  return { filesLeft: FILES_MAX, bytesLeft: UNPACKED_BYTES_MAX };
}

/**
 * The files of a ZIP archive, one unpacked at a time. Paths are labels only and never used to write anything. Folders, hidden files
 * and files of operating systems are skipped. A file that can't be read, such as an archive in the archive or one whose path leads out
 * of it, comes with its error. What was unpacked of it counts too.
 * @throws DomainError `unreadable_file` for a damaged archive, before any file is given, and for a file that unpacks to more than the
 * archive says; `body_too_large` for too many files or bytes.
 */
export async function* archivedFiles(
  bytes: Uint8Array,
  budget: UnpackingBudget,
  signal: AbortSignal,
): AsyncGenerator<ArchivedFile> {
  for (const file of await listFiles(bytes, budget, signal))
    yield { path: file.path, content: await unpack(file, budget, signal) };
}

/** A file as its archive lists it. `packed` is undefined if it does not lie in the archive. */
type ListedFile = {
  readonly path: string;
  readonly fault: string | undefined;
  /** Where it and its header lie in memory, for comparison with others. */
  readonly start: number;
  readonly packed: Buffer | undefined;
  /** What the archive says of the unpacked file. */
  readonly size: number;
  readonly isDeflated: boolean;
  readonly crc: number;
};

async function listFiles(
  { buffer, byteOffset, length }: Uint8Array,
  budget: UnpackingBudget,
  signal: AbortSignal,
): Promise<readonly ListedFile[]> {
  const bytes = Buffer.from(buffer, byteOffset, length);
  const files: ListedFile[] = [];
  let declared = 0;
  let packed = 0;
  try {
    // yauzl would refuse the whole archive for one unsafe path, so names are decoded here.
    const options = { lazyEntries: true, decodeStrings: false, validateEntrySizes: false };
    const zip = await fromBufferPromise(bytes, options);
    if (zip.entryCount > 4 * FILES_MAX) throw tooMany();
    for await (const entry of zip.eachEntry()) {
      signal.throwIfAborted();
      const name = nameOf(entry);
      if (isSkipped(name, entry)) continue;
      const file = toFile(bytes, entry, name);
      files.push(file);
      packed += file.packed?.length ?? 0;
      if (packed > length) throw damaged(OVERLAP);
      declared += entry.uncompressedSize;
      budget.filesLeft -= 1;
      if (budget.filesLeft < 0) throw tooMany();
      if (declared > budget.bytesLeft) throw tooLarge();
    }
    const end = Number(zip.readEntryCursor);
    if (end + 4 <= length && bytes.readUInt32LE(end) === ENTRY_SIGNATURE)
      throw damaged("it lists more files than its end record says");
    if (haveOverlap(files)) throw damaged(OVERLAP);
    return files;
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof DomainError) throw cause;
    throw damaged("its list of files is incomplete or wrong", cause);
  }
}

const OVERLAP = "files in it overlap";

/** The signatures of an entry in the list of files and of a file's own header, whose fixed part has this length. */
const ENTRY_SIGNATURE = 0x02014b50;
const HEADER_SIGNATURE = 0x04034b50;
const HEADER_BYTES = 30;

/** The methods of compression that are read. */
const STORED = 0;
const DEFLATED = 8;

function toFile(bytes: Buffer, entry: Entry, name: string): ListedFile {
  const start = entry.relativeOffsetOfLocalHeader;
  const { compressedSize, uncompressedSize: size, compressionMethod, crc32: crc } = entry;
  return {
    ...{ path: shownPath(name), fault: faultOf(entry, name), start: bytes.byteOffset + start, size, crc },
    isDeflated: compressionMethod === DEFLATED,
    packed: packedAt(bytes, start, compressedSize),
  };
}

function packedAt(bytes: Buffer, start: number, length: number): Buffer | undefined {
  if (start + HEADER_BYTES > bytes.length || bytes.readUInt32LE(start) !== HEADER_SIGNATURE) return undefined;
  const from = start + HEADER_BYTES + bytes.readUInt16LE(start + 26) + bytes.readUInt16LE(start + 28);
  return from + length > bytes.length ? undefined : bytes.subarray(from, from + length);
}

function faultOf(entry: Entry, name: string): string | undefined {
  if (entry.isEncrypted())
    return "The file is protected by a password. Remove the password and add it again.";
  if (entry.compressionMethod !== STORED && entry.compressionMethod !== DEFLATED)
    return "The file is packed by a method that can't be read. Make the archive again with the method Deflate.";
  if (validateFileName(name) !== null)
    return "The file was skipped: its path begins with a drive or a slash, or leads out of the archive. Rename it and add it again.";
  return undefined;
}

/** Whether files share bytes: a small archive could unpack the same ones again and again. No program writes that. */
function haveOverlap(files: readonly ListedFile[]): boolean {
  let end = 0;
  for (const { start, packed } of files.toSorted((a, b) => a.start - b.start)) {
    if (packed === undefined) continue;
    if (start < end) return true;
    end = packed.byteOffset + packed.length;
  }
  return false;
}

/** The type of a file in the mode that Unix programs write; a symbolic link has no text. */
const FILE_TYPE = 0o170000;
const SYMBOLIC_LINK = 0o120000;

function isSkipped(name: string, { externalFileAttributes }: Entry): boolean {
  const parts = name.split("/");
  const isHidden = parts.some((part) => HIDDEN.test(part));
  const isLink = ((externalFileAttributes >>> 16) & FILE_TYPE) === SYMBOLIC_LINK;
  return (
    name.endsWith("/") || isHidden || isLink || /^(?:thumbs\.db|desktop\.ini)$/i.test(parts.at(-1) ?? "")
  );
}

/** `.` and `..` are no hidden folders. */
const HIDDEN = /^\.(?!\.?$)|^__MACOSX$/;

/** The bit by which an entry says that its name is UTF-8, and the extra field that has the name in UTF-8. */
const UTF8_FLAG = 0x800;
const UNICODE_PATH_FIELD = 0x7075;

/** The Finder of macOS writes UTF-8 without saying so; names that are in CP437, as the format has it, are hardly ever valid UTF-8. */
function nameOf({ fileNameRaw, generalPurposeBitFlag, extraFields }: Entry): string {
  const isDeclared =
    (generalPurposeBitFlag & UTF8_FLAG) !== 0 || extraFields.some(({ id }) => id === UNICODE_PATH_FIELD);
  try {
    if (!isDeclared)
      return new TextDecoder("utf-8", { fatal: true }).decode(fileNameRaw).replaceAll("\\", "/");
  } catch {
    // It is in CP437.
  }
  return getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false);
}

async function unpack(
  { fault, packed, size, isDeflated, crc }: ListedFile,
  budget: UnpackingBudget,
  signal: AbortSignal,
): Promise<NewMember["content"]> {
  if (fault !== undefined) return failed(unreadableFile(fault));
  if (size > MEMBER_BYTES_MAX) return failed(fileTooLarge());
  const bytes = isDeflated ? Buffer.allocUnsafe(size) : (packed ?? EMPTY);
  let length = 0;
  let checksum = 0;
  try {
    for await (const chunk of isDeflated ? inflated(packed ?? EMPTY) : [packed ?? EMPTY]) {
      signal.throwIfAborted();
      budget.bytesLeft -= chunk.length;
      // No program writes such a file; a small archive could hold thousands that are costly to unpack.
      if (length + chunk.length > size) throw damaged("a file in it is longer than its list says");
      if (isDeflated) bytes.set(chunk, length);
      length += chunk.length;
      checksum = crc32(chunk, checksum);
    }
    if (packed === undefined || length < size || checksum !== crc)
      throw new Error("its length or checksum is not the declared one");
    return { bytes, isText: false };
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof DomainError) throw cause;
    return failed(unreadableFile("The file is damaged in its archive. Add it again.", cause));
  }
}

const EMPTY = Buffer.alloc(0);

/** Larger than usual: each chunk takes a turn of the event loop. */
const CHUNK_BYTES = 64 * 1024;

function inflated(packed: Buffer): AsyncIterable<Buffer> {
  const stream = createInflateRaw({ chunkSize: CHUNK_BYTES });
  stream.end(packed);
  return stream;
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

function damaged(reason: string, cause?: unknown): DomainError {
  return unreadableFile(`The archive can't be unpacked: ${reason}. Make it again.`, cause);
}

function tooMany(): DomainError {
  const limit = FILES_MAX.toLocaleString("en");
  return new DomainError(
    "body_too_large",
    `The archives have more than ${limit} files. Add the others in further requests.`,
  );
}

function tooLarge(): DomainError {
  const limit = UNPACKED_BYTES_MAX / 1024 / 1024;
  return new DomainError(
    "body_too_large",
    `The archives unpack to more than ${limit} MiB. Send them in parts.`,
  );
}

/** The longest name of a member, and the end of a longer path that is looked at: paths of 50 KB took 2.7 ms each. */
const NAME_CHARS_MAX = 200;
const PATH_CHARS_READ = 2_000;

/** A path as it may be stored and shown: in NFC, with `/` between folders, without characters that can't be shown; only its end if it is long. */
export function shownPath(path: string): string {
  const parts = path
    .slice(-PATH_CHARS_READ)
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
