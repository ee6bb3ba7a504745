import { Counter, Histogram, type Registry } from "prom-client";
import type { CorpusParts } from "../corpus/index.ts";
import type { MetricsDocument, MetricsIndex } from "../platform/opensearch/metrics-index.ts";
import type { Queryable } from "../platform/postgres/database.ts";
import type { JobQueue } from "../platform/postgres/job-queue.ts";
import { percent } from "../report/figures/figures.ts";
import type { SemanticCoverage } from "../report/index.ts";
import type { Check } from "./check.ts";
import { type CheckLane, RUN_CHECK_QUEUES } from "./check-lanes.ts";
import type { CheckStore } from "./check-store.ts";
import type { Assembled } from "./stages/assembling.ts";

/** The Prometheus metrics of checks. */
export type CheckMetrics = ReturnType<typeof createCheckMetrics>;

/** From a stage of a millisecond to a check that uses up a long time budget. */
const STAGE_SECONDS_BUCKETS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];

/** From a check that finds an idle worker to the waits behind a thousand others. */
const WAIT_SECONDS_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1_800];

/** Counters that alerts use start at 0: Prometheus sees no increase in a series that its first event creates. */
export function createCheckMetrics(registry: Registry) {
  const registers = [registry];
  const checksFinished = new Counter({
    name: "similarity_checks_finished_total",
    help: "Checks that ended, by status and coverage",
    labelNames: ["status", "coverage"],
    registers,
  });
  const checksByMeaning = new Counter({
    name: "similarity_checks_by_meaning_total",
    help: "Complete checks, by coverage: whether their meaning was compared with all documents (full), some (partial) or none",
    labelNames: ["coverage"],
    registers,
  });
  const checksPartial = new Counter({
    name: "similarity_checks_partial_total",
    help: "Checks that ended without all of the corpus searched, by reason: time_budget or incomplete_searches",
    labelNames: ["reason"],
    registers,
  });
  const stageSeconds = new Histogram({
    name: "similarity_check_stage_seconds",
    help: "Time that a check spent in a stage",
    labelNames: ["stage"],
    buckets: STAGE_SECONDS_BUCKETS,
    registers,
  });
  const waitSeconds = new Histogram({
    name: "similarity_check_wait_seconds",
    help: "Time from the submission of a check to its start, by size: short (less than 10,000 words) or long",
    labelNames: ["size"],
    buckets: WAIT_SECONDS_BUCKETS,
    registers,
  });
  for (const size of ["short", "long"] satisfies CheckLane[]) waitSeconds.zero({ size });
  checksFinished.inc({ status: "complete", coverage: "full" }, 0);
  checksFinished.inc({ status: "complete", coverage: "partial" }, 0);
  checksFinished.inc({ status: "failed", coverage: "none" }, 0);
  for (const coverage of ["full", "partial", "none"] satisfies SemanticCoverage[])
    checksByMeaning.inc({ coverage }, 0);
  for (const reason of ["time_budget", "incomplete_searches"]) checksPartial.inc({ reason }, 0);
  return { checksFinished, checksByMeaning, checksPartial, stageSeconds, waitSeconds };
}

/** Removes the metrics of deleted checks from their index. */
export const REMOVE_METRICS_QUEUE = "forget-note";

/** What a check has found; null for a failed one. */
type Outcome = Pick<Assembled, "sources" | "semanticCoverage" | "matchTypes"> | null;

/** Records a check that has ended for dashboards. Never rejects. */
export type NoteCheck = (checkId: string, outcome: Outcome) => Promise<void>;

type Parts = Pick<CorpusParts, "database" | "queue" | "log"> & {
  readonly checks: CheckStore;
  /** `check-metrics`, for dashboards. */
  readonly checkMetricsIndex: MetricsIndex;
};

/** Recording is best effort, removing is not: if the check is gone after writing, it was deleted in between. */
export function createNoteCheck({ database, checks, queue, checkMetricsIndex, log }: Parts): NoteCheck {
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
        .catch(() => database.transaction((transaction) => forgetNote(queue, checkId, transaction)));
    } catch (error) {
      // PostgreSQL is unavailable, which must not affect a check that has ended.
      log.warn({ checkId, err: error }, "metrics of a check not recorded");
    }
  };
}

/** By a job, which is retried until it succeeds, so that the deletion neither waits for OpenSearch nor fails with it. */
async function forgetNote(queue: JobQueue, checkId: string, transaction: Queryable): Promise<void> {
  await queue.enqueue(REMOVE_METRICS_QUEUE, checkId, transaction);
}

/**
 * Removes what the queue and OpenSearch hold of a check that is deleted in this transaction. Only ended checks are recorded;
 * a running one stops at its next step, and its job ends then.
 */
export async function forgetCheck(
  queue: JobQueue,
  { checkId, hadEnded }: { readonly checkId: string; readonly hadEnded: boolean },
  transaction: Queryable,
): Promise<void> {
  await queue.forget(RUN_CHECK_QUEUES, [checkId], transaction);
  if (hadEnded) await forgetNote(queue, checkId, transaction);
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
