import type { Queryable } from "../platform/postgres/database.ts";
import type { JobHandler, JobQueue } from "../platform/postgres/job-queue.ts";

/**
 * Checks of this many words and more have workers of their own, so that shorter ones never wait until one of them ends. Over a
 * million chunks, a check of 10,000 words takes 0.6 s by words alone and one of 80,000 words 5 s.
 */
const LONG_CHECK_WORDS = 10_000;

/**
 * How much earlier a check would have had to be submitted to keep its place before one that is shorter by a word. This is some
 * 70 times the work, 0.07 ms a word over a million chunks: a check of 80,000 words lets those pass that are submitted in the 400 s
 * after it, and none that comes later.
 */
const WAIT_PER_WORD_MS = 5;

/** Priorities are 32-bit integers. Counted from here in seconds, they suffice until 2094. */
const EPOCH_MS = Date.UTC(2026, 0, 1);

/** Which workers a check waits for. */
export type CheckLane = "short" | "long";

/** The queues whose jobs run checks. */
const QUEUE_OF_LANE: Readonly<Record<CheckLane, string>> = {
  short: "run-check",
  long: "run-long-check",
};

export const RUN_CHECK_QUEUES: readonly string[] = Object.values(QUEUE_OF_LANE);

export function laneOf(wordCount: number): CheckLane {
  return wordCount < LONG_CHECK_WORDS ? "short" : "long";
}

/**
 * The place of a check in its lane: the highest priority runs first. The priorities fall with the moment of submission and with
 * the number of words, so that less work goes first, and every check is passed for a limited time only.
 */
export function checkPriority(wordCount: number, submittedAtMs: number): number {
  return -Math.floor((submittedAtMs - EPOCH_MS + WAIT_PER_WORD_MS * wordCount) / 1000);
}

/** Has a new check run, once the transaction is committed. */
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
