import { resolve } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { DomainError } from "../src/core/domain-error.ts";
import { isLanguage } from "../src/core/text/languages.ts";
import { folderCollection, realFolder } from "../src/corpus/folder/folder-root.ts";
import { createIngestFolder, GOES_ON } from "../src/corpus/folder/ingest-folder.ts";
import type { FolderIngest } from "../src/corpus/folder/ingest-tally.ts";
import { explainError } from "../src/explain-error.ts";
import { type Corpus, openCorpus } from "../src/open-corpus.ts";
import { type Config, readConfig } from "../src/platform/config.ts";
import { createLogger } from "../src/platform/logger.ts";
import { openStores } from "../src/platform/stores/open-stores.ts";
import { ProgressDisplay } from "../src/platform/terminal/progress-display.ts";
import type { Progress } from "../src/platform/terminal/progress-line.ts";
import { textTable } from "../src/platform/terminal/text-table.ts";
import { stopSignal } from "../src/stop-signal.ts";

const USAGE = `Usage: npm run ingest -- FOLDER [--language CODE] [--prune] [--collection NAME] [--json]

Loads the .txt, .md, .pdf and .docx files below FOLDER into the corpus, and returns when all of them are matchable. Files
that have not changed since the last time are skipped, changed ones replace their document.

  --language CODE    the language of the texts, an ISO 639-1 code; en by default
  --prune            also removes the documents whose file is gone
  --collection NAME  knows the documents by this name instead of FOLDER's path, so that the folder may be moved
  --json             prints the result as JSON in the last line of the standard output`;

/** Wrong usage, told apart from an ingest in which something failed. */
const USAGE_STATUS = 2;

/** What shells report of a command that Ctrl-C ended: 128 and the number of SIGINT. */
const INTERRUPTED_STATUS = 130;

class UsageError extends Error {}

type Request = {
  readonly folder: string;
  readonly collection: string | undefined;
  readonly language: string;
  readonly prune: boolean;
  readonly json: boolean;
};

const signal = stopSignal();
const display = new ProgressDisplay(process.stderr, { unit: "files" });
const say = (line: string) => display.say(line);

try {
  const request = await readRequest(process.argv.slice(2));
  if (request === "help") process.stdout.write(`${USAGE}\n`);
  else process.exitCode = await onStores(request, readConfig(process.env));
} catch (error) {
  display.close();
  process.exitCode = exitStatus(error);
  if (signal.aborted) say(`Stopped. ${GOES_ON}`);
  else say(error instanceof UsageError ? `${error.message}\n\n${USAGE}` : explainError(error));
}

/** @throws UsageError that says what is wrong, before anything is started. */
async function readRequest(args: string[]): Promise<Request | "help"> {
  const { values, positionals } = parsed(args);
  if (values.help) return "help";
  const [given, ...more] = positionals;
  if (given === undefined) throw new UsageError("Which folder? None is named.");
  if (more.length > 0) throw new UsageError(`One folder at a time: ${positionals.join(", ")} are several.`);
  const language = values.language.toLowerCase();
  if (!isLanguage(language)) {
    throw new UsageError(
      `--language must be an ISO 639-1 code, such as en or de, and is "${values.language}".`,
    );
  }
  // npm runs scripts in the package's own directory; this is where it was called.
  const folder = resolve(process.env.INIT_CWD ?? process.cwd(), given);
  try {
    folderCollection(await realFolder(folder), values.collection);
  } catch (error) {
    throw error instanceof DomainError ? new UsageError(error.message) : error;
  }
  return { folder, collection: values.collection, language, prune: values.prune, json: values.json };
}

function parsed(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        language: { type: "string", default: "en" },
        collection: { type: "string" },
        prune: { type: "boolean", default: false },
        json: { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

async function onStores(request: Request, config: Config): Promise<number> {
  const stores = await openStores({ ...config, say, signal });
  try {
    const corpus = await openCorpus({ ...config, ...stores }, createLogger(config.logLevel, "stderr"));
    try {
      return await ingest({ ...corpus, databaseUrl: stores.databaseUrl }, request);
    } finally {
      await corpus.close();
    }
  } finally {
    await stores.stop();
  }
}

/** Gives the exit status. */
async function ingest(corpus: Corpus & { readonly databaseUrl: string }, request: Request): Promise<number> {
  const ingestFolder = createIngestFolder(corpus);
  const onProgress = (progress: Progress) => display.update(progress);
  const result = await ingestFolder({ ...request, say, onProgress, signal });
  await tidyUp(corpus);
  display.close();
  report(result, request.json);
  return result.failed > 0 ? 1 : 0;
}

/** What the stores need after many changes. The ingest is done without it, so that it spoils nothing. */
async function tidyUp({ sweepRemoved, refreshStatistics }: Corpus): Promise<void> {
  try {
    await sweepRemoved();
    await refreshStatistics({ merge: false, say, signal });
  } catch (error) {
    if (!signal.aborted)
      say(`The stores could not be tidied up; the next ingest does it. ${explainError(error)}`);
  }
}

function report({ failures, ...counts }: FolderIngest, json: boolean): void {
  const out = json ? process.stderr : process.stdout;
  const { added, replaced, unchanged, removed, failed, chunks, seconds } = counts;
  if (failures.length > 0) {
    const rows = failures.map(({ path, reason }) => [path, reason]);
    out.write(`Not in the corpus:\n${textTable(rows).join("\n")}\n`);
    if (failed > failures.length) out.write(`and ${failed - failures.length} more\n`);
  }
  out.write(
    `${added} added, ${replaced} replaced, ${unchanged} unchanged, ${removed} removed, ${failed} failed; ${chunks} chunks written in ${seconds.toFixed(1)} s\n`,
  );
  if (json) process.stdout.write(`${JSON.stringify(counts)}\n`);
}

function exitStatus(error: unknown): number {
  if (signal.aborted) return INTERRUPTED_STATUS;
  return error instanceof UsageError ? USAGE_STATUS : 1;
}
