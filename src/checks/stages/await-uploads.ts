import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../../platform/postgres/database.ts";
import type { CheckStore, RunKey } from "../check-store.ts";
import { RunLost } from "./assembling.ts";

/**
 * A check waits for an upload until that has been pending for this long. An upload of 6,000 words is fingerprinted after
 * 0.1 s and the longest one after some 15 s, so the minute is for those that queue behind others. It counts from the
 * upload and not from the check, so a document whose fingerprinting never succeeds holds up no check after this minute.
 */
export const UPLOAD_WAIT_MS = 60_000;

const FIRST_LOOK_MS = 25;
const LOOK_INTERVAL_MAX_MS = 1_000;

type Parts = { readonly database: Database; readonly checks: CheckStore };

/**
 * Waits until the uploads that were accepted before the check are fingerprinted, deleted, or pending for too long.
 * Platform documents don't count: a bulk load may take hours, and its documents are part of the corpus once it is done.
 *
 * A waiting check keeps its worker. The checks behind it in the queue were submitted later and have to wait for the same
 * uploads, so the worker would have nothing else to do; uploads are fingerprinted by workers of their own.
 * @returns the number of uploads that are still pending: the check is not compared with them.
 * @throws RunLost when the run no longer owns the check; the signal's reason.
 */
export async function awaitUploads(
  { database, checks }: Parts,
  run: RunKey,
  signal: AbortSignal,
): Promise<number> {
  for (let intervalMs = FIRST_LOOK_MS; ; intervalMs = Math.min(2 * intervalMs, LOOK_INTERVAL_MAX_MS)) {
    signal.throwIfAborted();
    const uploads = await checks.countPendingUploads(database, run, UPLOAD_WAIT_MS);
    if (uploads === undefined) throw new RunLost();
    if (uploads.expected === 0) return uploads.pending;
    await sleep(intervalMs, undefined, { signal });
  }
}
