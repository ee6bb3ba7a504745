import process from "node:process";
import { withBenchmarkStores } from "../../measure/benchmark/benchmark-stores.ts";
import { statisticsFigures } from "../../measure/benchmark/statistics-benchmark.ts";
import { readConfig } from "../../src/platform/config.ts";
import { openStores } from "../../tools/stores/open-stores.ts";

// Measures the statistics API as a user runs it, in a process of its own, on the stores of this installation but in a
// database of the benchmark's own, which is removed at the end.
const config = readConfig(process.env);
const say = (line: string) => process.stderr.write(`${line}\n`);
const stores = await openStores({ ...config, say });
try {
  await withBenchmarkStores(stores, async (own) => {
    for (const { name, value, unit, target = "" } of await statisticsFigures(own)) {
      process.stdout.write(`${name.padEnd(44)}${value.toFixed(2).padStart(10)} ${unit.padEnd(8)}${target}\n`);
    }
  });
} finally {
  await stores.stop();
}
