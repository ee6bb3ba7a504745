import process from "node:process";
import { parseArgs } from "node:util";
import {
  type BatchFigures,
  batchesBenchmark,
  LATECOMERS,
  WORDS_EACH,
} from "../../measure/benchmark/batches-benchmark.ts";
import { withBenchmarkStores } from "../../measure/benchmark/benchmark-stores.ts";
import { withSample } from "../../measure/benchmark/with-sample.ts";
import { readCommand, UsageError } from "../../src/platform/terminal/command.ts";

const USAGE = `Usage: npm run bench:batches -- [--members N[,N…]] [--one-group] [--with-meaning] [--attacked] [--json]

Compares batches of generated texts of ${WORDS_EACH} words with each other, all with all, by words alone: how long it takes, the memory of the
service, which planted pairs are found, and how long ${LATECOMERS} more members and the deletion take. It has a database and an index of its own on the stores of
this installation.

  --members N     the sizes of the batches; 1000,10000 by default
  --one-group     the members are of one group, such as last year's, and only the ${LATECOMERS} others are compared
  --with-meaning  compares meaning too
  --attacked      24 clients send archives which are costly to unpack, and hang up, all the while
  --json          prints one line of JSON for each size`;

const request = await readCommand(USAGE, async (args) => {
  const { values } = parseArgs({
    args,
    options: {
      members: { type: "string", default: "1000,10000" },
      "one-group": { type: "boolean", default: false },
      "with-meaning": { type: "boolean", default: false },
      attacked: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
    },
  });
  const sizes = values.members.split(",").map(Number);
  if (!sizes.every((size) => Number.isInteger(size) && size > 0))
    throw new UsageError("--members must be whole numbers above 0, such as 1000,10000.");
  const { attacked: isAttacked, json } = values;
  return { sizes, isWordsOnly: !values["with-meaning"], isOneGroup: values["one-group"], isAttacked, json };
});
if (request !== undefined) await run(request);

async function run({ json, ...options }: NonNullable<typeof request>): Promise<void> {
  await withSample(async ({ stores, articles, dataDir }) => {
    const onFigures = (figures: BatchFigures) => print(figures, json);
    const input = { ...options, articles, dataDir, onFigures };
    await withBenchmarkStores(stores, (own) => batchesBenchmark(own, input), { purpose: "batches" });
  });
}

function print(figures: BatchFigures, json: boolean): void {
  if (json) {
    process.stdout.write(`${JSON.stringify(figures)}\n`);
    return;
  }
  const { members, readSeconds, compareSeconds, latecomersSeconds, deleteSeconds, pairs, late } = figures;
  const each = (1000 * (readSeconds + compareSeconds)) / members;
  process.stdout.write(
    [
      `${members} members: ${(readSeconds + compareSeconds).toFixed(0)} s (${readSeconds.toFixed(0)} s to read, ${compareSeconds.toFixed(0)} s to compare), ${each.toFixed(0)} ms each`,
      `  ${foundPairs(pairs)}`,
      `  ${LATECOMERS} more members: ${latecomersSeconds.toFixed(1)} s; ${foundPairs(late)}`,
      `  deleted in ${deleteSeconds.toFixed(1)} s`,
      `  memory of the service at its peak: ${figures.peakMemoryMb.toFixed(0)} MB; ${figures.refused} requests were refused and sent again`,
      "",
    ].join("\n"),
  );
}

function foundPairs({ planted, found, others }: BatchFigures["pairs"]): string {
  return `${found} of ${planted} planted pairs found, and ${others} others`;
}
