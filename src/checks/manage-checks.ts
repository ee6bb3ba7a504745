import type { Logger } from "../platform/logger.ts";
import type { Database, Queryable } from "../platform/postgres/database.ts";
import type { JobQueue } from "../platform/postgres/job-queue.ts";
import { checkNotFound } from "../report/index.ts";
import type { Check, CheckAggregates, CheckSelection, CheckStore } from "./check-store.ts";
import { forgetCheck } from "./record-check-metrics.ts";

type ManageChecksParts = {
  readonly database: Database;
  readonly queue: JobQueue;
  readonly checks: CheckStore;
  /** The documents of the corpus. */
  readonly documents: { countAll(db: Queryable): Promise<number> };
};

export type ManageChecks = ReturnType<typeof createManageChecks>;

/** Reading, renaming and deleting checks. An unknown check is a DomainError `check_not_found`. */
export function createManageChecks({ database, checks, documents, queue }: ManageChecksParts) {
  return {
    list: (selection: CheckSelection, page: { readonly limit: number; readonly offset: number }) =>
      checks.list(database, selection, page),

    export: (selection: CheckSelection) => checks.export(database, selection),

    async stats(): Promise<{ aggregates: CheckAggregates; totalSources: number }> {
      const [aggregates, totalSources] = await Promise.all([
        checks.aggregates(database),
        documents.countAll(database),
      ]);
      return { aggregates, totalSources };
    },

    async find(checkId: string): Promise<Check> {
      return found(checkId, await checks.find(database, checkId));
    },

    async rename(checkId: string, title: string | null): Promise<Check> {
      return found(checkId, await checks.rename(database, checkId, title));
    },

    /** Deletes a check and everything that belongs to it. A running one stops at its next step. */
    delete: (checkId: string) =>
      database.transaction(async (transaction) => {
        const deleted = found(checkId, await checks.delete(transaction, checkId));
        await forgetCheck(queue, { checkId, ...deleted }, transaction);
      }),
  };
}

function found<T>(checkId: string, check: T | undefined): T {
  if (check === undefined) throw checkNotFound(checkId);
  return check;
}

/** Checks deleted in one transaction: a few thousand rows with everything that belongs to them, well under a second. */
const DELETE_BATCH = 100;

const DAY_MS = 86_400_000;

type RetentionParts = Omit<ManageChecksParts, "documents"> & {
  readonly log: Logger;
  /** How long a check is kept after it has ended. */
  readonly retentionDays: number;
  readonly now?: () => Date;
};

/**
 * Deletes the checks whose retention has passed, oldest first, and returns their number. The retention starts when a check
 * ends, so a waiting or running check is never deleted. A run that is interrupted leaves the rest to the next one.
 */
export function createDeleteOldChecks(parts: RetentionParts) {
  const { database, checks, queue, log, retentionDays, now = () => new Date() } = parts;

  return async (signal: AbortSignal): Promise<number> => {
    const moment = new Date(now().getTime() - retentionDays * DAY_MS);
    for (let deleted = 0; ; ) {
      signal.throwIfAborted();
      const checkIds = await database.transaction(async (transaction) => {
        const batch = await checks.deleteEndedBefore(transaction, moment, DELETE_BATCH);
        for (const checkId of batch) await forgetCheck(queue, { checkId, hadEnded: true }, transaction);
        return batch;
      });
      deleted += checkIds.length;
      if (checkIds.length === DELETE_BATCH) continue;
      if (deleted > 0) log.info({ deleted, retentionDays }, "old checks deleted");
      return deleted;
    }
  };
}
