import process from "node:process";
import { parseArgs } from "node:util";
import { printResult, readCommand, UsageError } from "../../src/platform/terminal/command.ts";
import type { Progress } from "../../src/platform/terminal/progress.ts";
import { ProgressDisplay } from "../../src/platform/terminal/progress.ts";
import type { PartName } from "../../src/statistics/load/parts.ts";
import type { PartOutcome, RefreshResult } from "../../src/statistics/refresh-statistics.ts";
import { createRefreshStatistics, FETCH_ORDER } from "../../src/statistics/refresh-statistics.ts";
import { runStatisticsCommand } from "../../tools/commands/statistics-command.ts";

const USAGE = `Usage: npm run statistics:refresh -- [--parts retractions,works,…] [--anew] [--accept] [--json]

Fetches the statistics from their sources and loads them, part by part: ${FETCH_ORDER.join(", ")}.
Only what has changed is fetched. A part that fails keeps its old data and is named at the end; the exit status is then 1.
After Ctrl-C or a kill, the same command resumes where it stopped. Counting publications takes thousands of
requests. OpenAlex allows some a day for free, and more with a free key: set OPENALEX_API_KEY.
A part that has lost more than 10% of its records, or gained more than 50%, or has new reasons, keeps its old data.

  --parts   only these, separated by commas
  --anew    fetches everything again, including data of earlier fetches
  --accept  loads also parts that have changed so much; name them with --parts
  --json    prints the result as JSON in the last line of the standard output`;

const GOES_ON = "The loaded parts stay; the same command resumes from here.";

type Request = {
  readonly parts: readonly PartName[];
  readonly anew: boolean;
  readonly accepts: boolean;
  readonly json: boolean;
};

let display: ProgressDisplay | undefined;
let displayed: string | undefined;

const request = await readCommand(USAGE, readRequest);
if (request !== undefined) await runRefresh(request);

/** @throws UsageError that names the mistake, before anything is started. */
function readRequest(args: string[]): Request {
  const { values } = parseArgs({
    args,
    options: {
      parts: { type: "string", default: FETCH_ORDER.join(",") },
      anew: { type: "boolean", default: false },
      accept: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
    },
  });
  const { parts, anew, accept: accepts, json } = values;
  return { parts: parts.split(",").map((name) => readPart(name.trim())), anew, accepts, json };
}

function readPart(name: string): PartName {
  const part = FETCH_ORDER.find((one) => one === name);
  if (part === undefined) throw new UsageError(`There is no part ${name}. Parts: ${FETCH_ORDER.join(", ")}.`);
  return part;
}

function runRefresh({ parts, anew, accepts, json }: Request): Promise<void> {
  return runStatisticsCommand(
    async (context) => {
      const { config, signal } = context;
      const refreshStatistics = createRefreshStatistics({
        ...context,
        settings: config,
        dataDir: config.dataDir,
      });
      try {
        const result = await refreshStatistics({ parts, anew, accepts, signal, say, onProgress: show });
        display?.close();
        printResult(present(result), json ? presentJson(result) : undefined);
        return result.outcomes.some(({ kind }) => kind === "failed") ? 1 : 0;
      } finally {
        display?.close();
      }
    },
    say,
    GOES_ON,
  );
}

function say(line: string): void {
  // The next part counts in its own unit.
  display?.close();
  display = undefined;
  process.stderr.write(`${line}\n`);
}

function show(progress: Progress, unit: string): void {
  if (display === undefined || displayed !== unit) {
    display?.close();
    display = new ProgressDisplay(process.stderr, { unit });
    displayed = unit;
  }
  display.update(progress);
}

function present({ outcomes, datasetVersion }: RefreshResult): string[] {
  return [
    ...outcomes.flatMap(presentOutcome),
    datasetVersion === null ? "Nothing was loaded." : `Dataset ${datasetVersion}.`,
  ];
}

function presentOutcome(outcome: PartOutcome): string[] {
  if (outcome.kind === "failed") return [`${outcome.part}: failed: ${outcome.reason}`];
  const state = outcome.kind === "unchanged" ? ["unchanged since the last load"] : [];
  return [...state, ...outcome.notes].map((note) => `${outcome.part}: ${note}`);
}

function presentJson({ outcomes, datasetVersion }: RefreshResult) {
  return { dataset_version: datasetVersion, parts: outcomes };
}
