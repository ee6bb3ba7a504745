import type { JobQueue } from "../platform/job-queue.ts";
import type { Logger } from "../platform/logger.ts";
import type { Database } from "../platform/postgres/database.ts";
import type { CheckStore } from "./check-store.ts";
import { forgetCheck } from "./note-check.ts";

/** Checks that go in one transaction: with what belongs to them some thousands of rows, in well under a second. */
const BATCH = 100;

const DAY_MS = 86_400_000;

type Parts = {
  readonly database: Database;
  readonly checks: CheckStore;
  readonly queue: JobQueue;
  readonly log: Logger;
  /** How long a check is kept after it has ended. */
  readonly retentionDays: number;
  readonly now?: () => Date;
};

/** Deletes what has been kept long enough, oldest first; gives the number of checks. @throws the signal's reason. */
export type DeleteOldChecks = (signal: AbortSignal) => Promise<number>;

/**
 * Makes the use case. The days count from the end of a check, so one that waits or runs is never deleted. Each goes as one
 * that a client deletes: with its text, its report, its keys and its note. A run that is cut off leaves the rest to the next.
 */
export function createDeleteOldChecks(parts: Parts): DeleteOldChecks {
  const { database, checks, queue, log, retentionDays, now = () => new Date() } = parts;

  return async (signal) => {
    const moment = new Date(now().getTime() - retentionDays * DAY_MS);
    for (let deleted = 0; ; ) {
      signal.throwIfAborted();
      const checkIds = await database.transaction(async (transaction) => {
        const batch = await checks.deleteEndedBefore(transaction, moment, BATCH);
        for (const checkId of batch) await forgetCheck(queue, { checkId, hadEnded: true }, transaction);
        return batch;
      });
      deleted += checkIds.length;
      if (checkIds.length === BATCH) continue;
      if (deleted > 0) log.info({ deleted, retentionDays }, "old checks deleted");
      return deleted;
    }
  };
}
