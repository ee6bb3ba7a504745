import { resolve } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { runCorpusCommand } from "../src/app/command.ts";
import type { Corpus } from "../src/app/connect-corpus.ts";
import { DomainError } from "../src/core/domain-error.ts";
import { isLanguage } from "../src/core/text/languages.ts";
import { folderCollection, type IngestResult, realFolder } from "../src/corpus/index.ts";
import { explainError, printResult, readCommand, UsageError } from "../src/platform/terminal/command.ts";
import type { Progress } from "../src/platform/terminal/progress.ts";
import { ProgressDisplay } from "../src/platform/terminal/progress.ts";
import { textTable } from "../src/platform/terminal/terminal-text.ts";

const USAGE = `Usage: npm run ingest -- FOLDER [--language CODE] [--prune [--allow-empty]] [--collection NAME] [--json]

Loads the .txt, .md, .pdf and .docx files in FOLDER and its subfolders into the corpus, and returns when all of them are
matchable. Unchanged files are skipped, changed ones replace their document.

  --language CODE    language of new and changed files, an ISO 639-1 code; detected in each file by default
  --prune            also delete documents whose file is gone
  --allow-empty      delete them even if FOLDER contains no file at all
  --collection NAME  identify the documents by this name instead of the path of FOLDER, so that the folder may be moved
  --json             print the result as JSON on the last line of standard output`;

type Request = {
  readonly folder: string;
  readonly collection: string | undefined;
  readonly language: string | undefined;
  readonly prune: boolean;
  readonly allowEmpty: boolean;
  readonly json: boolean;
};

const display = new ProgressDisplay(process.stderr, { unit: "files" });

const request = await readCommand(USAGE, readRequest);
if (request !== undefined) await runIngest(request);

/** @throws UsageError before anything is started. */
async function readRequest(args: string[]): Promise<Request> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      language: { type: "string" },
      collection: { type: "string" },
      prune: { type: "boolean", default: false },
      "allow-empty": { type: "boolean", default: false },
      json: { type: "boolean", default: false },
    },
  });
  const [given, ...more] = positionals;
  if (given === undefined) throw new UsageError("No folder is given.");
  if (more.length > 0) throw new UsageError(`Only one folder at a time, not ${positionals.join(", ")}.`);
  const { collection, prune, json, "allow-empty": allowEmpty } = values;
  if (allowEmpty && !prune) throw new UsageError("--allow-empty requires --prune.");
  const language = values.language?.toLowerCase();
  if (language !== undefined && !isLanguage(language)) {
    throw new UsageError(`--language must be an ISO 639-1 code such as en or de, not "${values.language}".`);
  }
  // npm runs scripts in the directory of the package; INIT_CWD is where it was called.
  const folder = resolve(process.env.INIT_CWD ?? process.cwd(), given);
  try {
    folderCollection(await realFolder(folder), collection);
  } catch (error) {
    throw error instanceof DomainError ? new UsageError(error.message) : error;
  }
  return { folder, collection, language, prune, allowEmpty, json };
}

function runIngest({ json, ...input }: Request): Promise<void> {
  const say = (line: string) => display.say(line);
  return runCorpusCommand(async (corpus, { signal }) => {
    const onProgress = (progress: Progress) => display.update(progress);
    try {
      const { failures, ...counts } = await corpus.ingestFolder({ ...input, say, onProgress, signal });
      await tidyUp(corpus, say);
      display.close();
      printResult(present(counts, failures), json ? counts : undefined);
      return counts.failed > 0 ? 1 : 0;
    } finally {
      display.close();
    }
  }, say);
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
