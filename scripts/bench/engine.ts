import { join } from "node:path";
import process from "node:process";
import { withBenchmarkStores } from "../../measure/benchmark/benchmark-stores.ts";
import { type Figure, longestCheck, shortChecks } from "../../measure/benchmark/check-benchmark.ts";
import { ingestFigures } from "../../measure/benchmark/ingest-benchmark.ts";
import { rewrittenChecks } from "../../measure/benchmark/rewriting-benchmark.ts";
import { storedBytes } from "../../measure/benchmark/stored-bytes.ts";
import { uploads } from "../../measure/benchmark/upload-benchmark.ts";
import { readSampleCorpus } from "../../src/corpus/sample-corpus/read-sample-corpus.ts";
import { readConfig } from "../../src/platform/config.ts";
import { ServiceProcess } from "../../test/support/processes/service-process.ts";
import { openStores } from "../../tools/stores/open-stores.ts";

// Measures the service as a user runs it, in a process of its own, on the stores of this installation but in a
// database and indices of the benchmark's own, which are removed at the end.
const config = readConfig(process.env);
const say = (line: string) => process.stderr.write(`${line}\n`);
const stores = await openStores({ ...config, say });
try {
  const sample = await readSampleCorpus({ cacheDir: join(config.dataDir, "sample-corpus"), say });
  if (!sample.available) throw new Error(`The benchmark needs the sample corpus: ${sample.reason}`);
  await withBenchmarkStores(stores, async (own) => {
    say("Ingesting a folder of text files");
    const figures = await ingestFigures(own);
    if (figures.length === 0) say("The folder is not there: its figures are left out");
    print("A folder of text files", figures);
  });
  await withBenchmarkStores(stores, async ({ environment, database, opensearch }) => {
    say("Loading the sample corpus");
    const service = await ServiceProcess.start({
      ...environment,
      SAMPLE_CORPUS: "on",
      DATA_DIR: config.dataDir,
    });
    try {
      print("The service over the sample corpus", [
        ...(await storedBytes(database, opensearch, environment.OPENSEARCH_INDEX_PREFIX)),
        ...(await shortChecks(service.client, sample.articles)),
        ...(await uploads(service.client)),
        ...(await longestCheck(service.client, service.pid)),
        ...(await rewrittenChecks(service.client)),
      ]);
    } finally {
      await service.end("SIGTERM");
    }
  });
} finally {
  await stores.stop();
}

/** A table for people, or one line of JSON. */
function print(title: string, figures: readonly Figure[]): void {
  if (process.argv.includes("--json")) {
    process.stdout.write(`${JSON.stringify({ title, figures })}\n`);
    return;
  }
  process.stdout.write(`\n${title}\n`);
  for (const { name, value, unit, target = "" } of figures) {
    process.stdout.write(`${name.padEnd(44)}${value.toFixed(2).padStart(10)} ${unit.padEnd(8)}${target}\n`);
  }
}
