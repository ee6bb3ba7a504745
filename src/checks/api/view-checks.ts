import { DomainError } from "../../core/domain-error.ts";
import type { DocumentStore } from "../../corpus/index.ts";
import type { JobQueue } from "../../platform/job-queue.ts";
import type { Database } from "../../platform/postgres/database.ts";
import type { Check } from "../check.ts";
import type { CheckAggregates, CheckSelection, CheckStore } from "../check-store.ts";
import { forgetCheck } from "../note-check.ts";

/** Looking at checks and keeping order among them. Where one is named that doesn't exist: DomainError `check_not_found`. */
export type ViewChecks = {
  list(selection: CheckSelection): Promise<{ items: Check[]; total: number }>;
  stats(): Promise<{ aggregates: CheckAggregates; totalSources: number }>;
  find(checkId: string): Promise<Check>;
  rename(checkId: string, title: string | null): Promise<Check>;
  /** Deletes a check with all that belongs to it; one that runs stops at its next step. See `forgetCheck`. */
  delete(checkId: string): Promise<void>;
};

type Parts = {
  readonly database: Database;
  readonly checks: CheckStore;
  readonly documents: DocumentStore;
  readonly queue: JobQueue;
};

export function createViewChecks({ database, checks, documents, queue }: Parts): ViewChecks {
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
