import { engine } from "../shared/engine.ts";
import { CheckOutcome, isGoingOn } from "../shared/parts/check-outcome.tsx";
import { EmptyState } from "../shared/parts/empty-state.tsx";
import { Moment } from "../shared/parts/moment.tsx";
import { ErrorNotice } from "../shared/parts/notice.tsx";
import { useLoaded } from "../shared/state/use-loaded.ts";
import { useRefreshed } from "../shared/state/use-refreshed.ts";
import { checkName } from "../shared/wording/check-name.ts";

const SHOWN = 5;

/** The checks that were submitted last, with what they found. */
export function RecentChecks() {
  const { value, error, reload, refresh } = useLoaded("recent", (signal) =>
    engine.listChecks({ limit: SHOWN }, { signal }),
  );
  const checks = value?.items ?? [];
  useRefreshed(checks.some(isGoingOn), refresh);
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
              <a
                class={check.title === null ? "row-title untitled" : "row-title"}
                href={`/checks/${check.check_id}`}
              >
                <bdi>{checkName(check)}</bdi>
              </a>
              <p class="hint">
                <Moment at={check.created_at} as="age" />
              </p>
            </div>
            <CheckOutcome check={check} />
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
