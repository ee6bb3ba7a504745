import type { z } from "zod";
import { presentProperties } from "../../http/input/wire-types.ts";
import type { WebhookEvent } from "../../platform/webhooks/webhooks.ts";
import { percent } from "../../report/figures/figures.ts";
import { presentReview } from "../../report/index.ts";
import { displayTitle } from "../../text/display-title.ts";
import type { CheckScope } from "../check.ts";
import type { Check, CheckAggregates, ListedCheck, Progress } from "../check-store.ts";
import type { CheckMetadata, CheckRow, CheckStats, ProgressEnd, ProgressEvent, Submitted } from "./schema.ts";

export function presentSubmitted(checkId: string): z.output<typeof Submitted> {
  return { check_id: checkId, ...urlsOf(checkId) };
}

export function presentCheck(check: Check): z.output<typeof CheckMetadata> {
  return { ...presentPlain(check), ...(check.review && { review: presentReview(check.review) }) };
}

function presentPlain(check: Omit<Check, "review">): Omit<z.output<typeof CheckMetadata>, "review"> {
  return {
    check_id: check.checkId,
    status: check.status,
    stage: check.stage,
    title: check.title,
    display_title: displayTitle(check.title, check.queryTextPreview),
    language: check.language,
    language_origin: check.languageOrigin,
    overall_similarity_pct: overallSimilarity(check),
    original: check.original && {
      filename: check.original.filename,
      media_type: check.original.mediaType,
      size_bytes: check.original.sizeBytes,
    },
    char_count: check.charCount,
    word_count: check.wordCount,
    chunks_done: check.chunksDone,
    chunks_total: check.chunksTotal,
    coverage: check.coverage,
    created_at: check.createdAt.toISOString(),
    started_at: check.startedAt?.toISOString() ?? null,
    completed_at: check.completedAt?.toISOString() ?? null,
    updated_at: check.updatedAt.toISOString(),
    error_message: check.errorMessage,
    ...urlsOf(check.checkId),
    ...presentScope(check),
    ...presentProperties(check.properties),
  };
}

function presentScope({ group, owner, leaveOut, collections }: CheckScope) {
  return {
    ...(group !== null && { group }),
    ...(owner !== null && { owner }),
    ...(leaveOut !== null && { leave_out: leaveOut }),
    ...(collections !== null && { collections: [...collections] }),
  };
}

export function presentCheckRow(check: ListedCheck): z.output<typeof CheckRow> {
  return {
    ...presentPlain(check),
    ...(check.review && { review: presentReview(check.review) }),
    query_text_preview: check.queryTextPreview,
  };
}

/** The columns of the list as a table: members of a check. */
export const CHECK_COLUMNS = [
  "check_id",
  "display_title",
  "status",
  "overall_similarity_pct",
  "coverage",
  "language",
  "language_origin",
  "word_count",
  "char_count",
  "created_at",
  "completed_at",
  "error_message",
  "review_status",
  "reviewed_similarity_pct",
  "review_comment",
  "review_changed_at",
] as const;

/** The members of a check that its row in the table has; those of its review are empty without one. */
export function presentTableRow(check: ListedCheck) {
  const { status = null, comment = null, similarityPct = null, changedAt = null } = check.review ?? {};
  return {
    ...presentPlain(check),
    review_status: status,
    reviewed_similarity_pct: similarityPct,
    review_comment: comment,
    review_changed_at: changedAt,
  };
}

export function presentStats(stats: CheckAggregates, totalSources: number): z.output<typeof CheckStats> {
  return {
    total_checks: stats.totalChecks,
    checks_this_month: stats.checksThisMonth,
    avg_similarity_pct: stats.averageSimilarityPct,
    avg_window_size: stats.averageWindowSize,
    total_words: stats.totalWords,
    total_sources: totalSources,
  };
}

export function presentProgress(progress: Progress): z.output<typeof ProgressEvent> {
  return { stage: progress.stage, chunks_done: progress.chunksDone, chunks_total: progress.chunksTotal };
}

/** The last event of a stream: its name and its data. A deleted check ends as a failed one. */
export function presentCheckEnd(checkId: string, check: Check | undefined): End {
  const event = check?.status === "complete" ? "complete" : "failed";
  return {
    event,
    data: {
      check_id: checkId,
      status: check === undefined ? "deleted" : event,
      overall_similarity_pct: check === undefined ? null : overallSimilarity(check),
      error_message: check?.errorMessage ?? null,
      report_url: urlsOf(checkId).report_url,
    },
  };
}

/** The event that tells other programs that a check has ended. It holds neither its title nor a text. */
export function presentCheckEvent(check: Check): WebhookEvent {
  const { checkId, status } = check;
  const { status_url, report_url } = urlsOf(checkId);
  const isComplete = status === "complete";
  return {
    type: isComplete ? "check.completed" : "check.failed",
    objectId: checkId,
    at: check.completedAt ?? check.updatedAt,
    data: {
      check_id: checkId,
      status,
      overall_similarity_pct: overallSimilarity(check),
      coverage: check.coverage,
      created_at: check.createdAt.toISOString(),
      started_at: check.startedAt?.toISOString() ?? null,
      completed_at: check.completedAt?.toISOString() ?? null,
      status_url,
      report_url: isComplete ? report_url : null,
    },
  };
}

/** The event that tells other programs that a review was kept or removed. Its comment stays here. */
export function presentReviewEvent(check: Check): WebhookEvent {
  const { review } = check;
  return {
    ...presentCheckEvent(check),
    type: "check.reviewed",
    at: check.updatedAt,
    data: {
      ...presentCheckEvent(check).data,
      review_status: review?.status ?? null,
      reviewed_similarity_pct: review?.similarityPct ?? null,
      review_changed_at: review?.changedAt ?? null,
    },
  };
}

type End = { readonly event: "complete" | "failed"; readonly data: z.output<typeof ProgressEnd> };

function overallSimilarity({
  totalMatchedChars,
  charCount,
}: Pick<Check, "totalMatchedChars" | "charCount">): number | null {
  return totalMatchedChars === null ? null : percent(totalMatchedChars, charCount);
}

function urlsOf(checkId: string) {
  const path = `/v1/checks/${checkId}`;
  return { status_url: path, progress_url: `${path}/progress`, report_url: `${path}/report` };
}
