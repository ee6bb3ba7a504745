import { resolve } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { runCorpusCommand } from "../src/app/command.ts";
import type { Corpus } from "../src/app/connect-corpus.ts";
import { DomainError } from "../src/core/domain-error.ts";
import { isLanguage } from "../src/core/text/languages.ts";
import { type FolderIngest, folderCollection, realFolder } from "../src/corpus/index.ts";
import { explainError, printResult, readCommand, UsageError } from "../src/platform/terminal/command.ts";
import type { Progress } from "../src/platform/terminal/progress.ts";
import { ProgressDisplay } from "../src/platform/terminal/progress.ts";
import { textTable } from "../src/platform/terminal/terminal-text.ts";

const USAGE = `Usage: npm run ingest -- FOLDER [--language CODE] [--prune [--allow-empty]] [--collection NAME] [--json]

Loads the .txt, .md, .pdf and .docx files below FOLDER into the corpus, and returns when all of them are matchable. Files
that have not changed since the last time are skipped, changed ones replace their document.

  --language CODE    the language of new and changed files, an ISO 639-1 code; en by default
  --prune            also removes the documents whose file is gone
  --allow-empty      removes them also when there is no file in FOLDER at all
  --collection NAME  knows the documents by this name instead of FOLDER's path, so that the folder may be moved
  --json             prints the result as JSON in the last line of the standard output`;

type Request = {
  readonly folder: string;
  readonly collection: string | undefined;
  readonly language: string;
  readonly prune: boolean;
  readonly allowEmpty: boolean;
  readonly json: boolean;
};

const display = new ProgressDisplay(process.stderr, { unit: "files" });

const request = await readCommand(USAGE, readRequest);
if (request !== undefined) await runIngest(request);

/** @throws UsageError that says what is wrong, before anything is started. */
async function readRequest(args: string[]): Promise<Request> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      language: { type: "string", default: "en" },
      collection: { type: "string" },
      prune: { type: "boolean", default: false },
      "allow-empty": { type: "boolean", default: false },
      json: { type: "boolean", default: false },
    },
  });
  const [given, ...more] = positionals;
  if (given === undefined) throw new UsageError("Which folder? None is named.");
  if (more.length > 0) throw new UsageError(`One folder at a time: ${positionals.join(", ")} are several.`);
  const { collection, prune, json, "allow-empty": allowEmpty } = values;
  if (allowEmpty && !prune) throw new UsageError("--allow-empty goes with --prune.");
  const language = values.language.toLowerCase();
  if (!isLanguage(language)) {
    throw new UsageError(
      `--language must be an ISO 639-1 code, such as en or de, and is "${values.language}".`,
    );
  }
  // npm runs scripts in the package's own directory; this is where it was called.
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

/** What the stores need after many changes. The ingest is done without it, so that it spoils nothing. */
async function tidyUp(
  { sweepRemoved, refreshStatistics }: Corpus,
  say: (line: string) => void,
): Promise<void> {
  try {
    await sweepRemoved();
    await refreshStatistics({ merge: false, say });
  } catch (error) {
    say(
      `All of it is matchable, but not all is tidied up: run npm run corpus:refresh. ${explainError(error)}`,
    );
  }
}

function present(counts: Omit<FolderIngest, "failures">, failures: FolderIngest["failures"]): string[] {
  const { added, replaced, unchanged, removed, failed, chunks, seconds } = counts;
  const rows = failures.map(({ path, reason }) => [path, reason]);
  return [
    ...(rows.length > 0 ? ["Not in the corpus:", ...textTable(rows)] : []),
    ...(failed > rows.length ? [`and ${failed - rows.length} more`] : []),
    `${added} added, ${replaced} replaced, ${unchanged} unchanged, ${removed} removed, ${failed} failed; ${chunks} chunks written in ${seconds.toFixed(1)} s`,
  ];
}
