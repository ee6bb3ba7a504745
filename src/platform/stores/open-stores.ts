import { randomUUID } from "node:crypto";
import { join, resolve } from "node:path";
import { DomainError } from "../../core/domain-error.ts";
import { ComposeStores, composeAnswers, findComposeFile, type StoreName } from "./compose.ts";
import { isAlive, processIdentity } from "./daemon.ts";
import { type StoreAddresses, startEmbeddedStores, stopEmbeddedStores } from "./embedded-stores.ts";
import { withStartLock } from "./start-lock.ts";
import { makeFolder } from "./store-place.ts";
import { otherUsers, readRecord, type StoreRecord, writeRecord } from "./store-record.ts";

export type StoreKind = "given" | "compose" | "embedded";

export type Stores = {
  readonly kind: StoreKind;
  readonly databaseUrl: string;
  /** By which a role of the embedded PostgreSQL can only read the statistics; undefined for any other. */
  readonly statisticsDatabaseUrl?: string;
  readonly opensearchNodes: readonly string[];
  /** Leaves the stores: the last process that leaves stops what was started for them. Safe to call twice. */
  stop(): Promise<void>;
};

export type StoreOptions = {
  /** The stores to open; both by default. */
  readonly wanted?: readonly StoreName[];
  readonly databaseUrl?: string | undefined;
  readonly opensearchUrls?: readonly string[] | undefined;
  /** Holds the embedded stores and the record of what runs. */
  readonly dataDir: string;
  /** Memory of OpenSearch's heap, as the JVM writes it: `512m`, `1g`. */
  readonly opensearchHeap: string;
  /** Prints a line of progress for a person. */
  readonly say: (line: string) => void;
  /** Aborts the start and stops the stores that it started. */
  readonly signal?: AbortSignal | undefined;
};

/**
 * Finds or starts PostgreSQL and OpenSearch: each at the URL given; the others with Docker Compose where an engine
 * answers, else embedded below `dataDir`. Stores that already run for this data folder are used, not started twice,
 * and stopped by whoever leaves last; a process that was killed counts as having left.
 * Throws a `DomainError` that says what to install, set or free.
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

/** The stores for which no URL is given, of those that are wanted. */
export function missingStores(
  options: Pick<StoreOptions, "databaseUrl" | "opensearchUrls" | "wanted">,
): StoreName[] {
  const missing: StoreName[] = [];
  if (options.databaseUrl === undefined) missing.push("postgres");
  if (options.opensearchUrls === undefined || options.opensearchUrls.length === 0) missing.push("opensearch");
  return missing.filter((name) => options.wanted?.includes(name) ?? true);
}

/** A JVM heap size from 256 MB on, below which OpenSearch's own breakers stop it; throws when it is none. */
export function checkedHeap(heap: string): string {
  const size = /^(\d{1,6})([mg])$/i.exec(heap.trim());
  const megabytes = Number(size?.[1]) * (size?.[2]?.toLowerCase() === "g" ? 1024 : 1);
  if (megabytes >= 256) return heap.trim().toLowerCase();
  throw new DomainError(
    "invalid_input",
    `OPENSEARCH_HEAP must be a size of at least 256m, such as 512m or 1g, and is "${heap}"`,
  );
}

async function startStores(options: StoreOptions, needed: readonly StoreName[]): Promise<Stores> {
  const { dataDir, say, signal } = options;
  makeFolder(dataDir);
  const recordFile = join(dataDir, "stores.json");
  const lockFile = join(dataDir, "stores.lock");
  const user = { id: randomUUID(), pid: process.pid, identity: processIdentity(process.pid) ?? "" };
  const compose = await composeFor(options);
  const { kind, addresses } = await withStartLock(lockFile, { say, signal }, async () => {
    const found = await bringUp(options, needed, recordFile, compose, user.id);
    const record = readRecord(recordFile);
    writeRecord(recordFile, { ...record, users: [...otherUsers(record, user.id), user] });
    return found;
  });
  let stopped: Promise<void> | undefined;
  const stop = () => withStartLock(lockFile, { say }, () => leave(recordFile, compose, user.id, say));
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

/** Embedded stores in use by another process come first: both must see the same data. */
async function bringUp(
  options: StoreOptions,
  needed: readonly StoreName[],
  recordFile: string,
  compose: ComposeStores | undefined,
  userId: string,
): Promise<Found> {
  const record = readRecord(recordFile);
  const embeddedInUse = otherUsers(record, userId).length > 0 && embeddedRuns(record);
  if (compose !== undefined && !embeddedInUse) {
    try {
      return { kind: "compose", addresses: await startWithCompose(compose, needed, recordFile, options) };
    } catch (error) {
      options.signal?.throwIfAborted();
      const reason = error instanceof Error ? error.message : String(error);
      options.say(`Docker is available but cannot run the stores, so the embedded ones are used. ${reason}`);
    }
  }
  return { kind: "embedded", addresses: await startEmbeddedStores({ ...options, needed, recordFile }) };
}

async function composeFor(options: StoreOptions): Promise<ComposeStores | undefined> {
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
  const record = readRecord(recordFile);
  const composeServices = [...new Set([...record.composeServices, ...started])];
  writeRecord(recordFile, { ...record, composeServices });
  const password = encodeURIComponent(process.env.POSTGRES_PASSWORD ?? "similarity");
  return {
    ...(needed.includes("postgres")
      ? { databaseUrl: `postgres://similarity:${password}@${await compose.address("postgres")}/similarity` }
      : {}),
    ...(needed.includes("opensearch")
      ? { opensearchNodes: [`http://${await compose.address("opensearch")}`] }
      : {}),
  };
}

async function leave(
  recordFile: string,
  compose: ComposeStores | undefined,
  userId: string,
  say: (line: string) => void,
): Promise<void> {
  const record = readRecord(recordFile);
  const users = otherUsers(record, userId);
  if (users.length > 0) {
    writeRecord(recordFile, { ...record, users });
    say(`The stores keep running: process ${users.map(({ pid }) => pid).join(", ")} uses them`);
    return;
  }
  if (embeddedRuns(record)) {
    say("Stopping the stores");
    await stopEmbeddedStores(recordFile, ["postgres", "opensearch"]);
  }
  if (record.composeServices.length > 0) await compose?.stop(record.composeServices);
  writeRecord(recordFile, { ...readRecord(recordFile), users: [], composeServices: [] });
}

function embeddedRuns({ postgres, opensearch }: StoreRecord): boolean {
  return [postgres, opensearch].some((running) => running !== null && isAlive(running));
}

function givenAddresses({ databaseUrl, opensearchUrls }: StoreOptions) {
  return { databaseUrl: databaseUrl ?? "", opensearchNodes: [...(opensearchUrls ?? [])] };
}

/** Turns what the file system says about the data folder into what to do; any other error stays as it is. */
export function explainDataFolderError(error: unknown, dataDir: string): unknown {
  if (!(error instanceof Error) || !("code" in error) || error instanceof DomainError) return error;
  const advice = ADVICE.get(String(error.code));
  if (advice === undefined) return error;
  const message = `The data folder ${dataDir} cannot be used (${error.message}). ${advice}`;
  return new DomainError("store_unavailable", message, { cause: error });
}

const OTHER_USER =
  "Start as the user who started before, or give this user the folder, or set DATA_DIR to another.";

const ADVICE: ReadonlyMap<string, string> = new Map([
  ["EACCES", OTHER_USER],
  ["EPERM", OTHER_USER],
  ["EROFS", "Set DATA_DIR to a folder that can be written to."],
  ["ENOTDIR", "A file is in its way: set DATA_DIR to a folder."],
  ["EEXIST", "A file is in its way: set DATA_DIR to a folder."],
  ["ENOSPC", "The disk is full: free some space, or set DATA_DIR to a folder on another disk."],
]);
