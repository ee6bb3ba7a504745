import type { CheckStats } from "../../../client/index.ts";
import { CheckLink, CheckOutcome, isRunning } from "../shared/check-progress.tsx";
import { Timestamp } from "../shared/elements.tsx";
import { engine } from "../shared/engine.ts";
import { mount } from "../shared/mount.tsx";
import { EmptyState, ErrorNotice, Notice } from "../shared/notice.tsx";
import { useLoaded, useRefreshed } from "../shared/use-loaded.ts";
import { count, counted, percent } from "../shared/wording.ts";
import { SubmitForm } from "./submit-form.tsx";
import "./submit.css";

function SubmitPage() {
  const { value: stats } = useLoaded("stats", (signal) => engine.getCheckStats({ signal }));
  return (
    <>
      <h1>Check a text</h1>
      <p class="lead">
        Find passages that a text shares with the documents in this corpus, and see where each one comes from.{" "}
        <a href="/compare">Compare two texts</a> to see what they share without the corpus.
      </p>
      {stats?.total_sources === 0 && (
        <Notice kind="warn" title="The corpus is empty">
          <p>There is nothing to compare a text with yet.</p>
          <p>
            <a class="button primary" href="/corpus">
              Add documents
            </a>
          </p>
        </Notice>
      )}
      <SubmitForm isCorpusEmpty={stats?.total_sources === 0} />
      <div class="below">
        <RecentChecks />
        <CorpusSize stats={stats} />
      </div>
    </>
  );
}

const RECENT_SHOWN = 5;

function RecentChecks() {
  const { value, error, reload, refresh } = useLoaded("recent", (signal) =>
    engine.listChecks({ limit: RECENT_SHOWN }, { signal }),
  );
  const checks = value?.items ?? [];
  useRefreshed(checks.some(isRunning), refresh);
  return (
    <section class="recent" aria-labelledby="recent-title">
      <h2 id="recent-title">Recent checks</h2>
      {error !== undefined && <ErrorNotice error={error} onRetry={reload} />}
      {value !== undefined && checks.length === 0 && (
        <EmptyState title="No checks yet">
          <p>Your checks will appear here.</p>
        </EmptyState>
      )}
      <ul class="recent-list">
        {checks.map((check) => (
          <li key={check.check_id}>
            <div>
              <CheckLink check={check} />
              <p class="hint">
                <Timestamp at={check.created_at} as="age" />
              </p>
            </div>
            <CheckOutcome check={check} />
          </li>
        ))}
      </ul>
      {value !== undefined && value.total > RECENT_SHOWN && (
        <p>
          <a href="/checks">All checks</a>
        </p>
      )}
    </section>
  );
}

function CorpusSize({ stats }: { readonly stats: CheckStats | undefined }) {
  return (
    <section class="corpus-size" aria-labelledby="corpus-title">
      <h2 id="corpus-title">Corpus</h2>
      <p class="figure">
        <span class="figure-number">{stats === undefined ? "\u00a0" : count(stats.total_sources)}</span>
        <a href="/corpus">{stats?.total_sources === 1 ? "document" : "documents"}</a> to compare with
      </p>
      <p class="quiet">{stats === undefined ? "\u00a0" : checkTotals(stats)}</p>
    </section>
  );
}

function checkTotals(stats: CheckStats): string {
  const { total_checks: checks, total_words: words, avg_similarity_pct: average } = stats;
  if (checks === 0) return "No checks yet.";
  const similarity = average === null ? "" : `, ${percent(average)} similarity on average`;
  return `${counted(checks, "check")} so far, ${counted(words, "word")} in total${similarity}.`;
}

mount(<SubmitPage />);
