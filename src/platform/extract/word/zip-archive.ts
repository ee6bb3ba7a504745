import { crc32, inflateRawSync } from "node:zlib";

import { DomainError } from "../../../core/domain-error.ts";

/** One file inside a ZIP, as its central directory describes it. Sizes in bytes; none is to be trusted. */
export type ZipEntry = {
  readonly name: string;
  readonly encrypted: boolean;
  readonly method: number;
  readonly checksum: number;
  readonly packedSize: number;
  readonly size: number;
  readonly headerOffset: number;
};

const END_OF_DIRECTORY = 0x06054b50;
const END_OF_DIRECTORY_BYTES = 22;
const DIRECTORY_ENTRY = 0x02014b50;
const DIRECTORY_ENTRY_BYTES = 46;
const LOCAL_HEADER = 0x04034b50;
const LOCAL_HEADER_BYTES = 30;
const COMMENT_BYTES_MAX = 0xffff;
const METHOD_STORED = 0;
const METHOD_DEFLATED = 8;

/**
 * Lists the files of a ZIP archive from its central directory, without unpacking anything.
 * Format: PKWARE APPNOTE 4.3; ZIP64 is not read, since no uploaded file is larger than 4 GB.
 * Throws `unreadable_file` when the directory is missing or damaged, as in a file that was cut off.
 */
export function readZipDirectory(bytes: Uint8Array): ZipEntry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  try {
    const end = findEndOfDirectory(view);
    const count = view.getUint16(end + 10, true);
    let offset = view.getUint32(end + 16, true);
    const entries: ZipEntry[] = [];
    for (let i = 0; i < count; i++) {
      if (view.getUint32(offset, true) !== DIRECTORY_ENTRY) throw new RangeError("no directory entry here");
      entries.push(readEntry(view, bytes, offset));
      // The name, the extra fields and the comment follow, each of its own length.
      const tail = [28, 30, 32].map((at) => view.getUint16(offset + at, true));
      offset += DIRECTORY_ENTRY_BYTES + tail.reduce((sum, length) => sum + length, 0);
    }
    return entries;
  } catch (cause) {
    throw damaged(cause);
  }
}

/**
 * Unpacks one file, to at most `sizeMax` bytes whatever the archive says of its size.
 * Throws `unreadable_file` when it is larger, damaged or packed in a way that office programs do not use.
 */
export function unpackZipEntry(bytes: Uint8Array, entry: ZipEntry, sizeMax: number): Uint8Array {
  try {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const header = entry.headerOffset;
    if (view.getUint32(header, true) !== LOCAL_HEADER) throw new RangeError("no local header here");
    const start =
      header + LOCAL_HEADER_BYTES + view.getUint16(header + 26, true) + view.getUint16(header + 28, true);
    const packed = bytes.subarray(start, start + entry.packedSize);
    const content = unpack(packed, entry.method, sizeMax);
    if (crc32(content) !== entry.checksum) throw new RangeError("the checksum does not match");
    return content;
  } catch (cause) {
    const tooLarge = cause instanceof RangeError && "code" in cause && cause.code === "ERR_BUFFER_TOO_LARGE";
    throw tooLarge ? unpacksToTooMuch(cause) : damaged(cause);
  }
}

/** What an archive says of its sizes, or shows when it is unpacked, is more than is taken. */
export function unpacksToTooMuch(cause?: unknown): DomainError {
  return new DomainError(
    "unreadable_file",
    "The file can't be read: it unpacks to more data than is allowed.",
    cause === undefined ? {} : { cause },
  );
}

/** The end record is the last of its kind; an archive's comment may follow it. */
function findEndOfDirectory(view: DataView): number {
  const last = view.byteLength - END_OF_DIRECTORY_BYTES;
  for (let offset = last; offset >= Math.max(0, last - COMMENT_BYTES_MAX); offset--) {
    if (view.getUint32(offset, true) === END_OF_DIRECTORY) return offset;
  }
  throw new RangeError("no end of central directory");
}

function readEntry(view: DataView, bytes: Uint8Array, offset: number): ZipEntry {
  const nameStart = offset + DIRECTORY_ENTRY_BYTES;
  const nameBytes = view.getUint16(offset + 28, true);
  return {
    name: new TextDecoder().decode(bytes.subarray(nameStart, nameStart + nameBytes)),
    encrypted: (view.getUint16(offset + 8, true) & 1) === 1,
    method: view.getUint16(offset + 10, true),
    checksum: view.getUint32(offset + 16, true),
    packedSize: view.getUint32(offset + 20, true),
    size: view.getUint32(offset + 24, true),
    headerOffset: view.getUint32(offset + 42, true),
  };
}

function unpack(packed: Uint8Array, method: number, sizeMax: number): Uint8Array {
  if (method === METHOD_DEFLATED) return inflateRawSync(packed, { maxOutputLength: Math.max(1, sizeMax) });
  if (method !== METHOD_STORED) throw new RangeError(`compression method ${method} is not known`);
  if (packed.length > sizeMax) throw new RangeError("larger than the limit");
  return packed;
}

function damaged(cause: unknown): DomainError {
  return new DomainError(
    "unreadable_file",
    "The file is damaged or incomplete, and can't be unpacked. Save or download it again.",
    { cause },
  );
}
