import process from "node:process";
import { createInterface } from "node:readline/promises";
import { parseArgs } from "node:util";
import {
  addedUntilNow,
  type BulkSelection,
  listBulkCollections,
  removeBulkDocuments,
} from "../../src/corpus/upkeep/bulk-documents.ts";
import { printResult, readCommand, UsageError } from "../../src/platform/terminal/command.ts";
import { ProgressDisplay } from "../../src/platform/terminal/progress.ts";
import { grouped } from "../../src/platform/terminal/terminal-text.ts";
import {
  collectionLines,
  documentsOf,
  readSelection,
  SELECTION_OPTIONS,
  SELECTION_USAGE,
} from "../../tools/commands/bulk-selection.ts";
import { runCorpusCommand } from "../../tools/commands/command.ts";
import { tidyUp } from "../../tools/commands/ingest-command.ts";

const USAGE = `Usage: npm run corpus:remove -- OPTION… [--yes] [--json]

Removes documents that bulk loads have added: those that meet all options, of which one at least is needed. Shows their
number and asks first. From the removal on no check matches them; earlier reports lose their rows and keep their totals.
Uploaded documents are not removed. An ingest that runs again adds what its source still holds.

${SELECTION_USAGE}
  --yes                remove them without asking
  --json               print the result as JSON on the last line of standard output`;

type Request = { readonly selection: BulkSelection; readonly yes: boolean; readonly json: boolean };

const request = await readCommand(USAGE, readRequest);
if (request !== undefined) await runRemoval(request);

async function readRequest(args: string[]): Promise<Request> {
  const { values } = parseArgs({
    args,
    options: {
      ...SELECTION_OPTIONS,
      yes: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
    },
  });
  const { yes, json, ...options } = values;
  if (Object.keys(options).length === 0) throw new UsageError("No option says which documents to remove.");
  if (!yes && process.stdin.isTTY !== true)
    throw new UsageError("Nobody can answer the question before the removal: add --yes.");
  return { selection: await readSelection(options), yes, json };
}

function runRemoval({ selection, yes, json }: Request): Promise<void> {
  let display: ProgressDisplay | undefined;
  const say = (line: string) => {
    if (display === undefined) process.stderr.write(`${line}\n`);
    else display.say(line);
  };
  return runCorpusCommand(async (corpus, { signal }) => {
    // Documents that are added while the question waits for its answer are not among those counted.
    const counted = await addedUntilNow(corpus.database, selection);
    const collections = await listBulkCollections(corpus, counted, signal);
    const total = documentsOf(collections);
    for (const line of total === 0 ? ["There are none."] : collectionLines(collections)) say(line);
    if (total > 0 && !yes && !(await isConfirmed(`Remove ${grouped(total)} documents? (y/N) `, signal))) {
      say("Nothing was removed.");
      return 1;
    }
    let removed = 0;
    display = new ProgressDisplay(process.stderr, { unit: "documents" });
    try {
      await removeBulkDocuments(corpus, {
        ...{ selection: counted, collections, say, signal },
        onRemoved: (done) => {
          removed = done;
          display?.update({ done, total, totalIsFinal: true, failed: 0 });
        },
      });
      display.close();
      if (removed > 0) {
        say(`${grouped(removed)} documents are removed. Their chunks leave the index.`);
        await tidyUp(corpus, say, signal);
      }
    } catch (error) {
      say(`${grouped(removed)} of ${grouped(total)} documents are removed.`);
      throw error;
    } finally {
      display.close();
    }
    printResult([`${grouped(removed)} documents removed`], json ? { removed } : undefined);
    return 0;
  }, say);
}

/** The end of the input counts as no. @throws the signal's reason */
async function isConfirmed(question: string, signal: AbortSignal): Promise<boolean> {
  // Not as a terminal, in which Ctrl-C would be read instead of stopping the command.
  const lines = createInterface({ input: process.stdin, terminal: false });
  process.stderr.write(question);
  const onAbort = () => lines.close();
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    for await (const answer of lines) return /^y(es)?$/i.test(answer.trim());
    signal.throwIfAborted();
    process.stderr.write("\n");
    return false;
  } finally {
    signal.removeEventListener("abort", onAbort);
    lines.close();
  }
}
