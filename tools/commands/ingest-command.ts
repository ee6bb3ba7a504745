import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import type { SemanticBacklog } from "../../src/corpus/documents/meaning-store.ts";
import type { IngestResult, LanguageCount } from "../../src/corpus/ingest/ingest-tally.ts";
import { DomainError } from "../../src/platform/domain-error.ts";
import { isStoreUnavailable } from "../../src/platform/flow/retry-policy.ts";
import { withProgress } from "../../src/platform/run-command.ts";
import { explainError, printResult, UsageError } from "../../src/platform/terminal/command.ts";
import { aboutDuration, type Progress, ProgressDisplay } from "../../src/platform/terminal/progress.ts";
import { grouped, textTable } from "../../src/platform/terminal/terminal-text.ts";
import type { Corpus } from "../../src/service/connect-corpus.ts";
import { runCorpusCommand, STOPPING } from "./command.ts";

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
  let begun = 0;
  const say = (line: string) => display.say(line);
  const stopping = () =>
    begun === 0
      ? STOPPING
      : `Stopping: finishing ${grouped(begun)} ${unit} that were begun. Press Ctrl-C again to stop at once.`;
  return runCorpusCommand(
    async (corpus, { signal }) => {
      const runOnce = async () => {
        display.close();
        display = new ProgressDisplay(process.stderr, { unit });
        try {
          const onProgress = (progress: Progress) => {
            begun = progress.begun ?? 0;
            display.update(progress);
          };
          const result = await ingest(corpus, { say, onProgress, signal });
          const backlog =
            hasChanged(result) || everySeconds === undefined ? await tidyUp(corpus, say, signal) : undefined;
          return { result, backlog };
        } finally {
          display.close();
        }
      };
      const print = (ended: Ended) => printResult(present(ended), json ? presentJson(ended) : undefined);
      if (everySeconds === undefined) {
        const ended = await runOnce();
        print(ended);
        return ended.result.failed > 0 ? 1 : 0;
      }
      for (let failedBefore = 0; ; ) {
        try {
          const ended = await runOnce();
          const { result } = ended;
          // Records that can't be read are the same in each run.
          if (hasChanged(result) || result.failed !== failedBefore) print(ended);
          failedBefore = result.failed;
        } catch (error) {
          signal.throwIfAborted();
          if (!isStoreUnavailable(error)) throw error;
          say(explainError(error));
        }
        await sleep(1_000 * everySeconds, undefined, { signal });
      }
    },
    say,
    stopping,
  );
}

type Ended = { readonly result: IngestResult; readonly backlog: SemanticBacklog | undefined };

function hasChanged({ added, replaced, removed }: IngestResult): boolean {
  return added + replaced + removed > 0;
}

/**
 * Store maintenance after many changes. The work before it is complete without it, so a failure is only reported.
 * @returns the work that is left for workers; undefined if it is unknown, or sentences are not encoded at all.
 */
export async function tidyUp(
  { cleanUpTombstones, refreshStatistics, encoderModels, meaning, database }: Corpus,
  say: (line: string) => void,
  signal: AbortSignal,
): Promise<SemanticBacklog | undefined> {
  try {
    await withProgress("The stores clean up", say, async () => {
      await cleanUpTombstones({ signal });
      await refreshStatistics(signal);
    });
    return encoderModels.isOn ? await meaning.backlog(database) : undefined;
  } catch (error) {
    signal.throwIfAborted();
    say(
      `Everything is done, but the maintenance of the stores failed: run npm run corpus:refresh. ${explainError(error)}`,
    );
    return undefined;
  }
}

function present({ result, backlog }: Ended): string[] {
  const { added, replaced, unchanged, removed, failed, chunks, seconds, languages, failures } = result;
  const rows = failures.map(({ path, reason }) => [path, reason]);
  return [
    ...(rows.length > 0 ? ["Not in the corpus:", ...textTable(rows)] : []),
    ...(failed > rows.length ? [`and ${failed - rows.length} more`] : []),
    `${added} added, ${replaced} replaced, ${unchanged} unchanged, ${removed} removed, ${failed} failed; ${chunks} chunks written in ${seconds.toFixed(1)} s`,
    ...textTable([
      ...LANGUAGE_ROWS.flatMap(([origin, name, hint]) => {
        const some = languages.filter(({ languageOrigin }) => languageOrigin === origin);
        return some.length === 0 ? [] : [[name, `${languagesText(some)}${hint}`]];
      }),
      ...(backlog === undefined || backlog.chunks === 0
        ? []
        : [["matching by meaning", backlogText(backlog)]]),
    ]),
  ];
}

const LANGUAGE_ROWS: readonly (readonly [LanguageCount["languageOrigin"], string, string])[] = [
  ["stated", "language stated", ""],
  ["detected", "language detected", ""],
  ["default", "language assumed", ", as their texts do not tell; see --language"],
];

/** The most frequent of them. */
const LANGUAGES_SHOWN_MAX = 8;

function languagesText(counts: readonly LanguageCount[]): string {
  const shown = counts
    .slice(0, LANGUAGES_SHOWN_MAX)
    .map(({ language, count }) => `${grouped(count)} ${language}`);
  const others = counts.slice(LANGUAGES_SHOWN_MAX).reduce((sum, { count }) => sum + count, 0);
  return [...shown, ...(others === 0 ? [] : [`${grouped(others)} in others`])].join(", ");
}

/** Checks find these documents by their words meanwhile. */
function backlogText({ chunks, seconds }: SemanticBacklog): string {
  const time = seconds === undefined ? "while the service runs" : aboutDuration(seconds);
  return `${grouped(chunks)} chunks are still to be encoded, ${time}`;
}

function presentJson({ result: { failures: _, languages, ...counts }, backlog }: Ended) {
  return {
    ...counts,
    languages: languages.map(({ languageOrigin, ...rest }) => ({ ...rest, language_origin: languageOrigin })),
    semantic_backlog: backlog === undefined ? null : { ...backlog, seconds: backlog.seconds ?? null },
  };
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
