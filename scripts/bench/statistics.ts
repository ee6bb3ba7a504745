import process from "node:process";
import { withBenchmarkStores } from "../../measure/benchmark/benchmark-stores.ts";
import type { Figure } from "../../measure/benchmark/check-benchmark.ts";
import { institutionFigures } from "../../measure/benchmark/institutions-benchmark.ts";
import { statisticsFigures } from "../../measure/benchmark/statistics-benchmark.ts";
import { readConfig } from "../../src/platform/config.ts";
import { openStores } from "../../tools/stores/open-stores.ts";

// Measures the statistics API as a user runs it, in a process of its own, on the stores of this installation but in a
// database of the benchmark's own, which is removed at the end.
const config = readConfig(process.env);
const say = (line: string) => process.stderr.write(`${line}\n`);
const stores = await openStores({ ...config, say });
try {
  say("Loading 50,000 institutions");
  await withBenchmarkStores(stores, async (own) => print(await institutionFigures(own)));
  say("Loading all countries");
  await withBenchmarkStores(stores, async (own) => print(await statisticsFigures(own)));
} finally {
  await stores.stop();
}

function print(figures: readonly Figure[]): void {
  for (const { name, value, unit, target = "" } of figures)
    process.stdout.write(`${name.padEnd(44)}${value.toFixed(2).padStart(12)} ${unit.padEnd(8)}${target}\n`);
}
