import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { withBenchmarkStores } from "../../measure/benchmark/benchmark-stores.ts";
import { addSources, MixedWork, type WorkDone } from "../../measure/load/mixed-work.ts";
import { type Sample, Sampler, samplesCsv, seriesOf } from "../../measure/load/sampler.ts";
import { type Series, trendOf } from "../../measure/load/trend.ts";
import { trendPlot } from "../../measure/load/trend-plot.ts";
import { readConfig } from "../../src/platform/config.ts";
import { readCommand, UsageError } from "../../src/platform/terminal/command.ts";
import { textTable } from "../../src/platform/terminal/terminal-text.ts";
import { ServiceProcess } from "../../test/support/processes/service-process.ts";
import { openStores } from "../../tools/stores/open-stores.ts";

const USAGE = `Usage: npm run soak -- [--minutes N]

Puts a service under steady load for N minutes (30 by default) and reports whether any of its resources grows. It uses the
stores of this installation with a database and indices of its own, which it removes at the end. Samples (CSV) and a plot (SVG)
are written to DATA_DIR/soak. Exit status 1: a resource grew, or a request failed.`;

const SAMPLE_MS = 10_000;

/**
 * Pools and the heaps of the threads find their size first: in a run of 14 minutes the memory went from 285 to 383 MB in the
 * first seven, and by 10 MB in the others. A shorter run counts its second half.
 */
const WARM_UP_SECONDS = 420;

const HEAP_REPORTER = fileURLToPath(new URL("../../measure/load/report-heap.ts", import.meta.url));

const config = readConfig(process.env);
const say = (line: string) => process.stderr.write(`${line}\n`);
const minutes = await readCommand(USAGE, readMinutes);
if (minutes !== undefined) await soak(minutes);

function readMinutes(args: string[]): number {
  const { values } = parseArgs({ args, options: { minutes: { type: "string", default: "30" } } });
  const asked = Number(values.minutes);
  if (asked > 0) return asked;
  throw new UsageError("--minutes must be a number above 0, such as 30.");
}

async function soak(minutes: number): Promise<void> {
  const stores = await openStores({ ...config, say });
  try {
    await withBenchmarkStores(
      stores,
      async ({ environment, database, opensearch }) => {
        const service = await ServiceProcess.start(
          { ...environment, ROLES: "engine,worker" },
          { nodeArguments: ["--expose-gc", "--import", HEAP_REPORTER] },
        );
        try {
          await addSources(service.client);
          const work = new MixedWork(service.client);
          const samples = await watch(new Sampler(service, database, opensearch), minutes);
          await report(samples, minutes, await work.end());
        } finally {
          await service.end("SIGTERM");
        }
      },
      { purpose: "soak" },
    );
  } finally {
    await stores.stop();
  }
}

async function watch(sampler: Sampler, minutes: number): Promise<Sample[]> {
  const samples: Sample[] = [];
  // The first word of the heap comes with the first collection.
  await sleep(SAMPLE_MS * 1.5);
  for (const end = performance.now() + minutes * 60_000; performance.now() < end; ) {
    samples.push(await sampler.sample());
    if (samples.length % 6 === 0) say(`${Math.round(samples.length / 6)} of ${minutes} minutes`);
    await sleep(SAMPLE_MS);
  }
  return samples;
}

async function report(
  samples: readonly Sample[],
  minutes: number,
  { counts, faults }: WorkDone,
): Promise<void> {
  const folder = join(config.dataDir, "soak");
  await mkdir(folder, { recursive: true });
  const lastSeconds = samples.at(-1)?.seconds ?? 0;
  const series = seriesOf(samples, Math.min(WARM_UP_SECONDS, lastSeconds / 2));
  await writeFile(join(folder, "samples.csv"), samplesCsv(samples));
  await writeFile(join(folder, "trends.svg"), trendPlot(`${minutes} minutes of steady work`, series));
  const rows = series.map(trendRow);
  process.stdout.write(
    `${textTable([["", "mean", "first", "last", "rise of the fitted line", "verdict"], ...rows]).join("\n")}\n\n`,
  );
  const done = Object.entries(counts).map(([kind, count]) => `${count} ${kind}`);
  process.stdout.write(`${done.join(", ")}; ${faults.length} went wrong\n`);
  for (const fault of faults.slice(0, 10)) process.stdout.write(`  ${fault}\n`);
  process.stdout.write(`Samples and plot are in ${folder}\n`);
  if (faults.length > 0 || !series.every((one) => trendOf(one).isFlat)) process.exitCode = 1;
}

function trendRow(series: Series): string[] {
  const { mean, first, last, rise, isFlat } = trendOf(series);
  const shown = [mean, first, last, rise].map((value) => `${value.toFixed(1)} ${series.unit}`.trimEnd());
  return [series.name, ...shown, isFlat ? "flat" : "rises"];
}
