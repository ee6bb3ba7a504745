import { randomUUID } from "node:crypto";
import { type FileHandle, open, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SentFile } from "../http/input/upload-files.ts";
import { DomainError, storeUnavailable } from "../platform/domain-error.ts";
import { Slots } from "../platform/flow/slots.ts";
import {
  type ArchivedFile,
  archivedFiles,
  failed,
  fileTooLarge,
  isArchive,
  MEMBER_BYTES_MAX,
  newBudget,
  shownPath,
} from "./archive.ts";

/** The files of a request, with the files of its archives in the places of these. */
export type UnpackedFiles = {
  readonly paths: readonly string[];
  /** From the beginning at each call. */
  read(): AsyncGenerator<ArchivedFile>;
};

/**
 * Unpacks the archives among files, calls `work` with all files, and removes what was unpacked. So nothing is unpacked within `work`.
 * @throws the errors of `work` and of `archivedFiles`; `service_busy`; `store_unavailable` if no temporary file can be written; the
 *   signal's reason
 */
export type WithUnpacked = <T>(
  files: readonly SentFile[],
  signal: AbortSignal,
  work: (unpacked: UnpackedFiles) => Promise<T>,
) => Promise<T>;

/** Requests with archives in progress: unpacking takes processor time, and each may need a temporary file of 512 MiB. */
const ARCHIVES_AT_ONCE = 2;

/** Others wait so many, and for so long: a program repeats the request. */
const WAITING_MAX = 20;
const WAIT_MS = 10_000;

/** All files of requests in progress or waiting, as for bodies that arrive: two forms of the largest size, and some of usual ones. */
const HELD_BYTES_MAX = 256 * 1024 * 1024;

export function createWithUnpacked(): WithUnpacked {
  const slots = new Slots(ARCHIVES_AT_ONCE, { waitingMax: WAITING_MAX, waitMs: WAIT_MS, busy });
  let held = 0;
  return async (files, signal, work) => {
    const bytes = files.reduce((sum, file) => sum + file.bytes.byteLength, 0);
    if (held + bytes > HELD_BYTES_MAX) throw busy();
    held += bytes;
    try {
      if (!files.some(({ path, bytes }) => isArchive(path, bytes)))
        return await work(unpackedFiles(files.map(asItIs), new Store()));
      return await slots.run(() => unpackAll(files, signal, work), { signal });
    } finally {
      held -= bytes;
    }
  };
}

async function unpackAll<T>(
  files: readonly SentFile[],
  signal: AbortSignal,
  work: (unpacked: UnpackedFiles) => Promise<T>,
): Promise<T> {
  const budget = newBudget();
  const store = new Store();
  try {
    const all: StoredFile[] = [];
    for (const file of files) {
      if (!isArchive(file.path, file.bytes)) all.push(asItIs(file));
      else
        for await (const { path, content } of archivedFiles(file.bytes, budget, signal))
          all.push({ path, content: "bytes" in content ? await store.add(content.bytes) : content });
    }
    return await work(unpackedFiles(all, store));
  } finally {
    await store.close();
  }
}

type StoredFile = {
  readonly path: string;
  readonly content: ArchivedFile["content"] | Place;
};

function asItIs({ path, bytes }: SentFile): StoredFile {
  const isTooLarge = bytes.byteLength > MEMBER_BYTES_MAX;
  return { path: shownPath(path), content: isTooLarge ? failed(fileTooLarge()) : { bytes, isText: false } };
}

function unpackedFiles(files: readonly StoredFile[], store: Store): UnpackedFiles {
  return {
    paths: files.map(({ path }) => path),
    async *read() {
      for (const { path, content } of files)
        yield {
          path,
          content: "at" in content ? { bytes: await store.read(content), isText: false } : content,
        };
    },
  };
}

type Place = { readonly at: number; readonly length: number };

/** What a request keeps in memory: most archives never need a file. */
const MEMORY_BYTES_MAX = 32 * 1024 * 1024;

/** Unpacked files: in memory, and from a size on in a temporary file without a name, which ends with the process. */
class Store {
  #file: FileHandle | undefined;
  #inMemory = 0;
  #inFile = 0;

  async add(bytes: Uint8Array): Promise<StoredFile["content"]> {
    const { length } = bytes;
    if (this.#inMemory + length <= MEMORY_BYTES_MAX) {
      this.#inMemory += length;
      return { bytes, isText: false };
    }
    try {
      this.#file ??= await openUnnamed();
      await this.#file.writeFile(bytes);
    } catch (cause) {
      throw storeUnavailable(NO_TEMPORARY_FILE, cause);
    }
    this.#inFile += length;
    return { at: this.#inFile - length, length };
  }

  async read({ at, length }: Place): Promise<Uint8Array> {
    const bytes = Buffer.allocUnsafe(length);
    const read = await this.#file?.read(bytes, 0, length, at);
    if (read?.bytesRead !== length) throw new Error("a temporary file was cut off");
    return bytes;
  }

  async close(): Promise<void> {
    await this.#file?.close();
  }
}

const NO_TEMPORARY_FILE =
  "The archive can't be unpacked, because the service can't write to its folder for temporary files. Its operator can free space there, or set TMPDIR.";

async function openUnnamed(): Promise<FileHandle> {
  const path = join(tmpdir(), `similarity-${randomUUID()}`);
  const file = await open(path, "wx+", 0o600);
  await unlink(path).catch(async (cause: unknown) => {
    await file.close();
    throw cause;
  });
  return file;
}

function busy(): DomainError {
  return new DomainError(
    "service_busy",
    "Too many files for batches are being read. Retry after the number of seconds in Retry-After.",
  );
}
