import { setTimeout as sleep } from "node:timers/promises";
import { storeUnavailable } from "../../src/platform/domain-error.ts";
import { errorMessage } from "../../src/platform/error-code.ts";
import type { Waiting } from "../../src/platform/run-command.ts";
import type { StoreName } from "./compose.ts";
import { freePorts, isAlive, type StoreProcess, stopDaemon, waitUntilReady } from "./daemon.ts";
import {
  embeddedOpenSearch,
  opensearchReadiness,
  opensearchUrl,
  SINGLE_NODE,
  startOpenSearch,
} from "./embedded-opensearch.ts";
import { embeddedPostgres, postgresAnswers, postgresUrls, startPostgres } from "./embedded-postgres.ts";
import { checkDiskSpace, type StorePlace, storePlace } from "./store-place.ts";
import { readStoreRecord, updateRecord } from "./store-record.ts";

/** A start without progress for this long hangs. With nine processes for two cores, OpenSearch's log paused for 20 s. */
const START_STALL_MS = 3 * 60_000;

/** A running store that does not answer and makes no progress for this long hangs, and is restarted. */
const ADOPT_STALL_MS = 30_000;

/** Both stores end in well under a second when idle. A large flush on a slow disk takes longer, and killing it makes the next start slower still. */
const STOP_BOUND_MS = 2 * 60_000;

/** A first start that ends early or hangs is repeated so often; the wait before the next attempt doubles each time. */
const STARTS_MAX = 3;
const RESTART_WAIT_MS = 1_000;
const RESTART_WAIT_MAX_MS = 60_000;

export type StoreAddresses = {
  readonly databaseUrl?: string;
  readonly statisticsDatabaseUrl?: string;
  readonly opensearchNodes?: string[];
};

export type EmbeddedStart = Waiting & {
  readonly dataDir: string;
  readonly recordFile: string;
  readonly needed: readonly StoreName[];
  readonly opensearchHeap: string;
  /** Further options of OpenSearch's JVM. */
  readonly opensearchJvmOptions?: readonly string[] | undefined;
};

/** Starts the needed stores, under the start lock, or uses running ones. If one fails, those it started are stopped. */
export async function startEmbeddedStores(start: EmbeddedStart): Promise<StoreAddresses> {
  const { needed, recordFile, say } = start;
  if (process.platform === "win32") throw storeUnavailable(NOT_ON_WINDOWS);
  const place = await storePlace(start.dataDir, say);
  const stores = await describeStores(start, place);
  const toStart = stores.filter(({ process }) => process === null || !isAlive(process));
  if (toStart.length > 0) checkDiskSpace(place.root, say);
  try {
    await bringUpTogether(stores, start);
  } catch (error) {
    const record = readStoreRecord(recordFile);
    const fresh = stores.filter(({ key, process }) => record[key]?.identity !== process?.identity);
    const names = fresh.map(({ key }) => key);
    await stopEmbeddedStores(recordFile, names);
    throw error;
  }
  const { ports } = readStoreRecord(recordFile);
  return {
    ...(needed.includes("postgres") &&
      ports.postgres !== undefined &&
      postgresUrls(embeddedPostgres(place), ports.postgres)),
    ...(needed.includes("opensearch") &&
      ports.opensearch !== undefined && { opensearchNodes: [opensearchUrl(ports.opensearch)] }),
  };
}

/** Stops recorded stores, each only if it is still the recorded process. Call it under the start lock. */
export async function stopEmbeddedStores(recordFile: string, names: readonly StoreName[]): Promise<void> {
  const record = readStoreRecord(recordFile);
  const stops = names.map((name) => {
    const running = record[name];
    return running === null ? undefined : stopDaemon(running, STOP_SIGNAL[name], STOP_BOUND_MS);
  });
  await Promise.all(stops);
  updateRecord(recordFile, Object.fromEntries(names.map((name) => [name, null])));
}

/** The wait before the next start of a store that has ended so many times in a row. */
export function restartWaitMs(failures: number): number {
  return Math.min(RESTART_WAIT_MS * 2 ** (failures - 1), RESTART_WAIT_MAX_MS);
}

/**
 * Starts a recorded store again, on the same data and ports, unless it runs. Call it under the start lock. @throws DomainError with the end
 * of its log when it does not start
 */
export async function restartEmbeddedStore(start: EmbeddedStart, name: StoreName): Promise<void> {
  const place = await storePlace(start.dataDir, start.say);
  const [store] = await describeStores({ ...start, needed: [name] }, place);
  if (store === undefined || (store.process !== null && isAlive(store.process))) return;
  await launch(store, start);
}

/** SIGINT requests PostgreSQL's fast shutdown: it ends sessions and writes a checkpoint. */
const STOP_SIGNAL = { postgres: "SIGINT", opensearch: "SIGTERM" } as const satisfies Record<
  StoreName,
  string
>;

const NOT_ON_WINDOWS =
  "The embedded stores run on Linux and macOS. On Windows, start Docker Desktop, or set DATABASE_URL and OPENSEARCH_URL.";

const TITLES = { postgres: "PostgreSQL", opensearch: "OpenSearch" } as const satisfies Record<
  StoreName,
  string
>;

/** The name of a store for people, and its log. */
export async function storeFacts({ dataDir, say }: Pick<EmbeddedStart, "dataDir" | "say">, name: StoreName) {
  const place = await storePlace(dataDir, say);
  const { logFile } = name === "postgres" ? embeddedPostgres(place) : embeddedOpenSearch(place);
  return { title: TITLES[name], logFile };
}

type ManagedStore = {
  readonly key: StoreName;
  readonly name: string;
  readonly process: StoreProcess | null;
  readonly logFile: string;
  readonly launch: () => Promise<StoreProcess>;
  readonly answers: () => Promise<boolean | string>;
};

async function describeStores(start: EmbeddedStart, place: StorePlace): Promise<ManagedStore[]> {
  const ports = await choosePorts(start.recordFile);
  const record = readStoreRecord(start.recordFile);
  const postgres = embeddedPostgres(place);
  const opensearch = embeddedOpenSearch(place);
  const stores: ManagedStore[] = [
    {
      key: "postgres",
      name: TITLES.postgres,
      process: record.postgres,
      logFile: postgres.logFile,
      launch: () => startPostgres(postgres, ports.postgres),
      answers: () => postgresAnswers(postgres, ports.postgres),
    },
    {
      key: "opensearch",
      name: TITLES.opensearch,
      process: record.opensearch,
      logFile: opensearch.logFile,
      launch: () =>
        startOpenSearch(
          opensearch,
          {
            ...{ ...SINGLE_NODE, httpPort: ports.opensearch, transportPort: ports.opensearchTransport },
            jvmOptions: start.opensearchJvmOptions,
          },
          start.opensearchHeap,
          start,
        ),
      answers: opensearchReadiness(ports.opensearch, start.say),
    },
  ];
  return stores.filter(({ key }) => start.needed.includes(key));
}

/** A store that runs or has users keeps its ports, which they know. A store to be started gets its last ones if they are still free. */
async function choosePorts(recordFile: string) {
  const record = readStoreRecord(recordFile);
  const hasUsers = record.users.some(isAlive);
  const { postgres, opensearch, opensearchTransport } = record.ports;
  const free = await freePorts([postgres, opensearch, opensearchTransport]);
  const port = (running: StoreProcess | null, last: number | undefined, at: number) =>
    (hasUsers || (running !== null && isAlive(running)) ? last : undefined) ?? free[at] ?? 0;
  const chosen = {
    postgres: port(record.postgres, postgres, 0),
    opensearch: port(record.opensearch, opensearch, 1),
    opensearchTransport: port(record.opensearch, opensearchTransport, 2),
  };
  updateRecord(recordFile, { ports: chosen });
  return chosen;
}

/** Waits for all stores. The first failure ends the wait for the others. */
async function bringUpTogether(stores: readonly ManagedStore[], start: EmbeddedStart): Promise<void> {
  const failure = new AbortController();
  const signal =
    start.signal === undefined ? failure.signal : AbortSignal.any([start.signal, failure.signal]);
  const outcomes = await Promise.allSettled(
    stores.map((store) =>
      bringUp(store, { ...start, signal }).catch((error) => {
        failure.abort(error);
        throw error;
      }),
    ),
  );
  if (outcomes.some(({ status }) => status === "rejected")) throw signal.reason;
}

async function bringUp(store: ManagedStore, start: EmbeddedStart): Promise<void> {
  if (store.process !== null && isAlive(store.process) && (await adopt(store, store.process, start))) return;
  for (let failures = 1; ; failures += 1) {
    try {
      await launch(store, start);
      return;
    } catch (error) {
      start.signal?.throwIfAborted();
      // A store that was not even launched has a fault that stays, such as data of another version.
      if (!wasLaunched(store, start) || failures === STARTS_MAX) throw error;
      const waitMs = restartWaitMs(failures);
      start.say(`${errorMessage(error)}\nStarting it again in ${waitMs / 1000} s`);
      await sleep(waitMs, undefined, start.signal === undefined ? {} : { signal: start.signal });
    }
  }
}

function wasLaunched({ key, process }: ManagedStore, { recordFile }: EmbeddedStart): boolean {
  return readStoreRecord(recordFile)[key]?.identity !== process?.identity;
}

/** Starts a store and waits until it answers. One that hangs is stopped. */
async function launch(store: ManagedStore, start: EmbeddedStart): Promise<void> {
  const startedMs = performance.now();
  start.say(`Starting the embedded ${store.name}`);
  const process = await store.launch();
  // Recorded before it answers, so that the next start finds it if this process crashes meanwhile.
  updateRecord(start.recordFile, { [store.key]: process });
  try {
    await waitUntilReady({ ...store, ...start, process, stallMs: START_STALL_MS });
  } catch (error) {
    start.signal?.throwIfAborted();
    await stopDaemon(process, STOP_SIGNAL[store.key], STOP_BOUND_MS);
    throw error;
  }
  start.say(`${store.name} is ready (${((performance.now() - startedMs) / 1000).toFixed(1)} s)`);
}

/** Whether the running store answers; one that hangs is stopped. */
async function adopt(store: ManagedStore, process: StoreProcess, start: EmbeddedStart): Promise<boolean> {
  try {
    await waitUntilReady({ ...store, ...start, process, stallMs: ADOPT_STALL_MS });
    start.say(`Using the embedded ${store.name} that already runs (process ${process.pid})`);
    return true;
  } catch {
    start.signal?.throwIfAborted();
    start.say(`The running ${store.name} (process ${process.pid}) does not answer: restarting it`);
    await stopDaemon(process, STOP_SIGNAL[store.key], STOP_BOUND_MS);
    return false;
  }
}
