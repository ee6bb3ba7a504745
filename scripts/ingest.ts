import { resolve } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { folderCollection, realFolder } from "../src/corpus/ingest/folder/walk-folder.ts";
import { readCommand, UsageError } from "../src/platform/terminal/command.ts";
import { isLanguage } from "../src/text/languages.ts";
import { asUsage, runIngestCommand } from "../tools/commands/ingest-command.ts";

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

const request = await readCommand(USAGE, readRequest);
if (request !== undefined) {
  const { json, ...input } = request;
  await runIngestCommand({ unit: "files", json }, (corpus, told) =>
    corpus.ingestFolder({ ...input, ...told }),
  );
}

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
  await asUsage(async () => folderCollection(await realFolder(folder), collection));
  return { folder, collection, language, prune, allowEmpty, json };
}
