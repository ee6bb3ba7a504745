import { setTimeout as sleep } from "node:timers/promises";
import { errorMessage } from "../../src/platform/error-code.ts";
import type { StoreName } from "./compose.ts";
import { isAlive, readEnd } from "./daemon.ts";
import { type EmbeddedStart, restartEmbeddedStore, restartWaitMs, storeFacts } from "./embedded-stores.ts";
import { withStartLock } from "./start-lock.ts";
import { readStoreRecord, type StoreRecord } from "./store-record.ts";

/** Soon enough beside the wait before a restart. On macOS each look starts a program. */
const LOOK_MS = 1_000;

/** A store that ran for this long had started well: its next end is a first one again. */
const HEALTHY_MS = 5 * 60_000;

type Supervision = Omit<EmbeddedStart, "signal"> & {
  readonly lockFile: string;
  /** Of this user in the record. */
  readonly userId: string;
};

/**
 * Starts each needed store again when it ends, with growing waits, as long as this user is recorded. Every user of a data folder supervises,
 * and under the start lock one of them restarts a store for all.
 * @returns ends the supervision; call it before this user leaves.
 */
export function superviseStores(supervision: Supervision): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const ends = supervision.needed.map((name) =>
    keepRunning(name, { ...supervision, signal }).catch((error: unknown) => {
      if (!signal.aborted) supervision.say(`The stores are no longer supervised: ${errorMessage(error)}`);
    }),
  );
  return async () => {
    stopping.abort();
    await Promise.all(ends);
  };
}

async function keepRunning(
  name: StoreName,
  start: Supervision & { readonly signal: AbortSignal },
): Promise<void> {
  const { say, signal, lockFile, recordFile, userId } = start;
  const { title, logFile } = await storeFacts(start, name);
  const isUser = ({ users }: StoreRecord) => users.some(({ id }) => id === userId);
  let fault: string | undefined;
  for (let failures = 0; ; ) {
    const startedMs = performance.now();
    const record = await recordAtEnd(name, start);
    if (!isUser(record)) return;
    failures = performance.now() - startedMs > HEALTHY_MS ? 1 : failures + 1;
    const { how, log } = await readEnd(logFile).catch(() => ({ how: "", log: "" }));
    const ended = record[name] === null ? title : `${title} (process ${record[name].pid})`;
    const waitMs = restartWaitMs(failures);
    say(
      `${fault ?? `${ended} ended unexpectedly${how}. ${log}`}\nStarting ${title} again in ${waitMs / 1000} s`,
    );
    fault = undefined;
    await sleep(waitMs, undefined, { signal, ref: false });
    try {
      await withStartLock(lockFile, start, async () => {
        // The folder may have been removed, and must not get new, empty stores.
        if (isUser(readStoreRecord(recordFile))) await restartEmbeddedStore(start, name);
      });
    } catch (error) {
      signal.throwIfAborted();
      fault = errorMessage(error);
    }
  }
}

/** Waits until a store has ended. Only the stop by its last user, or a start that failed, removes its process from the record. */
async function recordAtEnd(
  name: StoreName,
  { recordFile, signal }: { readonly recordFile: string; readonly signal: AbortSignal },
): Promise<StoreRecord> {
  for (;;) {
    const record = readIfPossible(recordFile);
    const process = record?.[name];
    if (record !== undefined && (process === null || process === undefined || !isAlive(process)))
      return record;
    await sleep(LOOK_MS, undefined, { signal, ref: false });
  }
}

/** Undefined after a passing fault, such as too many open files. */
function readIfPossible(recordFile: string): StoreRecord | undefined {
  try {
    return readStoreRecord(recordFile);
  } catch {
    return undefined;
  }
}
