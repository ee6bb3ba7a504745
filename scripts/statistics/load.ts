import { existsSync } from "node:fs";
import { resolve } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { printResult, readCommand, UsageError } from "../../src/platform/terminal/command.ts";
import { ProgressDisplay } from "../../src/platform/terminal/progress.ts";
import type { LoadResult, StatisticsFiles } from "../../src/statistics/load/load-statistics.ts";
import { PART_NAMES } from "../../src/statistics/load/parts.ts";
import { runStatisticsCommand } from "../../tools/commands/statistics-command.ts";

const USAGE = `Usage: npm run statistics:load -- [--retractions RW.csv] [--publications P.csv] [--works W.jsonl]
                                  [--organisations ROR.jsonl] [--cases C.json] [--news N.json] [--json]

Replaces the named parts of the statistics, all of them or none, and recomputes the figures. The other parts do not
change. The service answers with the old figures until the new ones are complete. A file that has not changed since
it was loaded is not read again.

  --retractions    Retraction Watch's file
  --publications   publication counts: dimension,key,year,publications,publications_fractional
  --works          OpenAlex works of the retracted papers, one a line: their institutions and disciplines
  --organisations  ROR's v2 records, one a line, or the array of its dump
  --cases          MediaWiki's answer to action=parse&prop=wikitext|revid for a list page, or an array of such answers
  --news           {"articles": GDELT's ArtList, "timeline": GDELT's TimelineVolRaw}
  --json           prints the result as JSON in the last line of the standard output`;

type Request = { readonly files: StatisticsFiles; readonly json: boolean };

const display = new ProgressDisplay(process.stderr, { unit: "MB" });

const request = await readCommand(USAGE, readRequest);
if (request !== undefined) await runLoad(request);

/** @throws UsageError that names the mistake, before anything is started. */
function readRequest(args: string[]): Request {
  const file = { type: "string" } as const;
  const { values } = parseArgs({
    args,
    options: {
      retractions: file,
      publications: file,
      works: file,
      organisations: file,
      cases: file,
      news: file,
      json: { type: "boolean", default: false },
    },
  });
  const { json, ...given } = values;
  const files = Object.fromEntries(
    Object.entries(given).map(([part, path]) => [part, existingFile(part, path)]),
  );
  if (Object.keys(files).length === 0) {
    throw new UsageError(`Which file? Name at least one of --${PART_NAMES.join(", --")}.`);
  }
  return { files, json };
}

function existingFile(part: string, path: string): string {
  // npm runs scripts in the package's own directory; this is where it was called.
  const file = resolve(process.env.INIT_CWD ?? process.cwd(), path);
  if (!existsSync(file)) throw new UsageError(`--${part}: there is no file ${path}.`);
  return file;
}

function runLoad({ files, json }: Request): Promise<void> {
  const say = (line: string) => display.say(line);
  return runStatisticsCommand(async ({ loadStatistics, signal }) => {
    try {
      const result = await loadStatistics(files, { say, signal, onProgress: (at) => display.update(at) });
      display.close();
      printResult(present(result), json ? presentJson(result) : undefined);
      return 0;
    } finally {
      display.close();
    }
  }, say);
}

function present({ loaded, unchanged, datasetVersion, seconds }: LoadResult): string[] {
  return [
    ...loaded.flatMap(({ part, notes }) => notes.map((note) => `${part}: ${note}`)),
    ...unchanged.map((part) => `${part}: unchanged since the last load`),
    `Dataset ${datasetVersion}, in ${seconds.toFixed(1)} s.`,
  ];
}

function presentJson({ loaded, unchanged, datasetVersion, revision, seconds }: LoadResult) {
  return { dataset_version: datasetVersion, revision, loaded, unchanged, seconds };
}
