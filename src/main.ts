import { join } from "node:path";
import process from "node:process";
import { DomainError } from "./core/domain-error.ts";
import { SAMPLE_CORPUS_ATTRIBUTION } from "./corpus/sample-corpus/attribution.ts";
import { readSampleCorpus } from "./corpus/sample-corpus/read-sample-corpus.ts";
import { type Config, ConfigError, readConfig } from "./platform/config.ts";
import { createLogger } from "./platform/logger.ts";
import { openStores } from "./platform/stores/open-stores.ts";
import { type Service, startService } from "./wire.ts";

const stopping = new AbortController();

try {
  await run(readConfig(process.env));
} catch (error) {
  if (!stopping.signal.aborted) report(error);
}

/** Brings up stores and service, serves until a signal, and takes both down in reverse. */
async function run(config: Config): Promise<void> {
  const stopped = stopSignal();
  const stores = await openStores({
    databaseUrl: config.databaseUrl,
    opensearchUrls: config.opensearchUrls,
    dataDir: config.dataDir,
    opensearchHeap: config.opensearchHeap,
    say,
    signal: stopping.signal,
  });
  try {
    const log = createLogger(config.logLevel);
    const service = await startService({ ...config, ...stores }, log);
    try {
      if (config.sampleCorpus && config.roles.includes("engine")) await loadSampleCorpus(service, config);
      announce(service, config);
      await stopped;
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
    signal: stopping.signal,
  });
  if (!read.available) {
    say(
      `The sample corpus is not there: ${read.reason}. The corpus starts empty; the next start tries again.`,
    );
    return;
  }
  try {
    await sampleCorpus.load(read.articles, say, stopping.signal);
    say(SAMPLE_CORPUS_ATTRIBUTION);
  } catch (error) {
    if (stopping.signal.aborted) return;
    say(`The sample corpus was not loaded in full: ${explain(error)}\nThe next start goes on with it.`);
  }
}

function announce({ engine }: Service, config: Config): void {
  if (engine === undefined) say(`Working as ${config.roles.join(", ")}`);
  else {
    say(`Engine:        ${engine.address}`);
    say(`Documentation: ${engine.address}/docs and ${engine.address}/redoc`);
  }
  say("Stop with Ctrl-C");
}

/** One Ctrl-C may arrive twice, from the terminal and from npm: what comes this soon after the first is the same. */
const SAME_SIGNAL_MS = 1_000;

/** Resolves at the first SIGINT or SIGTERM; a second one, of a person who won't wait, ends the process at once. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let firstAt: number | undefined;
    const onSignal = () => {
      if (firstAt !== undefined && performance.now() - firstAt > SAME_SIGNAL_MS) process.exit(1);
      firstAt ??= performance.now();
      stopping.abort();
      resolve();
    };
    process.on("SIGINT", onSignal);
    process.on("SIGTERM", onSignal);
  });
}

function report(error: unknown): void {
  process.stderr.write(`${explain(error)}\n`);
  process.exitCode = 1;
}

/** One clear message for what a person can mend; the stack for what nobody foresaw. */
function explain(error: unknown): string {
  if (error instanceof DomainError && error.code === "store_unavailable" && error.cause instanceof Error) {
    const reason = error.cause.message || error.cause.name;
    if (error.message.includes(reason)) return error.message;
    return `${error.message} (${reason})\nIf it is another server that you want, set DATABASE_URL or OPENSEARCH_URL.`;
  }
  if (error instanceof ConfigError || error instanceof DomainError) return error.message;
  return error instanceof Error ? `${error.stack}` : String(error);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
