import type { Report, SourceExplanation } from "../../../../client/index.ts";
import { engine } from "../../shared/engine.ts";
import { ErrorNotice } from "../../shared/parts/notice.tsx";
import { useLoaded } from "../../shared/state/use-loaded.ts";
import { count, counted, percent } from "../../shared/wording/numbers.ts";
import type { PlacedPassage } from "../model/passages.ts";
import type { Filters } from "../model/report-address.ts";
import { filterQuery } from "../model/report-address.ts";
import { dropReason, filterReason } from "../model/report-wording.ts";

/** Why a passage is in the report: its evidence, what its source was found by, and what of the source is not reported. */
export function Why({
  checkId,
  filters,
  passage,
}: {
  readonly checkId: string;
  readonly filters: Filters;
  readonly passage: PlacedPassage;
}) {
  const {
    value: report,
    error,
    isStale,
    reload,
  } = useLoaded(`${checkId}?${filterQuery(filters)}`, (signal) =>
    engine.getReport(checkId, { ...filters, offset_unit: "utf16", explain: true }, { signal }),
  );
  if (error !== undefined) return <ErrorNotice error={error} onRetry={reload} />;
  if (report === undefined || isStale) return <p class="quiet">Asking why…</p>;
  const id = passage.source.source_document_id;
  const source = report.sources.find(({ source_document_id }) => source_document_id === id);
  const own = source?.passages.find(
    ({ query_start, query_end }) => query_start === passage.start && query_end === passage.end,
  );
  const evidence = own?.explanation;
  return (
    <div class="why">
      <h3>Why this is reported</h3>
      <ul>
        {evidence == null ? (
          // Where the report has no such passage any more, it says nothing of it.
          own !== undefined && (
            <li>This check kept no evidence for single passages: it ran with an earlier release.</li>
          )
        ) : (
          <>
            <li>
              {counted(evidence.matched_words, "word")} of the same stem on both sides, in{" "}
              {evidence.seeds === 1 ? "one piece" : `${count(evidence.seeds)} pieces that were joined`}.
            </li>
            <li>
              {percent(evidence.similarity * 100)} of the words of both sides are equal and in the same order.
            </li>
            <li>
              Evidence of reuse beyond what is asked of a passage: {evidence.score.toFixed(1)}
              {evidence.score < 0 && " (it is reported because it is a word-for-word copy)"}.
            </li>
          </>
        )}
        {source?.explanation != null && <Found explanation={source.explanation} />}
        <FilteredOut report={report} documentId={id} />
      </ul>
    </div>
  );
}

function Found({ explanation }: { readonly explanation: SourceExplanation }) {
  const [best] = explanation.hits;
  const dropped = Object.entries(explanation.dropped_counts);
  return (
    <>
      {best !== undefined && (
        <li>
          The source was found by {counted(explanation.hit_count, "pair")} of parts that have text in common;
          the strongest, part {count(best.query_chunk_index + 1)} of this text and part{" "}
          {count(best.source_chunk_index + 1)} of the source, shares{" "}
          {counted(best.shared_shingles, "sampled row of five words", "sampled rows of five words")} and{" "}
          {counted(best.shared_terms, "rare word")}.
        </li>
      )}
      {dropped.length > 0 && (
        <li>
          Other matches with this source are not reported:{" "}
          {dropped.map(([reason, number]) => `${count(number ?? 0)} ${dropReason(reason)}`).join("; ")}.
        </li>
      )}
    </>
  );
}

function FilteredOut({ report, documentId }: { readonly report: Report; readonly documentId: string }) {
  const own = (report.explanation?.filtered_out ?? []).filter((one) => one.source_document_id === documentId);
  if (own.length === 0) return null;
  const reasons = Map.groupBy(own, ({ filter }) => filter);
  return (
    <li>
      The filters left out of this source:{" "}
      {[...reasons].map(([filter, all]) => `${count(all.length)} ${filterReason(filter)}`).join("; ")}.
    </li>
  );
}
