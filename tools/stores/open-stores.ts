import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { DomainError, storeUnavailable } from "../../src/platform/domain-error.ts";
import { errorCode, errorMessage } from "../../src/platform/error-code.ts";
import { type Waiting, withProgress } from "../../src/platform/run-command.ts";
import { ComposeStores, composeAnswers, findComposeFile, type StoreName } from "./compose.ts";
import { isAlive, processIdentity } from "./daemon.ts";
import { type StoreAddresses, startEmbeddedStores, stopEmbeddedStores } from "./embedded-stores.ts";
import { withStartLock } from "./start-lock.ts";
import { makeFolder } from "./store-place.ts";
import { otherUsers, readStoreRecord, type StoreRecord, updateRecord } from "./store-record.ts";
import { superviseStores } from "./supervise-stores.ts";

/** Both lie in the data folder. */
const RECORD_FILE = "stores.json";
const LOCK_FILE = "stores.lock";

type StoreKind = "given" | "compose" | "embedded";

export type Stores = {
  readonly kind: StoreKind;
  readonly databaseUrl: string;
  /** For the role that can only read the statistics; undefined unless PostgreSQL is embedded. */
  readonly statisticsDatabaseUrl?: string;
  readonly opensearchNodes: readonly string[];
  /** Leaves the stores. The last process that leaves stops the stores that were started. Safe to call twice. */
  stop(): Promise<void>;
};

export type StoreOptions = Waiting & {
  /** The stores to open; both by default. */
  readonly wanted?: readonly StoreName[];
  readonly databaseUrl?: string | undefined;
  readonly opensearchUrls?: readonly string[] | undefined;
  /** The folder of the embedded stores and of the record of running stores. */
  readonly dataDir: string;
  /** The size of OpenSearch's heap, in the JVM's notation: `512m`, `1g`. */
  readonly opensearchHeap: string;
  /** Further options of the embedded OpenSearch's JVM. */
  readonly opensearchJvmOptions?: readonly string[] | undefined;
};

/**
 * Finds or starts PostgreSQL and OpenSearch. A store with a URL is used as it is; the others run under Docker Compose if an
 * engine answers, and otherwise embedded. Processes on the same `dataDir` share them, start one that ends again, and the last process
 * that leaves stops them; a killed process counts as having left. @throws DomainError whose message names the remedy.
 */
export async function openStores(options: StoreOptions): Promise<Stores> {
  const opensearchHeap = checkedHeap(options.opensearchHeap);
  const needed = missingStores(options);
  if (needed.length === 0) return { ...givenAddresses(options), kind: "given", stop: async () => undefined };
  try {
    return await startStores({ ...options, opensearchHeap, dataDir: resolve(options.dataDir) }, needed);
  } catch (error) {
    throw explainDataFolderError(error, resolve(options.dataDir));
  }
}

/** Stops the stores that were started for this data folder, unless a living process uses them. */
export async function stopUnusedStores(
  options: Pick<StoreOptions, "dataDir" | "opensearchHeap" | "say">,
): Promise<void> {
  const dataDir = resolve(options.dataDir);
  const recordFile = join(dataDir, RECORD_FILE);
  if (!existsSync(recordFile)) return;
  const compose = await composeFor({ ...options, dataDir });
  await withStartLock(join(dataDir, LOCK_FILE), options, () => leave(recordFile, compose, "", options.say));
}

/** The wanted stores without a URL. */
export function missingStores(
  options: Pick<StoreOptions, "databaseUrl" | "opensearchUrls" | "wanted">,
): StoreName[] {
  const { databaseUrl, opensearchUrls = [], wanted = ["postgres", "opensearch"] } = options;
  const given = { postgres: databaseUrl !== undefined, opensearch: opensearchUrls.length > 0 };
  return wanted.filter((name) => !given[name]);
}

/** @throws DomainError unless `heap` is a JVM size of at least 256 MB, below which OpenSearch's circuit breakers stop it. */
export function checkedHeap(heap: string): string {
  const size = /^(\d{1,6})([mg])$/i.exec(heap.trim());
  const megabytes = Number(size?.[1]) * (size?.[2]?.toLowerCase() === "g" ? 1024 : 1);
  if (megabytes >= 256) return heap.trim().toLowerCase();
  throw new DomainError(
    "invalid_input",
    `OPENSEARCH_HEAP must be a size of at least 256m, such as 512m or 1g, not "${heap}"`,
  );
}

async function startStores(options: StoreOptions, needed: readonly StoreName[]): Promise<Stores> {
  const { dataDir, say, signal } = options;
  makeFolder(dataDir);
  const recordFile = join(dataDir, RECORD_FILE);
  const lockFile = join(dataDir, LOCK_FILE);
  const user = { id: randomUUID(), pid: process.pid, identity: processIdentity(process.pid) ?? "" };
  const compose = await composeFor(options);
  const { kind, addresses } = await withStartLock(lockFile, { say, signal }, async () => {
    const found = await bringUp(options, needed, recordFile, compose, user.id);
    updateRecord(recordFile, { users: [...otherUsers(readStoreRecord(recordFile), user.id), user] });
    return found;
  });
  let stopped: Promise<void> | undefined;
  // Docker restarts its containers by itself.
  const endSupervision =
    kind === "embedded"
      ? superviseStores({ ...options, needed, recordFile, lockFile, userId: user.id })
      : async () => undefined;
  const stop = async () => {
    await endSupervision();
    await withStartLock(lockFile, { say }, () => leave(recordFile, compose, user.id, say));
  };
  return {
    ...givenAddresses(options),
    ...addresses,
    kind,
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
}

type Found = { readonly kind: StoreKind; readonly addresses: StoreAddresses };

/** Embedded stores that another process uses come first, since both processes must see the same data. */
async function bringUp(
  options: StoreOptions,
  needed: readonly StoreName[],
  recordFile: string,
  compose: ComposeStores | undefined,
  userId: string,
): Promise<Found> {
  const record = readStoreRecord(recordFile);
  const embeddedInUse = otherUsers(record, userId).length > 0 && embeddedRuns(record);
  if (compose !== undefined && !embeddedInUse) {
    try {
      return { kind: "compose", addresses: await startWithCompose(compose, needed, recordFile, options) };
    } catch (error) {
      options.signal?.throwIfAborted();
      const reason = errorMessage(error);
      options.say(`Docker is available but cannot run the stores, so the embedded ones are used. ${reason}`);
    }
  }
  return { kind: "embedded", addresses: await startEmbeddedStores({ ...options, needed, recordFile }) };
}

async function composeFor(
  options: Pick<StoreOptions, "dataDir" | "opensearchHeap">,
): Promise<ComposeStores | undefined> {
  const file = findComposeFile(import.meta.dirname);
  if (file === undefined || !(await composeAnswers())) return undefined;
  return new ComposeStores(file, options.dataDir, options.opensearchHeap);
}

async function startWithCompose(
  compose: ComposeStores,
  needed: readonly StoreName[],
  recordFile: string,
  { say, signal }: StoreOptions,
): Promise<StoreAddresses> {
  say("Starting the stores with Docker Compose");
  const started = await compose.up(needed, say, signal);
  const composeServices = [...new Set([...readStoreRecord(recordFile).composeServices, ...started])];
  updateRecord(recordFile, { composeServices });
  const password = encodeURIComponent(process.env.POSTGRES_PASSWORD ?? "similarity");
  return {
    ...(needed.includes("postgres") && {
      databaseUrl: `postgres://similarity:${password}@${await compose.address("postgres")}/similarity`,
    }),
    ...(needed.includes("opensearch") && {
      opensearchNodes: [`http://${await compose.address("opensearch")}`],
    }),
  };
}

async function leave(
  recordFile: string,
  compose: ComposeStores | undefined,
  userId: string,
  say: (line: string) => void,
): Promise<void> {
  const record = readStoreRecord(recordFile);
  const users = otherUsers(record, userId);
  if (users.length > 0) {
    updateRecord(recordFile, { users });
    say(`The stores keep running: process ${users.map(({ pid }) => pid).join(", ")} uses them`);
    return;
  }
  if (embeddedRuns(record)) {
    say("Stopping the stores");
    const stop = () => stopEmbeddedStores(recordFile, ["postgres", "opensearch"]);
    await withProgress("The stores are stopping", say, stop);
  }
  if (record.composeServices.length > 0) await compose?.stop(record.composeServices);
  updateRecord(recordFile, { users: [], composeServices: [] });
}

function embeddedRuns({ postgres, opensearch }: StoreRecord): boolean {
  return [postgres, opensearch].some((running) => running !== null && isAlive(running));
}

function givenAddresses({ databaseUrl, opensearchUrls }: StoreOptions) {
  return { databaseUrl: databaseUrl ?? "", opensearchNodes: [...(opensearchUrls ?? [])] };
}

/** Adds a remedy to a file system error about the data folder. Any other error is returned as it is. */
function explainDataFolderError(error: unknown, dataDir: string): unknown {
  const advice = ADVICE.get(errorCode(error));
  if (advice === undefined || !(error instanceof Error) || error instanceof DomainError) return error;
  const message = `The data folder ${dataDir} cannot be used (${error.message}). ${advice}`;
  return storeUnavailable(message, error);
}

const OTHER_USER =
  "Start as the user who started before, or make this user the owner of the folder, or set DATA_DIR to another.";

const ADVICE: ReadonlyMap<string, string> = new Map([
  ["EACCES", OTHER_USER],
  ["EPERM", OTHER_USER],
  ["EROFS", "Set DATA_DIR to a writable folder."],
  ["ENOTDIR", "A file is in its way: set DATA_DIR to a folder."],
  ["EEXIST", "A file is in its way: set DATA_DIR to a folder."],
  ["ENOSPC", "The disk is full: free some space, or set DATA_DIR to a folder on another disk."],
]);
