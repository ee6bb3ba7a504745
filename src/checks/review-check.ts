import { isDeepStrictEqual } from "node:util";
import type { Database } from "../platform/postgres/database.ts";
import type { WebhookEvent, Webhooks } from "../platform/webhooks/webhooks.ts";
import { percent } from "../report/figures/figures.ts";
import {
  appliedFilters,
  checkNotFound,
  type ReadReport,
  type Review,
  type ReviewChanges,
  refuseReport,
} from "../report/index.ts";
import type { Check, CheckStore } from "./check-store.ts";

/**
 * Keeps a decision with its filters, or removes it (`null`).
 * @param reserve waits for the memory in which a report is read.
 * @throws DomainError `check_not_found`; `check_not_complete`
 */
export type ReviewCheck = (
  checkId: string,
  changes: ReviewChanges | null,
  reserve: () => Promise<void>,
) => Promise<Check>;

type ReviewCheckParts = {
  readonly database: Database;
  readonly checks: CheckStore;
  readonly webhooks: Webhooks;
  readonly readReport: ReadReport;
  readonly presentEvent: (check: Check) => WebhookEvent;
};

/** Changes of different members at the same moment are all kept; of the same member, the last one. */
export function createReviewCheck(parts: ReviewCheckParts): ReviewCheck {
  const { database, checks, webhooks, readReport, presentEvent } = parts;
  return async (checkId, changes, reserve) => {
    const known = await checks.find(database, checkId);
    if (known === undefined) throw checkNotFound(checkId);
    if (known.status !== "complete") refuseReport(known.status);
    if (changes === null) return keep(checkId, () => null);
    for (let check = known; ; ) {
      // Before the transaction, which must not hold a row and a connection for the seconds that a large report takes.
      const scored = await scoreOf(check, changes, reserve);
      const kept = await keep(checkId, (held) => {
        check = held;
        // If somebody else has changed the filters in the meantime, their score is computed again.
        const isCurrent = isDeepStrictEqual(filtersAfter(held, changes), scored.filters);
        return isCurrent ? changed(held, changes, scored) : undefined;
      });
      if (kept !== undefined) return kept;
    }
  };

  /** Changes the review in one step; nothing when `change` returns undefined. */
  function keep(checkId: string, change: (held: Check) => null): Promise<Check>;
  function keep(
    checkId: string,
    change: (held: Check) => Review | null | undefined,
  ): Promise<Check | undefined>;
  function keep(checkId: string, change: (held: Check) => Review | null | undefined) {
    return database.transaction(async (transaction) => {
      const held = await checks.lock(transaction, checkId);
      if (held === undefined) throw checkNotFound(checkId);
      const review = change(held);
      if (review === undefined) return undefined;
      const check = await checks.setReview(transaction, checkId, review);
      if (check === undefined) throw checkNotFound(checkId);
      await webhooks.record(transaction, presentEvent(check));
      return check;
    });
  }

  async function scoreOf(
    check: Check,
    changes: ReviewChanges,
    reserve: () => Promise<void>,
  ): Promise<Scored> {
    const filters = filtersAfter(check, changes);
    if (appliedFilters(filters) === undefined) return { filters, similarityPct: unfiltered(check) };
    await reserve();
    const units = { offsets: "utf16", lengths: "code_point" } as const;
    const asked = { units, asked: filters, withReview: false, explain: false };
    const { figures } = await readReport(check.checkId, asked);
    return { filters, similarityPct: figures.report.overallSimilarityPct };
  }
}

type Scored = Pick<Review, "filters" | "similarityPct">;

function filtersAfter({ review }: Check, changes: ReviewChanges): Review["filters"] {
  return changes.filters ?? review?.filters ?? {};
}

function changed({ review }: Check, changes: ReviewChanges, scored: Scored): Review {
  const { status = review?.status ?? "open", comment = review?.comment ?? null } = changes;
  const changedAt = new Date().toISOString();
  return { status, comment: comment === "" ? null : comment, ...scored, changedAt };
}

function unfiltered({ totalMatchedChars, charCount }: Check): number {
  return percent(totalMatchedChars ?? 0, charCount);
}
