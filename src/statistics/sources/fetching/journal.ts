import { createReadStream } from "node:fs";
import { type FileHandle, open, rm } from "node:fs/promises";
import { basename } from "node:path";
import { createInterface } from "node:readline";
import type { z } from "zod";

const LINE_END = 0x0a;

const TAIL_BYTES = 1 << 16;

/** A journal holds what it should not: it is of another version of the program, or the disk has failed. */
export class DamagedJournal extends Error {
  override readonly name = "DamagedJournal";
}

/**
 * Records that are added one by one, a JSON line each, so that a killed fetch loses none but the one that was being
 * written: what stands behind the last line end is cut off when the journal is opened again.
 */
export class Journal<S extends z.ZodType> {
  readonly #path: string;
  readonly #schema: S;

  constructor(path: string, schema: S) {
    this.#path = path;
    this.#schema = schema;
  }

  /**
   * All records, in the order in which they were added; none when there is no journal.
   * @throws DamagedJournal
   */
  async *read(): AsyncGenerator<z.output<S>> {
    const file = await this.#openWhole();
    await file.close();
    const lines = createInterface({
      input: createReadStream(this.#path),
      crlfDelay: Number.POSITIVE_INFINITY,
    });
    try {
      for await (const line of lines) yield this.#parse(line);
    } finally {
      lines.close();
    }
  }

  /** Adds records; when it returns, a kill of the process can't take them away. */
  async append(...records: readonly z.input<S>[]): Promise<void> {
    const file = await this.#openWhole();
    try {
      await file.appendFile(records.map((record) => `${JSON.stringify(record)}\n`).join(""));
    } finally {
      await file.close();
    }
  }

  #parse(line: string): z.output<S> {
    try {
      return this.#schema.parse(JSON.parse(line));
    } catch (error) {
      throw new DamagedJournal(`${basename(this.#path)} is damaged`, { cause: error });
    }
  }

  async remove(): Promise<void> {
    await rm(this.#path, { force: true });
  }

  async #openWhole(): Promise<FileHandle> {
    const file = await open(this.#path, "a+");
    const { size } = await file.stat();
    const whole = await endOfLastLine(file, size);
    if (whole < size) await file.truncate(whole);
    return file;
  }
}

/** Looks from the end backwards: what was torn is mostly nothing, and at most one record. */
async function endOfLastLine(file: FileHandle, size: number): Promise<number> {
  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - (end === size ? 1 : TAIL_BYTES));
    const piece = Buffer.alloc(end - start);
    await file.read(piece, 0, piece.length, start);
    const found = piece.lastIndexOf(LINE_END);
    if (found >= 0) return start + found + 1;
    end = start;
  }
  return 0;
}
