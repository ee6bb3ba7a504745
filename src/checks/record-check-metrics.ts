import type { Logger } from "../platform/logger.ts";
import type { MetricsDocument, MetricsIndex } from "../platform/opensearch/metrics-index.ts";
import type { Database, Queryable } from "../platform/postgres/database.ts";
import type { JobQueue } from "../platform/postgres/job-queue.ts";
import { percent } from "../report/figures/figures.ts";
import { RUN_CHECK_QUEUES } from "./check-lanes.ts";
import type { Check, CheckStore } from "./check-store.ts";
import type { RecordCheckMetrics } from "./run-check.ts";

/** Removes the metrics of deleted checks from their index. */
export const REMOVE_METRICS_QUEUE = "remove-check-metrics";

/** The findings of a check; null for a failed one. */
type Outcome = Parameters<RecordCheckMetrics>[1];

type RecordCheckMetricsParts = {
  readonly database: Database;
  readonly queue: JobQueue;
  readonly log: Logger;
  readonly checks: CheckStore;
  /** `check-metrics`, for dashboards. */
  readonly checkMetricsIndex: MetricsIndex;
};

/** Recording is best effort, removing is not: if the check is gone after writing, it was deleted in between. */
export function createRecordCheckMetrics({
  database,
  checks,
  queue,
  checkMetricsIndex,
  log,
}: RecordCheckMetricsParts): RecordCheckMetrics {
  return async (checkId, outcome) => {
    try {
      const check = await checks.find(database, checkId);
      const metrics = check && metricsOf(check, outcome);
      if (metrics === undefined) return;
      await checkMetricsIndex.write(checkId, metrics);
      if ((await checks.find(database, checkId)) !== undefined) return;
      // Removed directly, because the job of the deletion may already have run, and a running job can't be enqueued again.
      await checkMetricsIndex
        .remove(checkId)
        .catch(() => database.transaction((transaction) => removeCheckMetrics(queue, checkId, transaction)));
    } catch (error) {
      // PostgreSQL is unavailable, which must not affect a check that has ended.
      log.warn({ checkId, err: error }, "metrics of a check not recorded");
    }
  };
}

/** Enqueues a job that is retried until it succeeds, so the deletion neither waits for OpenSearch nor fails with it. */
async function removeCheckMetrics(queue: JobQueue, checkId: string, transaction: Queryable): Promise<void> {
  await queue.enqueue(REMOVE_METRICS_QUEUE, checkId, transaction);
}

/**
 * Removes the data of a check from the queue and OpenSearch when it is deleted in this transaction. Only ended checks are recorded;
 * a running one stops at its next step, and its job ends then.
 */
export async function forgetCheck(
  queue: JobQueue,
  { checkId, hadEnded }: { readonly checkId: string; readonly hadEnded: boolean },
  transaction: Queryable,
): Promise<void> {
  await queue.forget(RUN_CHECK_QUEUES, [checkId], transaction);
  if (hadEnded) await removeCheckMetrics(queue, checkId, transaction);
}

/** The document of a check that has ended, without its text or title; undefined for any other. */
function metricsOf(check: Check, outcome: Outcome): MetricsDocument | undefined {
  const { checkId, status, startedAt, createdAt, completedAt, totalMatchedChars, charCount } = check;
  if (completedAt === null || (status !== "complete" && status !== "failed")) return undefined;
  return {
    check_id: checkId,
    status,
    coverage: check.coverage,
    semantic_coverage: outcome?.semanticCoverage ?? null,
    language: check.language,
    word_count: check.wordCount,
    char_count: charCount,
    chunk_count: check.chunksTotal,
    similarity_pct: totalMatchedChars === null ? null : percent(totalMatchedChars, charCount),
    sources: outcome?.sources ?? null,
    match_types: outcome?.matchTypes ?? null,
    // From the start of the work, without the wait in the queue.
    duration_ms: completedAt.getTime() - (startedAt ?? createdAt).getTime(),
    created_at: createdAt.toISOString(),
    completed_at: completedAt.toISOString(),
  };
}
