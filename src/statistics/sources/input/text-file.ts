import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { TextDecoder } from "node:util";
import { errorMessage } from "../../../platform/error-code.ts";
import { refusedFile } from "./refused-file.ts";

/** Labels of the Encoding Standard. */
type TextEncoding = "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";

export type InspectedFile = {
  readonly file: string;
  readonly bytes: number;
  /** When its contents last changed, as the file system has it. */
  readonly modifiedAt: Date;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
  readonly encoding: TextEncoding;
};

/** Archives that sources publish instead of the plain file, by their first bytes. */
const ARCHIVES = [
  { name: "a ZIP archive", magic: [0x50, 0x4b, 0x03, 0x04] },
  { name: "compressed with gzip", magic: [0x1f, 0x8b] },
] as const;

/**
 * Reads a file once, in constant memory, for its hash and its encoding: UTF-16 by its byte-order mark or by a zero byte in
 * the first character, UTF-8 when all of it is valid UTF-8, else windows-1252.
 * @throws DomainError `unreadable_file` when it can't be opened, is empty, or is an archive.
 */
export async function inspectFile(file: string): Promise<InspectedFile> {
  const hash = createHash("sha256");
  const utf8 = new TextDecoder("utf-8", { fatal: true });
  let bytes = 0;
  let isUtf8 = true;
  let head: Uint8Array = new Uint8Array();
  let modifiedAt = new Date();
  try {
    modifiedAt = (await stat(file)).mtime;
    for await (const chunk of readBytes(file)) {
      if (bytes === 0) head = chunk.subarray(0, 4);
      bytes += chunk.length;
      hash.update(chunk);
      isUtf8 &&= decodes(utf8, chunk, true);
    }
  } catch (error) {
    const reason = errorMessage(error);
    throw refusedFile({ file }, `can't be read: ${reason}`, error);
  }
  isUtf8 &&= decodes(utf8, new Uint8Array(), false);
  checkContents(file, bytes, head);
  return {
    file,
    bytes,
    modifiedAt,
    sha256: hash.digest("hex"),
    encoding: utf16Of(head) ?? (isUtf8 ? "utf-8" : "windows-1252"),
  };
}

/** The bytes of a file, piece by piece. */
async function* readBytes(file: string): AsyncGenerator<Uint8Array> {
  for await (const chunk of createReadStream(file, { highWaterMark: PIECE_BYTES })) {
    if (chunk instanceof Uint8Array) yield chunk;
  }
}

/** Large enough to make the cost of a read irrelevant, and small compared with the process. */
const PIECE_BYTES = 256 * 1024;

function decodes(decoder: TextDecoder, bytes: Uint8Array, stream: boolean): boolean {
  try {
    decoder.decode(bytes, { stream });
    return true;
  } catch {
    return false;
  }
}

function checkContents(file: string, bytes: number, head: Uint8Array): void {
  if (bytes === 0) throw refusedFile({ file }, "the file is empty.");
  const archive = ARCHIVES.find(({ magic }) => magic.every((byte, index) => head[index] === byte));
  if (archive !== undefined) throw refusedFile({ file }, `the file is ${archive.name}; unpack it first.`);
}

/** Files of this service begin with an ASCII character, so that one of the first two bytes is zero in UTF-16. */
function utf16Of([first, second]: Uint8Array): TextEncoding | undefined {
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return "utf-16le";
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== undefined && second !== 0))
    return "utf-16be";
  return undefined;
}

/** Receives the number of bytes of each piece that was read. */
export type OnBytes = (bytes: number) => void;

/** The text of a file, piece by piece, without its byte-order mark; memory does not grow with the file. */
export async function* readText({ file, encoding }: InspectedFile, onBytes: OnBytes): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  for await (const bytes of readBytes(file)) {
    const text = decoder.decode(bytes, { stream: true });
    if (text !== "") yield text;
    onBytes(bytes.length);
  }
  const rest = decoder.decode();
  if (rest !== "") yield rest;
}
