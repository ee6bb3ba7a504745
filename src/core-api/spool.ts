import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { z } from "zod";
import { errorCode } from "../platform/error-code.ts";
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

/** The order in which the entries of one submission are imported. */
const ORDER = { create: 1, upload: 2, similarity: 3 } as const satisfies Record<SpoolEntry["kind"], number>;

/**
 * Files below the data folder that hold what clients have sent until the stores have it. Some clients never repeat a request, so
 * it must be accepted while a store is down. An entry is on the disk before its request is answered, and is removed once it is
 * imported. A later entry of the same kind replaces the earlier one of its submission.
 */
export class Spool {
  readonly #folder: string;
  readonly #bytesMax: number;
  #bytes = 0;

  private constructor(folder: string, bytesMax: number) {
    this.#folder = folder;
    this.#bytesMax = bytesMax;
  }

  /** Opens a folder, and removes files that a killed process left without an entry. */
  static async open(folder: string, bytesMax = SPOOL_BYTES_MAX): Promise<Spool> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const spool = new Spool(folder, bytesMax);
    const kept = new Set((await spool.list()).flatMap(({ file }) => file?.uploadId ?? []));
    for (const name of await readdir(folder)) {
      const isOrphan = name.endsWith(".part") || (name.endsWith(".bin") && !kept.has(name.slice(0, -4)));
      if (isOrphan) await rm(join(folder, name), { force: true });
      else if (name.endsWith(".bin")) spool.#bytes += (await stat(join(folder, name))).size;
    }
    return spool;
  }

  async add(entry: SpoolEntry): Promise<void> {
    const earlier = entry.kind === "upload" ? await this.find(entry.submissionId, "upload") : undefined;
    const path = this.#pathOf(entry.submissionId, entry.kind);
    const part = `${path}.${randomUUID()}.part`;
    await writeFile(part, JSON.stringify(entry), { flush: true, mode: 0o600 });
    await rename(part, path);
    await this.#removeFile(earlier?.file?.uploadId);
  }

  /** Writes the bytes of an upload. @throws CoreApiError `too_large`; `unavailable` when the spool is full. */
  async receive(uploadId: string, bytes: Readable, fileBytesMax: number): Promise<void> {
    const path = this.#fileOf(uploadId);
    const part = `${path}.part`;
    let size = 0;
    const limited = new Transform({
      transform: (piece: Buffer, _, done) => {
        size += piece.length;
        if (size > fileBytesMax) done(new CoreApiError("too_large", "TOO_MUCH_TEXT"));
        else if (this.#bytes + size > this.#bytesMax)
          done(new CoreApiError("unavailable", "Too many files are waiting. Try again later."));
        else done(null, piece);
      },
    });
    try {
      await pipeline(bytes, limited, createWriteStream(part, { flush: true, mode: 0o600 }));
      await rename(part, path);
      this.#bytes += size;
    } finally {
      await rm(part, { force: true });
    }
  }

  readFile({ file }: SpoolEntry): Promise<Uint8Array> {
    if (file === undefined) throw new Error("an entry without a file");
    return readFile(this.#fileOf(file.uploadId));
  }

  async find(submissionId: string, kind: SpoolEntry["kind"]): Promise<SpoolEntry | undefined> {
    return this.#read(this.#pathOf(submissionId, kind));
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
    const { submissionId, kind, at, file } = entry;
    const current = await this.find(submissionId, kind);
    if (current?.at.getTime() === at.getTime() && current.file?.uploadId === file?.uploadId)
      await rm(this.#pathOf(submissionId, kind), { force: true });
    await this.#removeFile(file?.uploadId);
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

  /** @param submissionId a UUID, as the routes let no other through */
  #pathOf(submissionId: string, kind: SpoolEntry["kind"]): string {
    return join(this.#folder, `${submissionId}.${ORDER[kind]}-${kind}.json`);
  }

  #fileOf(uploadId: string): string {
    return join(this.#folder, `${uploadId}.bin`);
  }

  async #read(path: string): Promise<SpoolEntry | undefined> {
    try {
      return Entry.parse(JSON.parse(await readFile(path, "utf8")));
    } catch (error) {
      if (errorCode(error) === "ENOENT") return undefined;
      throw error;
    }
  }
}
