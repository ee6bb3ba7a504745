import type { CheckRow } from "../../../../client/index.ts";
import { CheckProgressLine } from "./check-progress.tsx";
import { PercentBadge } from "./percent-badge.tsx";

/** What a check in a list found; while it runs, how far it is. */
export function CheckOutcome({ check }: { readonly check: CheckRow }) {
  if (check.overall_similarity_pct !== null) return <PercentBadge value={check.overall_similarity_pct} />;
  return check.status === "failed" ? (
    <span class="fault">Failed</span>
  ) : (
    <CheckProgressLine progress={check} />
  );
}

/** Whether there is more to come of a check. */
export function isGoingOn({ status }: CheckRow): boolean {
  return status === "pending" || status === "running";
}
