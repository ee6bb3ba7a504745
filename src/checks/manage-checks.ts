import { DomainError } from "../core/domain-error.ts";
import type { DocumentStore } from "../corpus/index.ts";
import type { JobQueue } from "../platform/job-queue.ts";
import type { Logger } from "../platform/logger.ts";
import type { Database } from "../platform/postgres/database.ts";
import type { Check } from "./check.ts";
import { forgetCheck } from "./check-metrics.ts";
import type { CheckAggregates, CheckSelection, CheckStore } from "./check-store.ts";

/** Reading, renaming and deleting checks. An unknown check is a DomainError `check_not_found`. */
export type ManageChecks = {
  list(selection: CheckSelection): Promise<{ items: Check[]; total: number }>;
  stats(): Promise<{ aggregates: CheckAggregates; totalSources: number }>;
  find(checkId: string): Promise<Check>;
  rename(checkId: string, title: string | null): Promise<Check>;
  /** Deletes a check and everything that belongs to it. A running one stops at its next step. */
  delete(checkId: string): Promise<void>;
};

type Parts = {
  readonly database: Database;
  readonly checks: CheckStore;
  readonly documents: DocumentStore;
  readonly queue: JobQueue;
};

export function createManageChecks({ database, checks, documents, queue }: Parts): ManageChecks {
  return {
    list: (selection) => checks.list(database, selection),

    async stats() {
      const [aggregates, totalSources] = await Promise.all([
        checks.aggregates(database),
        documents.countAll(database),
      ]);
      return { aggregates, totalSources };
    },

    async find(checkId) {
      return (await checks.find(database, checkId)) ?? notFound(checkId);
    },

    async rename(checkId, title) {
      return (await checks.rename(database, checkId, title)) ?? notFound(checkId);
    },

    delete: (checkId) =>
      database.transaction(async (transaction) => {
        const deleted = await checks.delete(transaction, checkId);
        if (deleted === undefined) notFound(checkId);
        await forgetCheck(queue, { checkId, ...deleted }, transaction);
      }),
  };
}

function notFound(checkId: string): never {
  throw new DomainError("check_not_found", `There is no check ${checkId}.`);
}

/** Checks deleted in one transaction: a few thousand rows with everything that belongs to them, well under a second. */
const DELETE_BATCH = 100;

const DAY_MS = 86_400_000;

type RetentionParts = Pick<Parts, "database" | "checks" | "queue"> & {
  readonly log: Logger;
  /** How long a check is kept after it has ended. */
  readonly retentionDays: number;
  readonly now?: () => Date;
};

/** Deletes the checks whose retention has passed, oldest first, and returns their number. @throws the signal's reason. */
export type DeleteOldChecks = (signal: AbortSignal) => Promise<number>;

/**
 * Makes the use case. The retention starts when a check ends, so a waiting or running check is never deleted. A run that is
 * interrupted leaves the rest to the next one.
 */
export function createDeleteOldChecks(parts: RetentionParts): DeleteOldChecks {
  const { database, checks, queue, log, retentionDays, now = () => new Date() } = parts;

  return async (signal) => {
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
