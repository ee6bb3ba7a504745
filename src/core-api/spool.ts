import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { z } from "zod";
import { errorCode } from "../platform/error-code.ts";
import type { Logger } from "../platform/logger.ts";
import { CoreApiError } from "./core-api-error.ts";

/** Files of all uploads that wait: a day of a large school, in case the stores are down for so long. */
const SPOOL_BYTES_MAX = 4 * 1024 ** 3;

const Entry = z.object({
  kind: z.enum(["create", "upload", "similarity"]),
  keyName: z.string(),
  submissionId: z.string(),
  at: z.coerce.date(),
  /** What the kind needs beside this. */
  content: z.unknown(),
  /** The file of an upload. */
  file: z.object({ uploadId: z.string(), filename: z.string() }).optional(),
});

/** Something that a client sent and that the stores don't have yet. */
export type SpoolEntry = z.output<typeof Entry>;

/** Added to the name of an entry that can't be imported. */
const SET_ASIDE = ".failed";

/** The order in which the entries of one submission are imported. */
const ORDER = { create: 1, upload: 2, similarity: 3 } as const satisfies Record<SpoolEntry["kind"], number>;

/**
 * Files below the data folder that hold what clients have sent until the stores have it. Some clients never repeat a request, so
 * it must be accepted while a store is down. An entry is on the disk before its request is answered, and is removed once it is
 * imported. A later entry of the same kind and key replaces the earlier one of its submission. An entry that can't be imported is
 * set aside: it and its file stay for the operator to look at, until `removeSetAside`.
 */
export class Spool {
  readonly #folder: string;
  readonly #bytesMax: number;
  readonly #log: Logger;
  #bytes = 0;

  private constructor(folder: string, log: Logger, bytesMax: number) {
    this.#folder = folder;
    this.#log = log;
    this.#bytesMax = bytesMax;
  }

  /** Opens a folder, and removes files that a killed process left without an entry. */
  static async open(folder: string, log: Logger, bytesMax = SPOOL_BYTES_MAX): Promise<Spool> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const spool = new Spool(folder, log, bytesMax);
    await spool.#removeOrphans(Number.POSITIVE_INFINITY);
    for (const name of await readdir(folder))
      if (name.endsWith(".bin")) spool.#bytes += (await stat(join(folder, name))).size;
    return spool;
  }

  async add(entry: SpoolEntry): Promise<void> {
    const { keyName, submissionId, kind } = entry;
    const earlier = kind === "upload" ? await this.find(keyName, submissionId, kind) : undefined;
    const path = this.#pathOf(keyName, submissionId, kind);
    const part = `${path}.${randomUUID()}.part`;
    await writeFile(part, JSON.stringify(entry), { flush: true, mode: 0o600 });
    await rename(part, path);
    await this.#syncFolder();
    await this.#removeFile(earlier?.file?.uploadId);
  }

  /** Writes the bytes of an upload. @throws CoreApiError `too_large`; `unavailable` when the spool is full. */
  async receive(uploadId: string, bytes: Readable, fileBytesMax: number): Promise<void> {
    const path = this.#fileOf(uploadId);
    const part = `${path}.part`;
    let size = 0;
    let isKept = false;
    const limited = new Transform({
      transform: (piece: Buffer, _, done) => {
        size += piece.length;
        this.#bytes += piece.length;
        if (size > fileBytesMax) done(new CoreApiError("too_large", "TOO_MUCH_TEXT"));
        else if (this.#bytes > this.#bytesMax)
          done(new CoreApiError("unavailable", "Too many files are waiting. Try again later."));
        else done(null, piece);
      },
    });
    try {
      await pipeline(bytes, limited, createWriteStream(part, { flush: true, mode: 0o600 }));
      await rename(part, path);
      isKept = true;
    } finally {
      if (!isKept) this.#bytes -= size;
      await rm(part, { force: true });
    }
  }

  readFile({ file }: SpoolEntry): Promise<Uint8Array> {
    if (file === undefined) throw new Error("an entry without a file");
    return readFile(this.#fileOf(file.uploadId));
  }

  async find(
    keyName: string,
    submissionId: string,
    kind: SpoolEntry["kind"],
  ): Promise<SpoolEntry | undefined> {
    return this.#read(this.#pathOf(keyName, submissionId, kind));
  }

  /** Whether a submission that was announced while the store was down is of another key. */
  async isOfAnother(keyName: string, submissionId: string): Promise<boolean> {
    const start = `${submissionId}.${ORDER.create}-create.`;
    const names = (await readdir(this.#folder)).filter((name) => name.startsWith(start));
    return names.some((name) => name.endsWith(".json") && name !== `${start}${keyName}.json`);
  }

  /** All entries; those of one submission in the order of their import. */
  async list(): Promise<SpoolEntry[]> {
    const names = (await readdir(this.#folder)).filter((name) => name.endsWith(".json")).toSorted();
    const entries: SpoolEntry[] = [];
    for (const name of names) {
      const entry = await this.#read(join(this.#folder, name));
      if (entry !== undefined) entries.push(entry);
    }
    return entries;
  }

  /** Removes an imported entry, unless a later one has replaced it. */
  async remove(entry: SpoolEntry): Promise<void> {
    const { keyName, submissionId, kind, at, file } = entry;
    const current = await this.find(keyName, submissionId, kind);
    if (current?.at.getTime() === at.getTime() && current.file?.uploadId === file?.uploadId)
      await rm(this.#pathOf(keyName, submissionId, kind), { force: true });
    await this.#removeFile(file?.uploadId);
  }

  /** Keeps an entry that can't be imported out of the way. */
  setAside({ keyName, submissionId, kind }: SpoolEntry): Promise<void> {
    const path = this.#pathOf(keyName, submissionId, kind);
    return rename(path, path + SET_ASIDE);
  }

  /** Removes entries that were set aside before a time, with their files. Returns their number. */
  async removeSetAside(beforeMs: number): Promise<number> {
    let removed = 0;
    for (const name of await this.#namesOfSetAside()) {
      const path = join(this.#folder, name);
      if (!(await isFromBefore(path, beforeMs))) continue;
      await rm(path, { force: true });
      removed += 1;
    }
    if (removed > 0) await this.#removeOrphans(beforeMs);
    return removed;
  }

  async #namesOfSetAside(): Promise<string[]> {
    return (await readdir(this.#folder)).filter((name) => name.endsWith(SET_ASIDE));
  }

  /** Removes files from before a time that have no entry; and none while an entry that can't be read may be theirs. */
  async #removeOrphans(beforeMs: number): Promise<void> {
    const kept = new Set((await this.list()).flatMap(({ file }) => file?.uploadId ?? []));
    let keepsAll = false;
    for (const name of await this.#namesOfSetAside()) {
      const entry = parseEntry(await readFile(join(this.#folder, name), "utf8"));
      if (entry?.file !== undefined) kept.add(entry.file.uploadId);
      keepsAll ||= entry === undefined;
    }
    for (const name of await readdir(this.#folder)) {
      const path = join(this.#folder, name);
      const isUnnamed = name.endsWith(".bin") && !keepsAll && !kept.has(name.slice(0, -4));
      if (!isUnnamed && !name.endsWith(".part")) continue;
      if (!(await isFromBefore(path, beforeMs))) continue;
      if (isUnnamed) await this.#removeFile(name.slice(0, -4));
      else await rm(path, { force: true });
    }
  }

  async #removeFile(uploadId: string | undefined): Promise<void> {
    if (uploadId === undefined) return;
    const path = this.#fileOf(uploadId);
    const size = await stat(path).then(
      (found) => found.size,
      () => 0,
    );
    await rm(path, { force: true });
    this.#bytes = Math.max(0, this.#bytes - size);
  }

  /** Without it a loss of power may undo a rename. */
  async #syncFolder(): Promise<void> {
    const folder = await open(this.#folder);
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  }

  /** @param submissionId a UUID, as the routes let no other through; names of keys have no slash either */
  #pathOf(keyName: string, submissionId: string, kind: SpoolEntry["kind"]): string {
    return join(this.#folder, `${submissionId}.${ORDER[kind]}-${kind}.${keyName}.json`);
  }

  #fileOf(uploadId: string): string {
    return join(this.#folder, `${uploadId}.bin`);
  }

  async #read(path: string): Promise<SpoolEntry | undefined> {
    try {
      return Entry.parse(JSON.parse(await readFile(path, "utf8")));
    } catch (error) {
      const code = errorCode(error);
      if (code === "ENOENT") return undefined;
      // The process has too many open files; the entry is sound.
      if (code === "EMFILE" || code === "ENFILE") throw error;
      this.#log.error({ path, err: error }, "entry of the spool not readable, set aside");
      await rename(path, path + SET_ASIDE);
      return undefined;
    }
  }
}

/** By the time of its last renaming. False for a file that is gone: imports go on meanwhile. */
async function isFromBefore(path: string, beforeMs: number): Promise<boolean> {
  return stat(path).then(
    ({ ctimeMs }) => ctimeMs < beforeMs,
    () => false,
  );
}

function parseEntry(content: string): SpoolEntry | undefined {
  try {
    return Entry.parse(JSON.parse(content));
  } catch {
    return undefined;
  }
}
