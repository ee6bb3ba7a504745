import { realpath } from "node:fs/promises";
import { resolve } from "node:path";
import process from "node:process";
import type { BulkCollection, BulkSelection } from "../../src/corpus/upkeep/bulk-documents.ts";
import { UsageError } from "../../src/platform/terminal/command.ts";
import { grouped, visibleText } from "../../src/platform/terminal/terminal-text.ts";
import { isLanguage } from "../../src/text/languages.ts";

/** The options that select documents of bulk loads. */
export const SELECTION_OPTIONS = {
  collection: { type: "string" },
  folder: { type: "string" },
  source: { type: "string" },
  language: { type: "string" },
  "added-since": { type: "string" },
  "added-before": { type: "string" },
} as const;

/** Their descriptions, for `--help`. */
export const SELECTION_USAGE = `  --collection NAME    documents of this collection, as corpus:list names it
  --folder FOLDER      documents of files in this folder and below it, which need not exist any more
  --source URL         documents whose address begins so
  --language CODES     documents in these languages, comma-separated ISO 639-1 codes
  --added-since TIME   documents that were added at this time or later: 2026-11-28 or 2026-11-28T09:30Z, in UTC
  --added-before TIME  documents that were added before this time`;

type SelectionValues = { readonly [name in keyof typeof SELECTION_OPTIONS]?: string | undefined };

/** @throws UsageError */
export async function readSelection(values: SelectionValues): Promise<BulkSelection> {
  const { collection, folder, source } = values;
  const languages = values.language?.toLowerCase().split(",");
  const unknown = languages?.find((code) => !isLanguage(code));
  if (unknown !== undefined)
    throw new UsageError(`--language must be ISO 639-1 codes such as de or de,fr, not "${unknown}".`);
  return {
    ...{ collection, source, languages },
    folder: folder === undefined ? undefined : await folderPath(folder),
    addedSince: readTime("--added-since", values["added-since"]),
    addedBefore: readTime("--added-before", values["added-before"]),
  };
}

/** Documents are known by the real path of their folder. Of a folder that is gone, the given path is all there is. */
async function folderPath(folder: string): Promise<string> {
  const path = resolve(process.env.INIT_CWD ?? process.cwd(), folder);
  return realpath(path).catch(() => path);
}

/** Without a zone, JavaScript takes a date for UTC, and a time for local. */
const TIME = /^\d{4}-\d\d-\d\d(?<time>T\d\d:\d\d(:\d\d(\.\d+)?)?)?(?<zone>Z|[+-]\d\d:\d\d)?$/;

function readTime(option: string, given: string | undefined): Date | undefined {
  if (given === undefined) return undefined;
  const { time, zone } = TIME.exec(given)?.groups ?? {};
  const at = new Date(time !== undefined && zone === undefined ? `${given}Z` : given);
  if (!TIME.test(given) || Number.isNaN(at.getTime()))
    throw new UsageError(`${option} must be a time such as 2026-11-28 or 2026-11-28T09:30Z, not "${given}".`);
  return at;
}

/** One line for each collection, with its name last, as it may be long. */
export function collectionLines(collections: readonly BulkCollection[]): string[] {
  const rows = collections.map(({ collection, documents, chunks, firstAdded, lastAdded }) => [
    grouped(documents),
    grouped(chunks),
    day(firstAdded),
    day(lastAdded),
    visibleText(collection),
  ]);
  return [["documents", "chunks", "first added", "last added", "collection"], ...rows].map(
    ([documents = "", chunks = "", first = "", last = "", name = ""]) =>
      `${documents.padStart(11)}  ${chunks.padStart(11)}  ${first.padEnd(11)}  ${last.padEnd(10)}  ${name}`,
  );
}

function day(time: Date): string {
  return time.toISOString().slice(0, 10);
}

export function documentsOf(collections: readonly BulkCollection[]): number {
  return collections.reduce((sum, { documents }) => sum + documents, 0);
}
