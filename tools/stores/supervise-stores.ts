import { setTimeout as sleep } from "node:timers/promises";
import { errorMessage } from "../../src/platform/error-code.ts";
import type { StoreName } from "./compose.ts";
import { isAlive, readEnd, type StoreProcess } from "./daemon.ts";
import { type EmbeddedStart, restartEmbeddedStore, restartWaitMs, storeFacts } from "./embedded-stores.ts";
import { withStartLock } from "./start-lock.ts";
import { readStoreRecord } from "./store-record.ts";

/** Looking costs two small reads, and a restart of PostgreSQL takes a second. */
const LOOK_MS = 500;

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

async function keepRunning(name: StoreName, start: Supervision & { readonly signal: AbortSignal }) {
  const { say, signal, lockFile, recordFile, userId } = start;
  const { title, logFile } = await storeFacts(start, name);
  const isRecorded = () => readStoreRecord(recordFile).users.some(({ id }) => id === userId);
  let fault: string | undefined;
  for (let failures = 0; ; ) {
    const startedMs = performance.now();
    const process = await end(name, start);
    if (!isRecorded()) return;
    failures = performance.now() - startedMs > HEALTHY_MS ? 1 : failures + 1;
    const { how, log } = await readEnd(logFile);
    const waitMs = restartWaitMs(failures);
    fault ??= `${title}${process === null ? "" : ` (process ${process.pid})`} ended unexpectedly${how}. ${log}`;
    say(`${fault}\nStarting ${title} again in ${waitMs / 1000} s`);
    fault = undefined;
    await sleep(waitMs, undefined, { signal, ref: false });
    try {
      await withStartLock(lockFile, start, async () => {
        // The folder may have been removed, and must not get new, empty stores.
        if (isRecorded()) await restartEmbeddedStore(start, name);
      });
    } catch (error) {
      signal.throwIfAborted();
      fault = errorMessage(error);
    }
  }
}

/** Waits until a store has ended, and gives its process. Only the stop of its last user removes that from the record. */
async function end(
  name: StoreName,
  { recordFile, signal }: { readonly recordFile: string; readonly signal: AbortSignal },
): Promise<StoreProcess | null> {
  for (;;) {
    const process = readStoreRecord(recordFile)[name];
    if (process === null || !isAlive(process)) return process;
    await sleep(LOOK_MS, undefined, { signal, ref: false });
  }
}
