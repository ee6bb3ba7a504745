import { storeUnavailable } from "../../src/platform/domain-error.ts";
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

/** A start takes 2 s and 10 s; three minutes allow for a busy machine and a recovery after a crash. */
const START_BOUND_MS = 3 * 60_000;

/** A store that is alive but does not answer for this long hangs, and is restarted. */
const ADOPT_BOUND_MS = 30_000;

/** Both stores end in well under a second when idle; a large flush may take longer. */
const STOP_BOUND_MS = 30_000;

export type StoreAddresses = {
  readonly databaseUrl?: string;
  readonly statisticsDatabaseUrl?: string;
  readonly opensearchNodes?: string[];
};

type EmbeddedStart = Waiting & {
  readonly dataDir: string;
  readonly recordFile: string;
  readonly needed: readonly StoreName[];
  readonly opensearchHeap: string;
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

/** SIGINT requests PostgreSQL's fast shutdown: it ends sessions and writes a checkpoint. */
const STOP_SIGNAL = { postgres: "SIGINT", opensearch: "SIGTERM" } as const satisfies Record<
  StoreName,
  string
>;

const NOT_ON_WINDOWS =
  "The embedded stores run on Linux and macOS. On Windows, start Docker Desktop, or set DATABASE_URL and OPENSEARCH_URL.";

type ManagedStore = {
  readonly key: StoreName;
  readonly name: string;
  readonly process: StoreProcess | null;
  readonly logFile: string;
  readonly launch: () => Promise<StoreProcess>;
  readonly answers: () => Promise<boolean>;
};

async function describeStores(start: EmbeddedStart, place: StorePlace): Promise<ManagedStore[]> {
  const ports = await choosePorts(start.recordFile);
  const record = readStoreRecord(start.recordFile);
  const postgres = embeddedPostgres(place);
  const opensearch = embeddedOpenSearch(place);
  const stores: ManagedStore[] = [
    {
      key: "postgres",
      name: "PostgreSQL",
      process: record.postgres,
      logFile: postgres.logFile,
      launch: () => startPostgres(postgres, ports.postgres),
      answers: () => postgresAnswers(postgres, ports.postgres),
    },
    {
      key: "opensearch",
      name: "OpenSearch",
      process: record.opensearch,
      logFile: opensearch.logFile,
      launch: () =>
        startOpenSearch(
          opensearch,
          { ...SINGLE_NODE, httpPort: ports.opensearch, transportPort: ports.opensearchTransport },
          start.opensearchHeap,
          start,
        ),
      answers: opensearchReadiness(ports.opensearch, start.say),
    },
  ];
  return stores.filter(({ key }) => start.needed.includes(key));
}

/** A running store keeps its ports. A store to be started gets its last ones if they are still free. */
async function choosePorts(recordFile: string) {
  const record = readStoreRecord(recordFile);
  const { postgres, opensearch, opensearchTransport } = record.ports;
  const free = await freePorts([postgres, opensearch, opensearchTransport]);
  const port = (running: StoreProcess | null, last: number | undefined, at: number) =>
    (running !== null && isAlive(running) ? last : undefined) ?? free[at] ?? 0;
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
  const startedMs = performance.now();
  start.say(`Starting the embedded ${store.name}`);
  const process = await store.launch();
  // Recorded before it answers, so that the next start finds it if this process crashes meanwhile.
  updateRecord(start.recordFile, { [store.key]: process });
  await waitUntilReady({ ...store, ...start, process, boundMs: START_BOUND_MS });
  start.say(`${store.name} is ready (${((performance.now() - startedMs) / 1000).toFixed(1)} s)`);
}

/** Whether the running store answers; one that hangs is stopped. */
async function adopt(store: ManagedStore, process: StoreProcess, start: EmbeddedStart): Promise<boolean> {
  try {
    await waitUntilReady({ ...store, ...start, process, boundMs: ADOPT_BOUND_MS });
    start.say(`Using the embedded ${store.name} that already runs (process ${process.pid})`);
    return true;
  } catch {
    start.signal?.throwIfAborted();
    start.say(`The running ${store.name} (process ${process.pid}) does not answer: restarting it`);
    await stopDaemon(process, STOP_SIGNAL[store.key], STOP_BOUND_MS);
    return false;
  }
}
