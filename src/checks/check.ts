import type { ReportScope } from "../report/figures/report.ts";

/**
 * The states of a check:
 *
 * - `pending`: the check is written together with its job. When a worker takes the job, the check moves to `running`.
 * - `running`: one run owns the check, and only this run may write to it. When the run writes the report, the check moves to `complete`.
 *   When the run fails because of an error, it releases the check, and the job is repeated; with the third error the check moves to
 *   `failed`. When the run is stopped, waits for uploads or finds a store unavailable, it releases the check and no error is counted. When
 *   the process is killed, the next run takes the check over and counts an interruption; with the 21st the check moves to `failed`.
 * - `complete` and `failed`: the check stays as it is until it is deleted.
 *
 * A check can be deleted in every state. A run whose check was deleted or taken over stops at its next write.
 */
export const CHECK_STATUSES = ["pending", "running", "complete", "failed"] as const;
export type CheckStatus = (typeof CHECK_STATUSES)[number];

/** In the order in which a run goes through them. A later run begins with the first one, but keeps the searches that are done. */
export const CHECK_STAGES = [
  /** The text is normalised and cut into chunks with their shingles. */
  "chunking",
  /** The check waits until documents that were uploaded before it are fingerprinted. */
  "fingerprinting",
  /** The corpus is searched for each chunk. */
  "retrieving",
  /** The text is aligned with the documents found, and compared with others by meaning. */
  "aligning",
  /** The report is computed and stored. */
  "assembling",
] as const;
export type CheckStage = (typeof CHECK_STAGES)[number];

/** Whose text it is and what it belongs to, and the documents that it is compared with. */
export type CheckScope = ReportScope & {
  readonly group: string | null;
  readonly owner: string | null;
};

export const WHOLE_CORPUS: CheckScope = { group: null, owner: null, leaveOut: null, collections: null };

/**
 * Checks of this many words and more have their own workers, so shorter checks never wait for them. Over a million chunks,
 * a check of 10,000 words takes 0.6 s by words alone and one of 80,000 words 5 s.
 */
const LONG_CHECK_WORDS = 10_000;

/** Which workers a check waits for. */
export type CheckLane = "short" | "long";

export function laneOf(wordCount: number): CheckLane {
  return wordCount < LONG_CHECK_WORDS ? "short" : "long";
}
