import type { JobHandler, JobQueue, PriorityRange } from "../platform/job-queue.ts";

/** The queue whose jobs run checks. */
export const RUN_CHECK_QUEUE = "run-check";

/**
 * Checks of this many words and more have workers of their own, so that shorter ones never wait until one of them ends. Over a
 * million chunks, a check of 10,000 words takes 1.3 s and one of 80,000 words 13 s.
 */
const LONG_CHECK_WORDS = 10_000;

/**
 * How much earlier a check would have had to be submitted to keep its place before one that is shorter by a word. This is 30
 * times the work, 0.17 ms a word over a million chunks: a check of 80,000 words lets those pass that are submitted in the 400 s
 * after it, and none that comes later.
 */
const WAIT_PER_WORD_MS = 5;

/** Priorities are 32-bit integers. Counted from here in seconds, those of each lane suffice until 2060. */
const EPOCH_MS = Date.UTC(2026, 0, 1);
const LANE_PRIORITIES = 2 ** 30;

/** Jobs from releases without priorities have 0. */
const LANES: Readonly<Record<CheckLane, PriorityRange>> = {
  short: { priorityMin: 1 - LANE_PRIORITIES },
  long: { priorityMax: -LANE_PRIORITIES },
};

/** Which workers a check waits for. */
export type CheckLane = "short" | "long";

export function laneOf(wordCount: number): CheckLane {
  return wordCount < LONG_CHECK_WORDS ? "short" : "long";
}

/**
 * The place of a check in its lane: the highest priority runs first. The priorities fall with the moment of submission and with
 * the number of words, so that less work goes first, and every check is passed for a limited time only.
 */
export function checkPriority(wordCount: number, submittedAtMs: number): number {
  const seconds = Math.floor((submittedAtMs - EPOCH_MS + WAIT_PER_WORD_MS * wordCount) / 1000);
  return (laneOf(wordCount) === "short" ? 0 : -LANE_PRIORITIES) - seconds;
}

/** Runs checks with `concurrency` workers in each lane: neither lane waits for the other, and an idle one takes no memory. */
export async function workOnChecks(
  queue: JobQueue,
  concurrency: number,
  runCheck: JobHandler,
): Promise<void> {
  for (const priorities of Object.values(LANES)) {
    await queue.work(RUN_CHECK_QUEUE, concurrency, runCheck, priorities);
  }
}
