import type { CheckStats } from "../../../client/index.ts";
import { Notice } from "../shared/parts/notice.tsx";
import { count, counted, percent } from "../shared/wording/numbers.ts";

/** Said above the form: with nothing to compare with, every check would find nothing. */
export function EmptyCorpusNotice() {
  return (
    <Notice kind="warn" title="The corpus is empty">
      <p>
        A check can find nothing until there are documents to compare with.{" "}
        <a href="/corpus">Add documents</a> first.
      </p>
    </Notice>
  );
}

/** What a text is checked against, and what was checked so far. */
export function CorpusSize({ stats }: { readonly stats: CheckStats | undefined }) {
  return (
    <section class="corpus-size" aria-labelledby="corpus-title">
      <h2 id="corpus-title">Compared with</h2>
      <p class="figure">
        <span class="figure-number">{stats === undefined ? "\u00a0" : count(stats.total_sources)}</span>
        {stats?.total_sources === 1 ? "document" : "documents"} of this instance’s{" "}
        <a href="/corpus">corpus</a>
      </p>
      <p class="quiet">{stats === undefined ? "\u00a0" : checkedSoFar(stats)}</p>
    </section>
  );
}

function checkedSoFar({
  total_checks: total,
  total_words: words,
  avg_similarity_pct: average,
}: CheckStats): string {
  if (total === 0) return "Nothing was checked so far.";
  const found = average === null ? "" : `, ${percent(average)} found on average`;
  return `${counted(total, "check")} of ${counted(words, "word")} so far${found}.`;
}
