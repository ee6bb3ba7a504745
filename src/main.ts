import { join } from "node:path";
import process from "node:process";
import { SAMPLE_CORPUS_ATTRIBUTION } from "./corpus/sample-corpus/attribution.ts";
import { readSampleCorpus } from "./corpus/sample-corpus/read-sample-corpus.ts";
import { explainError } from "./explain-error.ts";
import { type Config, readConfig } from "./platform/config.ts";
import { createLogger } from "./platform/logger.ts";
import { openStores } from "./platform/stores/open-stores.ts";
import { aborted, stopSignal } from "./stop-signal.ts";
import { type Service, startService } from "./wire.ts";

const stopping = stopSignal();

try {
  await run(readConfig(process.env));
} catch (error) {
  if (!stopping.aborted) {
    process.stderr.write(`${explainError(error)}\n`);
    process.exitCode = 1;
  }
}

/** Brings up stores and service, serves until a signal, and takes both down in reverse. */
async function run(config: Config): Promise<void> {
  const stores = await openStores({
    databaseUrl: config.databaseUrl,
    opensearchUrls: config.opensearchUrls,
    dataDir: config.dataDir,
    opensearchHeap: config.opensearchHeap,
    say,
    signal: stopping,
  });
  try {
    const log = createLogger(config.logLevel);
    const service = await startService({ ...config, ...stores }, log);
    try {
      if (config.sampleCorpus && config.roles.includes("engine")) await loadSampleCorpus(service, config);
      announce(service, config);
      await aborted(stopping);
      say("Stopping: no new work is taken, running checks are handed back");
    } finally {
      await service.stop();
    }
  } finally {
    await stores.stop();
  }
}

/** Loads the sample once in an installation's life; without it the service serves all the same. */
async function loadSampleCorpus(
  { sampleCorpus }: Service,
  { dataDir, sampleCorpusContact }: Config,
): Promise<void> {
  if (await sampleCorpus.isLoaded()) return;
  const read = await readSampleCorpus({
    cacheDir: join(dataDir, "sample-corpus"),
    say,
    contact: sampleCorpusContact,
    signal: stopping,
  });
  if (!read.available) {
    say(
      `The sample corpus is not there: ${read.reason}. The corpus starts empty; the next start tries again.`,
    );
    return;
  }
  try {
    await sampleCorpus.load(read.articles, say, stopping);
    say(SAMPLE_CORPUS_ATTRIBUTION);
  } catch (error) {
    if (stopping.aborted) return;
    say(`The sample corpus was not loaded in full: ${explainError(error)}\nThe next start goes on with it.`);
  }
}

function announce({ engine, statistics }: Service, config: Config): void {
  if (engine === undefined && statistics === undefined) say(`Working as ${config.roles.join(", ")}`);
  if (engine !== undefined) {
    say(`Engine:        ${engine.address}`);
    say(`Documentation: ${engine.address}/docs and ${engine.address}/redoc`);
  }
  if (statistics !== undefined) {
    say(`Statistics:    ${statistics.address}/v1/`);
    say(`Documentation: ${statistics.address}/docs and ${statistics.address}/redoc`);
  }
  say("Stop with Ctrl-C");
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
