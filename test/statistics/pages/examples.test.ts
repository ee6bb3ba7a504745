import { execFile } from "node:child_process";
import process from "node:process";
import { promisify } from "node:util";
import { expect } from "chai";
import { createLoadStatistics } from "../../../src/statistics/load/load-statistics.ts";
import { loadSyntheticSet } from "../../../src/statistics/load/synthetic-set.ts";
import { useStatistics } from "../../support/use-statistics.ts";

const run = promisify(execFile);

/** Each of the programs starts an interpreter. */
const TIMEOUT_MS = 120_000;

/** The command that runs a program in each language. */
const RUNNERS = {
  curl: { command: "sh", before: ["-c"], needs: "curl" },
  JavaScript: { command: process.execPath, before: ["--input-type=module", "-e"], needs: process.execPath },
  Python: { command: "python3", before: ["-c"], needs: "python3" },
} as const;

describe("the examples of the developer page", function () {
  this.timeout(TIMEOUT_MS);
  const statistics = useStatistics();
  before(() => loadSyntheticSet(createLoadStatistics({ database: statistics.database })));

  for (const [language, { command, before: options, needs }] of Object.entries(RUNNERS)) {
    it(`run unchanged: ${language}`, async function () {
      if (!(await isThere(needs))) {
        process.stderr.write(`    skipped: no ${needs} was found\n`);
        this.skip();
      }
      const markup = await (await statistics.request("/developers/en")).text();
      const programs = programsIn(markup, language);
      expect(programs).to.have.length(13);
      for (const program of programs) {
        const { stdout } = await run(command, [...options, program]);
        expect(stdout, program).to.match(/synthetic|rank/i);
      }
    });
  }
});

async function isThere(program: string): Promise<boolean> {
  return run(program, ["--version"]).then(
    () => true,
    () => false,
  );
}

const SAMPLE = '<div class="sample" data-language="';

/** The examples in one language, for JSON and, for tables, also for CSV. */
function programsIn(markup: string, language: string): readonly string[] {
  const samples = markup.split("</article>").flatMap((article) => article.split(SAMPLE).slice(1));
  return samples
    .filter((sample) => sample.startsWith(`${language}"`))
    .flatMap((sample) => [...sample.matchAll(/<pre[^>]*><code>(.*?)<\/code><\/pre>/gs)])
    .map(([, content]) => textOf(content ?? ""));
}

function textOf(markup: string): string {
  const entities = { quot: '"', "#39": "'", lt: "<", gt: ">", amp: "&" };
  return Object.entries(entities).reduce(
    (text, [name, character]) => text.replaceAll(`&${name};`, character),
    markup.replace(/<\/?span[^>]*>/g, ""),
  );
}
