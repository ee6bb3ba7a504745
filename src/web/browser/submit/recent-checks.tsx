import type { CheckRow } from "../../../client/index.ts";
import { engine } from "../frame/engine.ts";
import { CheckProgressLine } from "../frame/parts/check-progress.tsx";
import { EmptyState } from "../frame/parts/empty-state.tsx";
import { Moment } from "../frame/parts/moment.tsx";
import { ErrorNotice } from "../frame/parts/notice.tsx";
import { PercentBadge } from "../frame/parts/percent-badge.tsx";
import { useLoaded } from "../frame/state/use-loaded.ts";
import { useRefreshed } from "../frame/state/use-refreshed.ts";
import { checkName } from "../frame/wording/check-name.ts";

const SHOWN = 5;

/** The checks that were submitted last, with what they found. */
export function RecentChecks() {
  const { value, error, reload } = useLoaded("recent", (signal) =>
    engine.listChecks({ limit: SHOWN }, { signal }),
  );
  const checks = value?.items ?? [];
  useRefreshed(checks.some(isGoingOn), reload);
  return (
    <section class="recent" aria-labelledby="recent-title">
      <h2 id="recent-title">Recent checks</h2>
      {error !== undefined && <ErrorNotice error={error} onRetry={reload} />}
      {value !== undefined && checks.length === 0 && (
        <EmptyState title="No checks yet">
          <p>The ones you submit are listed here.</p>
        </EmptyState>
      )}
      <ul class="recent-list">
        {checks.map((check) => (
          <li key={check.check_id}>
            <div>
              <a href={`/checks/${check.check_id}`} dir="auto">
                {checkName(check)}
              </a>
              <p class="hint">
                <Moment at={check.created_at} as="age" />
              </p>
            </div>
            <Outcome check={check} />
          </li>
        ))}
      </ul>
      {value !== undefined && value.total > SHOWN && (
        <p>
          <a href="/checks">All checks</a>
        </p>
      )}
    </section>
  );
}

function isGoingOn({ status }: CheckRow): boolean {
  return status === "pending" || status === "running";
}

function Outcome({ check }: { readonly check: CheckRow }) {
  if (check.overall_similarity_pct !== null) return <PercentBadge value={check.overall_similarity_pct} />;
  return check.status === "failed" ? (
    <span class="fault">Failed</span>
  ) : (
    <CheckProgressLine progress={check} />
  );
}
