import { type FileHandle, open, rm } from "node:fs/promises";
import { basename } from "node:path";
import type { z } from "zod";

/** A journal has unexpected contents: another version of the program wrote it, or the disk has failed. */
export class DamagedJournal extends Error {
  override readonly name = "DamagedJournal";
}

/**
 * Records that are added one by one, each as a line of JSON, so that a killed fetch loses only the one that was being
 * written: an incomplete last line is cut off when the journal is opened again.
 */
export class Journal<S extends z.ZodType> {
  readonly #path: string;
  readonly #schema: S;

  constructor(path: string, schema: S) {
    this.#path = path;
    this.#schema = schema;
  }

  /** All records, in the order in which they were added; none when there is no journal. @throws DamagedJournal */
  async *read(): AsyncGenerator<z.output<S>> {
    const file = await this.#openWhole();
    let rest = "";
    // Not `readLines`: it also ends a line at U+2028, which JSON strings contain as it is.
    for await (const piece of file.createReadStream({ start: 0, encoding: "utf8" })) {
      const lines = `${rest}${piece}`.split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) yield this.#parse(line);
    }
  }

  /** Adds records; after it returns, killing the process can't lose them. */
  async append(...records: readonly z.input<S>[]): Promise<void> {
    const file = await this.#openWhole();
    try {
      await file.appendFile(records.map((record) => `${JSON.stringify(record)}\n`).join(""));
    } finally {
      await file.close();
    }
  }

  async remove(): Promise<void> {
    await rm(this.#path, { force: true });
  }

  #parse(line: string): z.output<S> {
    try {
      return this.#schema.parse(JSON.parse(line));
    } catch (error) {
      throw new DamagedJournal(`${basename(this.#path)} is damaged`, { cause: error });
    }
  }

  async #openWhole(): Promise<FileHandle> {
    const file = await open(this.#path, "a+");
    const { size } = await file.stat();
    const whole = await endOfLastLine(file, size);
    if (whole < size) await file.truncate(whole);
    return file;
  }
}

const TAIL_BYTES = 1 << 16;

/** Searches backwards from the end: usually nothing is incomplete, and at most one record is. */
async function endOfLastLine(file: FileHandle, size: number): Promise<number> {
  for (let end = size; end > 0; end -= TAIL_BYTES) {
    const start = Math.max(0, end - TAIL_BYTES);
    const tail = Buffer.alloc(end - start);
    await file.read(tail, 0, tail.length, start);
    const found = tail.lastIndexOf("\n");
    if (found >= 0) return start + found + 1;
  }
  return 0;
}
