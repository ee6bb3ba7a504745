import process from "node:process";
import { parseArgs } from "node:util";
import type { RebuildInput, RebuildOutcome } from "../../src/corpus/upkeep/rebuild-index.ts";
import { printResult, readCommand } from "../../src/platform/terminal/command.ts";
import { ProgressDisplay } from "../../src/platform/terminal/progress.ts";
import { textTable } from "../../src/platform/terminal/terminal-text.ts";
import { runCorpusCommand } from "../../tools/commands/command.ts";

const USAGE = `Usage: npm run corpus:rebuild -- [--drop-old] [--restart] [--json]

Builds the next chunk index from the database, verifies it and swaps it in, while checks, uploads and deletions go on. May be
stopped with Ctrl-C at any moment; the same command continues where it stopped.

  --drop-old  delete the replaced index and all other former ones. If former indices exist and no rebuild is unfinished,
              only do that
  --restart   start again even if an unfinished rebuild could be continued
  --json      print the result as JSON on the last line of standard output`;

type Request = {
  readonly dropOld: boolean;
  readonly restart: boolean;
  readonly json: boolean;
};

const request = await readCommand(USAGE, readRequest);
if (request !== undefined) await runRebuild(request);

function readRequest(args: string[]): Request {
  const { values } = parseArgs({
    args,
    options: {
      "drop-old": { type: "boolean", default: false },
      restart: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
    },
  });
  return { dropOld: values["drop-old"], restart: values.restart, json: values.json };
}

function runRebuild({ json, ...choices }: Request): Promise<void> {
  return runCorpusCommand(async (corpus, { config, signal }) => {
    const display = new ProgressDisplay(process.stderr, { unit: "chunks" });
    try {
      const input: RebuildInput = {
        ...choices,
        say: (line) => display.say(line),
        onProgress: ({ done, total }) => display.update({ done, total, totalIsFinal: true, failed: 0 }),
        signal,
      };
      const outcome = await corpus.rebuildIndex(input);
      display.close();
      const lines = present(outcome, config.opensearchIndexPrefix);
      printResult(lines, json ? presentJson(outcome) : undefined);
      return 0;
    } finally {
      display.close();
    }
  });
}

function present({ rebuilt, dropped, former }: RebuildOutcome, prefix: string): string[] {
  const lines: string[] = [];
  if (rebuilt !== undefined) {
    const { index, documents, chunks, chunksOfOld, chunksOfNew, sampledChecks, seconds } = rebuilt;
    lines.push(
      ...textTable([
        ["chunks in the database", `${chunks} of ${documents} documents`],
        ["in the former index", chunksOfOld === undefined ? "none existed" : String(chunksOfOld)],
        [`in ${index}`, String(chunksOfNew)],
        ["found by their own terms", `${sampledChecks} of ${sampledChecks} sampled`],
      ]),
      `Rebuilt in ${seconds.toFixed(1)} s. Checks and uploads now use ${index}.`,
    );
  }
  if (dropped.length > 0) lines.push(`Deleted: ${dropped.join(", ")}`);
  else if (rebuilt === undefined) lines.push("Nothing to delete.");
  if (former.length === 0) return lines;
  lines.push(
    `Former indices: ${former.map(({ name }) => name).join(", ")}. The same command with --drop-old deletes them.`,
  );
  const back = former.findLast(({ isSearchable }) => isSearchable);
  if (back !== undefined && rebuilt !== undefined) lines.push(...wayBack(prefix, rebuilt.index, back.name));
  return lines;
}

/** The former index lacks documents added since the swap: services find them within the hour, `corpus:verify` at once. */
function wayBack(prefix: string, from: string, to: string): string[] {
  const moves = ["read", "write"].flatMap((which) => [
    { remove: { index: from, alias: `${prefix}chunks-${which}` } },
    {
      add: {
        index: to,
        alias: `${prefix}chunks-${which}`,
        ...(which === "write" && { is_write_index: true }),
      },
    },
  ]);
  return [
    "To return to it, send this to OpenSearch, then run `npm run corpus:verify -- --repair` for documents added since:",
    `POST /_aliases ${JSON.stringify({ actions: moves })}`,
  ];
}

function presentJson({ rebuilt, dropped, former }: RebuildOutcome) {
  return {
    index: rebuilt?.index ?? null,
    documents: rebuilt?.documents ?? null,
    chunks: rebuilt?.chunks ?? null,
    chunks_of_former_index: rebuilt?.chunksOfOld ?? null,
    chunks_of_index: rebuilt?.chunksOfNew ?? null,
    chunks_written: rebuilt?.chunksWritten ?? null,
    sampled_checks: rebuilt?.sampledChecks ?? null,
    swap_ms: rebuilt?.swapMs ?? null,
    seconds: rebuilt?.seconds ?? null,
    dropped,
    former: former.map(({ name }) => name),
  };
}
