import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { createSlots } from "../../platform/extract/slots.ts";
import { fileFault, NOT_A_FILE } from "./file-fault.ts";

const MEBIBYTE = 1024 * 1024;

/** A larger file would fill the process that extracts its text, which has 1 GB and holds the file more than once. */
export const FILE_BYTES_MAX = 256 * MEBIBYTE;

/** Files above this size are in memory one at a time: a folder of large ones takes no more than its largest. */
const LARGE_BYTES = 16 * MEBIBYTE;

/** The file that was met, not what it may have been replaced by: no link is followed, no pipe is waited for. */
const OPEN_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

export type SourceFile = {
  readonly bytes: Uint8Array;
  /** Of the bytes, in hexadecimal. */
  readonly sha256: string;
};

/** A file that can't be read; the message says why, in a sentence. */
export class UnreadableSource extends Error {
  override readonly name = "UnreadableSource";
}

/**
 * Reads a file and hands it to `use`; its bytes count as in memory until that has ended.
 * @throws UnreadableSource; the signal's reason; and what `use` throws.
 */
export type ReadSourceFile = <R>(
  absolutePath: string,
  use: (file: SourceFile) => Promise<R>,
  signal?: AbortSignal,
) => Promise<R>;

/** Makes a reader whose callers share the allowance of memory for large files. */
export function createReadSourceFile(): ReadSourceFile {
  const large = createSlots(1);

  return async (absolutePath, use, signal) => {
    const handle = await open(absolutePath, OPEN_FLAGS).catch(rethrowUnreadable);
    let holdsSlot = false;
    try {
      const stats = await handle.stat().catch(rethrowUnreadable);
      if (!stats.isFile()) throw new UnreadableSource(NOT_A_FILE);
      if (stats.size > FILE_BYTES_MAX) throw new UnreadableSource(tooLarge(stats.size));
      if (stats.size > LARGE_BYTES) {
        await large.take(signal);
        holdsSlot = true;
      }
      const bytes = await handle.readFile().catch(rethrowUnreadable);
      return await use({ bytes, sha256: createHash("sha256").update(bytes).digest("hex") });
    } finally {
      if (holdsSlot) large.free();
      await handle.close();
    }
  };
}

function tooLarge(sizeBytes: number): string {
  const megabytes = Math.ceil(sizeBytes / MEBIBYTE);
  return `It is too large: ${megabytes} MiB, and the most is ${FILE_BYTES_MAX / MEBIBYTE} MiB.`;
}

function rethrowUnreadable(error: unknown): never {
  throw new UnreadableSource(fileFault(error), { cause: error });
}
