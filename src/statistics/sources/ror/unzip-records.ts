import { createWriteStream } from "node:fs";
import { rename } from "node:fs/promises";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { type Entry, open, type ZipFile } from "yauzl";
import { DomainError } from "../../../core/domain-error.ts";

/** A release may carry the records in two schemas; the file of the second names it then. */
const SECOND_SCHEMA = /ror-data_schema_v2\.json$/i;
const ONLY_SCHEMA = /ror-data\.json$/i;

/**
 * Unpacks the JSON file with the v2 records of ROR's archive to a path, in constant memory; the path changes only once the file is
 * whole. @throws DomainError `unreadable_file` when the archive is damaged, or has no such file.
 */
export async function unzipRecords(archive: string, path: string): Promise<void> {
  try {
    const zip = await promisify(openLazily)(archive);
    try {
      const entry = await recordsIn(zip);
      const whole = `${path}.whole`;
      await pipeline(await streamOf(zip, entry), createWriteStream(whole));
      await rename(whole, path);
    } finally {
      zip.close();
    }
  } catch (error) {
    if (error instanceof DomainError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new DomainError("unreadable_file", `ROR's archive can't be unpacked: ${reason}`, { cause: error });
  }
}

function openLazily(archive: string, done: (error: Error | null, zip: ZipFile) => void): void {
  open(archive, { lazyEntries: true, autoClose: false }, done);
}

async function recordsIn(zip: ZipFile): Promise<Entry> {
  const entries = await entriesOf(zip);
  const records =
    entries.find(({ fileName }) => SECOND_SCHEMA.test(fileName)) ??
    entries.find(({ fileName }) => ONLY_SCHEMA.test(fileName));
  if (records !== undefined) return records;
  const names = entries.map(({ fileName }) => fileName).join(", ");
  throw new DomainError("unreadable_file", `ROR's archive has no file of records: ${names}`);
}

function entriesOf(zip: ZipFile): Promise<readonly Entry[]> {
  return new Promise((resolve, reject) => {
    const entries: Entry[] = [];
    zip.on("entry", (entry: Entry) => {
      entries.push(entry);
      zip.readEntry();
    });
    zip.once("end", () => resolve(entries));
    zip.once("error", reject);
    zip.readEntry();
  });
}

function streamOf(zip: ZipFile, entry: Entry): Promise<Readable> {
  return new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => (error === null ? resolve(stream) : reject(error)));
  });
}
