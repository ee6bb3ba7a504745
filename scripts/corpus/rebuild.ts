import process from "node:process";
import { parseArgs } from "node:util";
import type { RebuildInput, RebuildOutcome } from "../../src/corpus/index.ts";
import { printResult, readCommand, UsageError } from "../../src/platform/terminal/command.ts";
import { ProgressDisplay } from "../../src/platform/terminal/progress.ts";
import { textTable } from "../../src/platform/terminal/terminal-text.ts";
import { runCorpusCommand } from "../../tools/commands/command.ts";
import { readUrl } from "../../tools/commands/ingest-command.ts";

const USAGE = `Usage: npm run corpus:rebuild -- [--to URL[,URL]] [--drop-old] [--restart] [--json]

Builds the next chunk index from the database, verifies it and swaps it in, while checks, uploads and deletions go on. May be
stopped with Ctrl-C at any moment; the same command continues where it stopped.

  --to URL    build it in another OpenSearch cluster, at one or more of its nodes, and let services go on with the present one.
              OPENSEARCH_* settings apply to it, and a user in the URL comes first. The other options then apply there
  --drop-old  delete the replaced index and all other former ones. If former indices exist and no rebuild is unfinished,
              only do that
  --restart   start again even if an unfinished rebuild could be continued
  --json      print the result as JSON on the last line of standard output`;

type Request = {
  /** Nodes of another cluster. */
  readonly nodes: readonly string[] | undefined;
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
      to: { type: "string" },
      "drop-old": { type: "boolean", default: false },
      restart: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
    },
  });
  const nodes = values.to === undefined ? undefined : readNodes(values.to);
  return { nodes, dropOld: values["drop-old"], restart: values.restart, json: values.json };
}

/** @throws UsageError */
function readNodes(list: string): string[] {
  const nodes = list
    .split(",")
    .map((node) => node.trim())
    .filter((node) => node !== "");
  if (nodes.length === 0) throw new UsageError("--to must name a node of the other cluster.");
  return nodes.map((node) => readUrl("--to", node, ["http:", "https:"]));
}

function runRebuild({ json, nodes, ...choices }: Request): Promise<void> {
  return runCorpusCommand(async (corpus, { config, signal }) => {
    const display = new ProgressDisplay(process.stderr, { unit: "chunks" });
    try {
      const input: RebuildInput = {
        ...choices,
        say: (line) => display.say(line),
        onProgress: ({ done, total }) => display.update({ done, total, totalIsFinal: true, failed: 0 }),
        signal,
      };
      const outcome = await (nodes === undefined
        ? corpus.rebuildIndex(input)
        : corpus.moveIndex({ ...input, nodes }));
      display.close();
      const lines = present(outcome, nodes, config.opensearchIndexPrefix);
      printResult(lines, json ? presentJson(outcome) : undefined);
      return 0;
    } finally {
      display.close();
    }
  });
}

function present(
  { rebuilt, dropped, former }: RebuildOutcome,
  nodes: readonly string[] | undefined,
  prefix: string,
): string[] {
  const lines: string[] = [];
  if (rebuilt !== undefined) {
    const { index, documents, chunks, chunksOfOld, chunksOfNew, sampledChecks, seconds } = rebuilt;
    lines.push(
      ...textTable([
        ["chunks in the database", `${chunks} of ${documents} documents`],
        ...(nodes === undefined || chunksOfOld !== undefined
          ? [["in the former index", chunksOfOld === undefined ? "none existed" : String(chunksOfOld)]]
          : []),
        [`in ${index}`, String(chunksOfNew)],
        ["found by their own terms", `${sampledChecks} of ${sampledChecks} sampled`],
      ]),
      ...(nodes === undefined
        ? [`Rebuilt in ${seconds.toFixed(1)} s. Checks and uploads now use ${index}.`]
        : nextSteps(index, seconds, nodes)),
    );
  }
  if (dropped.length > 0) lines.push(`Deleted: ${dropped.join(", ")}`);
  else if (rebuilt === undefined) lines.push("Nothing to delete.");
  if (former.length === 0) return lines;
  lines.push(
    `Former indices${nodes === undefined ? "" : " in the other cluster"}: ${former.map(({ name }) => name).join(", ")}. The same command with --drop-old deletes them.`,
  );
  const back = former.findLast(({ isSearchable }) => isSearchable);
  if (back !== undefined && rebuilt !== undefined && nodes === undefined)
    lines.push(...wayBack(prefix, rebuilt.index, back.name));
  return lines;
}

/** Without users and passwords, as terminals and logs of jobs keep what is printed. */
function nextSteps(index: string, seconds: number, nodes: readonly string[]): string[] {
  const addresses = nodes.map((node) => new URL(node).origin).join(",");
  return [
    `Built in ${seconds.toFixed(1)} s. ${index} in the other cluster is ready; services still use the present cluster. To move them:`,
    `1. Set OPENSEARCH_URL to the nodes of --to (${addresses}) in all processes, and restart these one after another.`,
    "2. Then run `npm run corpus:verify -- --repair` with it, for documents that came, left or changed meanwhile.",
    "To return, set OPENSEARCH_URL back and do the same: the present cluster keeps its index.",
  ];
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
