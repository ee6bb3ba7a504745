import type { Database } from "../platform/postgres/database.ts";
import type { WebhookEvent, Webhooks } from "../platform/webhooks/webhooks.ts";
import { percent } from "../report/figures/figures.ts";
import {
  checkNotFound,
  type ReadReport,
  type Review,
  type ReviewChanges,
  refuseReport,
} from "../report/index.ts";
import type { Check } from "./check.ts";
import type { CheckStore } from "./check-store.ts";

/** Keeps a decision with its filters, or removes it (`null`). @throws DomainError `check_not_found`; `check_not_complete` */
export type ReviewCheck = (checkId: string, changes: ReviewChanges | null) => Promise<Check>;

type ReviewCheckParts = {
  readonly database: Database;
  readonly checks: CheckStore;
  readonly webhooks: Webhooks;
  readonly readReport: ReadReport;
  readonly presentEvent: (check: Check) => WebhookEvent;
};

/** The last of several changes at the same moment counts. */
export function createReviewCheck(parts: ReviewCheckParts): ReviewCheck {
  const { database, checks, webhooks, readReport, presentEvent } = parts;
  return async (checkId, changes) => {
    const known = await checks.find(database, checkId);
    if (known === undefined) throw checkNotFound(checkId);
    if (known.status !== "complete") refuseReport(known.status);
    const review = changes === null ? null : await changed(known, changes);
    return database.transaction(async (transaction) => {
      const check = await checks.setReview(transaction, checkId, review);
      if (check === undefined) throw checkNotFound(checkId);
      await webhooks.record(transaction, presentEvent(check));
      return check;
    });
  };

  async function changed(check: Check, changes: ReviewChanges): Promise<Review> {
    const { review, checkId } = check;
    const filters = changes.filters ?? review?.filters ?? {};
    // The score of kept filters is computed once: a report with thousands of passages takes a second.
    const isSame = changes.filters === undefined;
    const { status = review?.status ?? "open", comment = review?.comment ?? null } = changes;
    return {
      status,
      comment: comment === "" ? null : comment,
      filters,
      similarityPct: isSame ? (review?.similarityPct ?? unfiltered(check)) : await score(checkId, filters),
      changedAt: new Date().toISOString(),
    };
  }

  async function score(checkId: string, filters: Review["filters"]): Promise<number> {
    const units = { offsets: "utf16", lengths: "code_point" } as const;
    const { figures } = await readReport(checkId, {
      units,
      asked: filters,
      withReview: false,
      explain: false,
    });
    return figures.report.overallSimilarityPct;
  }
}

function unfiltered({ totalMatchedChars, charCount }: Check): number {
  return percent(totalMatchedChars ?? 0, charCount);
}
