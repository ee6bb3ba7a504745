import process from "node:process";
import { parseArgs } from "node:util";
import { DomainError } from "../../src/platform/domain-error.ts";
import { printResult, readCommand } from "../../src/platform/terminal/command.ts";
import { loadSyntheticSet } from "../../src/statistics/load/synthetic-set.ts";
import { runStatisticsCommand } from "../../tools/commands/statistics-command.ts";

const USAGE = `Usage: npm run statistics:demo -- [--replace]

Loads a small made-up set into the statistics, for people who want to see the shapes of the answers. Each answer says
that it is synthetic, and the version of the dataset begins with demo-. The first load of real data removes it.

  --replace  also when real data are loaded: all of them are removed`;

const request = await readCommand(USAGE, readRequest);
if (request !== undefined) await runDemo(request);

function readRequest(args: string[]): { readonly replace: boolean } {
  const { values } = parseArgs({ args, options: { replace: { type: "boolean", default: false } } });
  return values;
}

function runDemo({ replace }: { readonly replace: boolean }): Promise<void> {
  const say = (line: string) => void process.stderr.write(`${line}\n`);
  return runStatisticsCommand(async ({ loadStatistics, signal }) => {
    try {
      const { datasetVersion } = await loadSyntheticSet(loadStatistics, {
        replaceReal: replace,
        say,
        signal,
      });
      printResult([`Dataset ${datasetVersion} is loaded: made-up figures, to look at only.`], undefined);
      return 0;
    } catch (error) {
      if (!(error instanceof DomainError && error.code === "invalid_input")) throw error;
      say(`${error.message} Add --replace if that is what you want.`);
      return 1;
    }
  }, say);
}
