import type { Queryable } from "../platform/postgres/database.ts";
import type { JobHandler, JobQueue } from "../platform/postgres/job-queue.ts";
import { type CheckLane, laneOf } from "./check.ts";

/**
 * Queue penalty per word: a check is ordered as if it had been submitted this much later for each of its words. The penalty is some
 * 70 times the work, which is 0.07 ms a word over a million chunks. An 80,000-word check lets shorter checks pass that are submitted
 * within 400 s after it, but none that comes later.
 */
const WAIT_PER_WORD_MS = 5;

/** Priorities are 32-bit integers. Counted from here in seconds, they suffice until 2094. */
const EPOCH_MS = Date.UTC(2026, 0, 1);

/** The queues whose jobs run checks. */
const QUEUE_OF_LANE: Readonly<Record<CheckLane, string>> = {
  short: "run-check",
  long: "run-long-check",
};

export const RUN_CHECK_QUEUES: readonly string[] = Object.values(QUEUE_OF_LANE);

/**
 * The priority of a check in its lane; the highest runs first. It decreases with the time of submission and with the number of
 * words, so shorter checks go first, but can overtake a longer one for a limited time only.
 */
export function checkPriority(wordCount: number, submittedAtMs: number): number {
  return -Math.floor((submittedAtMs - EPOCH_MS + WAIT_PER_WORD_MS * wordCount) / 1000);
}

/** Enqueues a new check. It runs once the transaction is committed. */
export async function enqueueCheck(
  queue: JobQueue,
  { checkId, wordCount }: { readonly checkId: string; readonly wordCount: number },
  transaction: Queryable,
): Promise<void> {
  const priority = checkPriority(wordCount, Date.now());
  await queue.enqueue(QUEUE_OF_LANE[laneOf(wordCount)], checkId, transaction, priority);
}

/** Runs checks with `concurrency` workers in each lane: neither lane waits for the other, and an idle one takes no memory. */
export async function workOnChecks(
  queue: JobQueue,
  concurrency: number,
  runCheck: JobHandler,
): Promise<void> {
  for (const name of RUN_CHECK_QUEUES) await queue.work(name, concurrency, runCheck);
}
