import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { SAMPLE_CORPUS_ATTRIBUTION } from "../corpus/sample-corpus/load-sample-corpus.ts";
import { readSampleCorpus } from "../corpus/sample-corpus/read-sample-corpus.ts";
import type { PrepareEncoder } from "../matching/encoder/encoder-files.ts";
import { type Config, readConfig } from "../platform/config.ts";
import { createLogger, type Logger } from "../platform/logger.ts";
import { aborted, explainError, stopSignal } from "../platform/terminal/command.ts";
import { checkGivenStores } from "./check-given-stores.ts";
import { servesStatisticsAlone, startStatisticsService } from "./statistics-service.ts";
import { type Service, startService } from "./wire.ts";

type Stores = {
  readonly databaseUrl: string;
  /** For the role that can only read the statistics, if the stores have one. */
  readonly statisticsDatabaseUrl?: string;
  readonly opensearchNodes: readonly string[];
  stop(): Promise<void>;
};

/** Finds or starts the stores that the settings name. */
type OpenStores = (
  options: Config & {
    /** Both by default. */
    readonly wanted?: readonly ["postgres"];
    readonly say: (line: string) => void;
    readonly signal: AbortSignal;
  },
) => Promise<Stores>;

/** The functions of `tools` that the service needs. */
type Tools = { readonly openStores: OpenStores; readonly prepareEncoder: PrepareEncoder };

/**
 * Runs the service with the settings of the environment until a signal or the end of the launcher. A failure is printed and
 * sets the exit status.
 */
export async function runService(tools: Tools): Promise<void> {
  const launcherGone = new AbortController();
  const stopping = AbortSignal.any([stopSignal(), launcherGone.signal]);
  if (process.connected) {
    process.once("disconnect", () => launcherGone.abort());
    // The open channel must not keep the process running.
    process.channel?.unref();
  }
  try {
    await run(readConfig(process.env), tools, stopping);
  } catch (error) {
    if (stopping.aborted) return;
    process.stderr.write(`${explainError(error)}\n`);
    process.exitCode = 1;
  }
}

/** Starts the stores and the service, serves until a signal, and stops both in reverse order. */
async function run(config: Config, tools: Tools, stopping: AbortSignal): Promise<void> {
  const { openStores, prepareEncoder } = tools;
  const log = createLogger(config.logLevel);
  const { statisticsDatabaseUrl } = config;
  if (servesStatisticsAlone(config)) {
    if (statisticsDatabaseUrl === undefined) await runStatistics(config, openStores, stopping, log);
    else
      await serve(
        await startStatisticsService({ ...config, statisticsDatabaseUrl, stopping }, undefined, log),
        config,
        stopping,
      );
    return;
  }
  await checkGivenStores(config);
  const stores = await openStores({ ...config, say, signal: stopping });
  try {
    const reader = statisticsDatabaseUrl ?? stores.statisticsDatabaseUrl;
    const options = { ...config, ...stores, statisticsDatabaseUrl: reader, prepareEncoder, stopping };
    const service = await startService(options, log);
    await serve(service, config, stopping, () =>
      config.sampleCorpus && config.roles.includes("engine")
        ? loadSampleCorpus(service, config, stopping)
        : Promise.resolve(),
    );
  } finally {
    await stores.stop();
  }
}

/** Serves only the statistics, after migrating the schema. It needs only PostgreSQL. */
async function runStatistics(
  config: Config,
  openStores: OpenStores,
  stopping: AbortSignal,
  log: Logger,
): Promise<void> {
  const stores = await openStores({ ...config, wanted: ["postgres"], say, signal: stopping });
  try {
    const { databaseUrl, statisticsDatabaseUrl = databaseUrl } = stores;
    await serve(
      await startStatisticsService({ ...config, statisticsDatabaseUrl, stopping }, databaseUrl, log),
      config,
      stopping,
    );
  } finally {
    await stores.stop();
  }
}

type Served = Pick<Service, "statistics" | "stop"> &
  Partial<Pick<Service, "engine" | "coreApi" | "monitoring">>;

async function serve(
  service: Served,
  config: Config,
  stopping: AbortSignal,
  prepare: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  try {
    // The listeners answer already.
    if (process.connected) process.send?.("serving");
    await prepare();
    announce(service, config);
    await aborted(stopping);
    await drain(service, config, stopping);
    say("Stopping: accepting no new work, returning running checks to the queue");
  } finally {
    await service.stop();
  }
}

/**
 * After a SIGTERM, serves on for a while without being ready, so that load balancers notice before the listeners close. Not after a
 * Ctrl-C, where a person waits.
 */
async function drain(
  { engine, statistics }: Served,
  { drainMs }: Config,
  stopping: AbortSignal,
): Promise<void> {
  const isTerminated = stopping.reason instanceof Error && stopping.reason.cause === "SIGTERM";
  if (drainMs === 0 || !isTerminated || (engine === undefined && statistics === undefined)) return;
  say(`Stopping: no longer ready, serving for another ${drainMs / 1000} s`);
  await sleep(drainMs);
}

/** Loads the sample corpus once per installation. The service works without it. */
async function loadSampleCorpus(
  { sampleCorpus }: Service,
  { dataDir }: Config,
  stopping: AbortSignal,
): Promise<void> {
  if (await sampleCorpus.isLoaded()) return;
  const read = await readSampleCorpus({
    cacheDir: join(dataDir, "sample-corpus"),
    say,
    signal: stopping,
  });
  if (!read.available) {
    say(
      `The sample corpus is not available: ${read.reason}. The corpus starts empty; the next start tries again.`,
    );
    return;
  }
  try {
    await sampleCorpus.load(read.articles, say, stopping);
    say(SAMPLE_CORPUS_ATTRIBUTION);
  } catch (error) {
    if (stopping.aborted) return;
    say(`The sample corpus was loaded in part: ${explainError(error)}\nThe next start continues.`);
  }
}

function announce({ engine, statistics, coreApi, monitoring }: Served, config: Config): void {
  if (engine === undefined && statistics === undefined) say(`Working as ${config.roles.join(", ")}`);
  if (engine !== undefined) {
    say(`Engine:        ${engine.address}`);
    say(`Documentation: ${engine.address}/docs and ${engine.address}/redoc`);
  }
  if (statistics !== undefined) {
    say(`Statistics:    ${statistics.address}/v1/`);
    say(`Documentation: ${statistics.address}/docs and ${statistics.address}/redoc`);
  }
  if (coreApi !== undefined)
    say(`Core API:      ${coreApi.address} for plug-ins, as ${config.coreApiPublicUrl}`);
  if (monitoring !== undefined) say(`Metrics:       ${monitoring.address}/metrics`);
  if (engine !== undefined) say(`Open ${engine.address}/ in a browser to check a text`);
  if (statistics !== undefined) say(`Open ${statistics.address}/ in a browser to see the statistics`);
  say("Stop with Ctrl-C");
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
