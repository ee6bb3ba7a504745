import process from "node:process";
import { parseArgs } from "node:util";
import { withBenchmarkStores } from "../../measure/benchmark/benchmark-stores.ts";
import { growthBenchmark, type StepFigures } from "../../measure/benchmark/growth/growth-benchmark.ts";
import { growthTables } from "../../measure/benchmark/growth/growth-tables.ts";
import { withSample } from "../../measure/benchmark/with-sample.ts";
import { readCommand, UsageError } from "../../src/platform/terminal/command.ts";

const SIZES = [10_000, 100_000, 1_000_000];

const USAGE = `Usage: npm run bench:growth -- [--chunks N] [--words-only] [--keep] [--json]

Grows a corpus of generated text with the sample's articles in it to 10,000, 100,000 and 1,000,000 chunks, and measures at each
size: the ingest against _bulk alone, what both stores take, checks of 300 to 80,000 words by stage against their searches
alone, checks at once, and memory. It has a database and an index of its own on the stores of this installation.

  --chunks N   goes no further than this; 1000000 by default, which takes half an hour on quiet cores and 5 GB of disk
  --words-only encodes no sentence and compares no meaning
  --keep       leaves the corpus there, and uses what an earlier run left
  --json       prints one line of JSON for each size instead of tables`;

type Request = {
  readonly chunks: number;
  readonly isWordsOnly: boolean;
  readonly keep: boolean;
  readonly json: boolean;
};

const request = await readCommand(USAGE, async (args): Promise<Request> => {
  const { values } = parseArgs({
    args,
    options: {
      chunks: { type: "string", default: String(SIZES.at(-1)) },
      "words-only": { type: "boolean", default: false },
      keep: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
    },
  });
  const chunks = Number(values.chunks);
  if (!SIZES.includes(chunks)) throw new UsageError(`--chunks must be one of ${SIZES.join(", ")}.`);
  return { chunks, isWordsOnly: values["words-only"], keep: values.keep, json: values.json };
});
if (request !== undefined) await run(request);

async function run({ chunks, isWordsOnly, keep, json }: Request): Promise<void> {
  await withSample(async ({ stores, articles, dataDir, say }) => {
    const sizes = SIZES.filter((size) => size <= chunks);
    const onStep = (step: StepFigures) => print(step, json);
    const input = { sizes, articles, dataDir, isWordsOnly, say, onStep };
    await withBenchmarkStores(stores, (own) => growthBenchmark(own, input), { purpose: "growth", keep });
  });
}

function print(step: StepFigures, json: boolean): void {
  process.stdout.write(json ? `${JSON.stringify(step)}\n` : `${growthTables(step).join("\n")}\n`);
}
