import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import type { IngestResult } from "../../src/corpus/ingest/ingest-tally.ts";
import { DomainError } from "../../src/platform/domain-error.ts";
import { isStoreUnavailable } from "../../src/platform/flow/retry-policy.ts";
import { explainError, printResult, UsageError } from "../../src/platform/terminal/command.ts";
import { type Progress, ProgressDisplay } from "../../src/platform/terminal/progress.ts";
import { textTable } from "../../src/platform/terminal/terminal-text.ts";
import type { Corpus } from "../../src/service/connect-corpus.ts";
import { runCorpusCommand } from "./command.ts";

/** The progress messages of an ingest. */
export type IngestTold = {
  readonly say: (line: string) => void;
  readonly onProgress: (progress: Progress) => void;
  readonly signal: AbortSignal;
};

type Options = {
  /** The counted things, in the plural. */
  readonly unit: string;
  readonly json: boolean;
  /** Seconds between two runs; a single run by default. */
  readonly everySeconds?: number | undefined;
};

/** Runs an ingest with its progress on the standard error, and prints its result. Of repeated runs, those in which something has changed. */
export function runIngestCommand(
  { unit, json, everySeconds }: Options,
  ingest: (corpus: Corpus, told: IngestTold) => Promise<IngestResult>,
): Promise<void> {
  let display = new ProgressDisplay(process.stderr, { unit });
  const say = (line: string) => display.say(line);
  return runCorpusCommand(async (corpus, { signal }) => {
    const runOnce = async () => {
      display.close();
      display = new ProgressDisplay(process.stderr, { unit });
      try {
        const onProgress = (progress: Progress) => display.update(progress);
        const result = await ingest(corpus, { say, onProgress, signal });
        if (hasChanged(result) || everySeconds === undefined) await tidyUp(corpus, say);
        return result;
      } finally {
        display.close();
      }
    };
    const print = ({ failures, ...counts }: IngestResult) =>
      printResult(present(counts, failures), json ? counts : undefined);
    if (everySeconds === undefined) {
      const result = await runOnce();
      print(result);
      return result.failed > 0 ? 1 : 0;
    }
    for (let failedBefore = 0; ; ) {
      try {
        const result = await runOnce();
        // Records that can't be read are the same in each run.
        if (hasChanged(result) || result.failed !== failedBefore) print(result);
        failedBefore = result.failed;
      } catch (error) {
        signal.throwIfAborted();
        if (!isStoreUnavailable(error)) throw error;
        say(explainError(error));
      }
      await sleep(1_000 * everySeconds, undefined, { signal });
    }
  }, say);
}

function hasChanged({ added, replaced, removed }: IngestResult): boolean {
  return added + replaced + removed > 0;
}

/** Store maintenance after many changes. The ingest is complete without it, so a failure is only reported. */
async function tidyUp(
  { cleanUpTombstones, refreshStatistics }: Corpus,
  say: (line: string) => void,
): Promise<void> {
  try {
    await cleanUpTombstones();
    await refreshStatistics();
  } catch (error) {
    say(
      `All documents are matchable, but the maintenance of the stores failed: run npm run corpus:refresh. ${explainError(error)}`,
    );
  }
}

function present(counts: Omit<IngestResult, "failures">, failures: IngestResult["failures"]): string[] {
  const { added, replaced, unchanged, removed, failed, chunks, seconds } = counts;
  const rows = failures.map(({ path, reason }) => [path, reason]);
  return [
    ...(rows.length > 0 ? ["Not in the corpus:", ...textTable(rows)] : []),
    ...(failed > rows.length ? [`and ${failed - rows.length} more`] : []),
    `${added} added, ${replaced} replaced, ${unchanged} unchanged, ${removed} removed, ${failed} failed; ${chunks} chunks written in ${seconds.toFixed(1)} s`,
  ];
}

/** The options that an index and a query have in common. */
export const RECORD_OPTIONS = {
  text: { type: "string" },
  title: { type: "string" },
  url: { type: "string" },
  "id-url": { type: "string" },
  language: { type: "string" },
  html: { type: "boolean", default: false },
  "updated-field": { type: "string" },
  collection: { type: "string" },
  "new-query": { type: "boolean", default: false },
  "allow-empty": { type: "boolean", default: false },
  follow: { type: "boolean", default: false },
  interval: { type: "string" },
  json: { type: "boolean", default: false },
} as const;

/** Their descriptions, for `--help`. */
export const RECORD_USAGE = `  --html                 text and title are HTML: only their text is used
  --updated-field FIELD  a date or number that grows with each change: later runs read only what is new or changed
  --collection NAME      identify the documents by this name, as when one source feeds two collections
  --new-query            accept another query than in the last run; documents that it no longer returns are deleted
  --allow-empty          delete all documents of the source if it has no records at all
  --follow               repeat until stopped, every 60 seconds or every --interval SECONDS
  --json                 print the result as JSON on the last line of standard output`;

type RecordValues = {
  readonly [name in
    | "text"
    | "title"
    | "url"
    | "id-url"
    | "language"
    | "updated-field"
    | "collection"
    | "interval"]?: string | undefined;
} & { readonly [name in "html" | "new-query" | "allow-empty" | "follow" | "json"]: boolean };

const INTERVAL_SECONDS_DEFAULT = 60;

/** The common options as an ingest takes them. @throws UsageError */
export function readRecordOptions(values: RecordValues) {
  const { title, url, language, html, collection, follow, interval, json } = values;
  if (interval !== undefined && !follow) throw new UsageError("--interval requires --follow.");
  const seconds = interval === undefined ? INTERVAL_SECONDS_DEFAULT : Number(interval);
  if (!(seconds >= 1)) throw new UsageError(`--interval must be a number of seconds, not "${interval}".`);
  const idUrl = values["id-url"];
  if (idUrl !== undefined && !/^https?:\/\/.*\{[^{}]+\}/.test(idUrl))
    throw new UsageError(
      `--id-url must be an http or https URL with a field in braces, such as https://example.org/{_id}, not "${idUrl}".`,
    );
  const text = values.text
    ?.split(",")
    .map((path) => path.trim())
    .filter((path) => path !== "");
  if (text?.length === 0) throw new UsageError("--text names no field.");
  return {
    text,
    run: { json, everySeconds: follow ? seconds : undefined },
    common: {
      ...{ title, url, idUrl, language, html, collection },
      updatedField: values["updated-field"],
      newSelection: values["new-query"],
      allowEmpty: values["allow-empty"],
    },
  };
}

/** Checks the URL of another server. @throws UsageError that does not repeat it, as it may hold a password. */
export function readUrl(option: string, url: string, protocols: readonly string[]): string {
  if (URL.canParse(url) && protocols.includes(new URL(url).protocol)) return url;
  throw new UsageError(
    `${option} must be a URL that begins with ${protocols.map((name) => `${name}//`).join(" or ")}.`,
  );
}

/** Calls `check`, and turns errors that the caller can correct into usage errors. */
export async function asUsage<T>(check: () => T | Promise<T>): Promise<T> {
  try {
    return await check();
  } catch (error) {
    throw error instanceof DomainError ? new UsageError(error.message) : error;
  }
}
