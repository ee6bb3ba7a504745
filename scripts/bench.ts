import { join } from "node:path";
import process from "node:process";
import { readSampleCorpus } from "../src/corpus/sample-corpus/read-sample-corpus.ts";
import { readConfig } from "../src/platform/config.ts";
import { openStores } from "../src/platform/stores/open-stores.ts";
import { withBenchmarkStores } from "../test/benchmark/benchmark-stores.ts";
import { type Figure, longestCheck, shortChecks } from "../test/benchmark/check-benchmark.ts";
import { storageFigures } from "../test/benchmark/storage-benchmark.ts";
import { ServiceProcess } from "../test/support/service-process.ts";

// Measures the service as a user runs it, in a process of its own, on the stores of this installation but in a
// database and indices of the benchmark's own, which are removed at the end.
const config = readConfig(process.env);
const say = (line: string) => process.stderr.write(`${line}\n`);
const stores = await openStores({ ...config, say });
try {
  const sample = await readSampleCorpus({ cacheDir: join(config.dataDir, "sample-corpus"), say });
  if (!sample.available) throw new Error(`The benchmark needs the sample corpus: ${sample.reason}`);
  await withBenchmarkStores(stores, async ({ environment, database, opensearch }) => {
    say("Loading the sample corpus");
    const service = await ServiceProcess.start({
      ...environment,
      SAMPLE_CORPUS: "on",
      DATA_DIR: config.dataDir,
    });
    try {
      const figures = [
        ...(await storageFigures(database, opensearch, environment.OPENSEARCH_INDEX_PREFIX)),
        ...(await shortChecks(service.client, sample.articles)),
        ...(await longestCheck(service.client, service.pid)),
      ];
      print(figures);
    } finally {
      await service.end("SIGTERM");
    }
  });
} finally {
  await stores.stop();
}

function print(figures: readonly Figure[]): void {
  if (process.argv.includes("--json")) {
    process.stdout.write(`${JSON.stringify(figures, null, 2)}\n`);
    return;
  }
  for (const { name, value, unit, target = "" } of figures) {
    process.stdout.write(`${name.padEnd(44)}${value.toFixed(2).padStart(10)} ${unit.padEnd(8)}${target}\n`);
  }
}
