import type { MeaningComparison, Passage, SourceExplanation } from "../../../client/index.ts";
import {
  dropReason,
  filterReason,
  MARGIN_CLEAR,
  MARGIN_FAR,
  marginInWords,
  matchGroupReason,
  reasonInWords,
} from "../../../report/wording.ts";
import { engine } from "../shared/engine.ts";
import { Pending } from "../shared/notice.tsx";
import { useLoaded } from "../shared/use-loaded.ts";
import { count, counted, percent } from "../shared/wording.ts";
import type { PlacedPassage } from "./passages.ts";
import { type Filters, filterQuery } from "./report-address.ts";
import "./explanation.css";
import { connectedPairs } from "./sentence-rows.ts";

type WhyProps = {
  readonly checkId: string;
  readonly filters: Filters;
  readonly passage: PlacedPassage;
};

/** Explains a passage: its score, how its source was found, and which matches of the source are not reported. */
export function Why({ checkId, filters, passage }: WhyProps) {
  const loaded = useLoaded(`${checkId}?${filterQuery(filters)}`, (signal) =>
    engine.getReport(checkId, { ...filters, offset_unit: "utf16", explain: true }, { signal }),
  );
  const { value: report, error, isStale, reload } = loaded;
  if (error !== undefined || report === undefined || isStale)
    return <Pending what="explanation" error={error} reload={reload} />;
  const id = passage.source.source_document_id;
  const source = report.sources.find(({ source_document_id }) => source_document_id === id);
  const own = source?.passages.find(
    ({ query_start, query_end }) => query_start === passage.start && query_end === passage.end,
  );
  const explanation = own?.explanation;
  const filteredOut = (report.explanation?.filtered_out ?? []).filter((one) => one.source_document_id === id);
  const reasons = Map.groupBy(filteredOut, ({ filter }) => filter);
  return (
    <div class="why">
      <h3>Why this is reported</h3>
      {own?.meaning == null && own !== undefined && explanation != null && (
        <p>{reasonInWords(own, explanation.matched_words, count)}</p>
      )}
      {own?.meaning != null && <WhyByMeaning meaning={own.meaning} />}
      {own !== undefined && <WhyThisGroup passage={own} text={report.query_text} />}
      <ul>
        {filteredOut.length > 0 && (
          <li>
            The filters exclude other passages of this source:{" "}
            {[...reasons].map(([filter, all]) => `${count(all.length)} ${filterReason(filter)}`).join("; ")}.
          </li>
        )}
      </ul>
      <details>
        <summary>Figures</summary>
        <ul>
          {explanation != null && own?.meaning == null && (
            <li>
              {counted(explanation.matched_words, "word")} with the same stem on both sides, in{" "}
              {explanation.seeds === 1 ? "one segment" : `${count(explanation.seeds)} merged segments`};{" "}
              {percent(explanation.similarity * 100)} of the words on both sides match in the same order.
            </li>
          )}
          {explanation != null && (
            <li>
              Score relative to the reporting threshold: {explanation.score.toFixed(1)}
              {explanation.score < 0 && " (other evidence, such as an exact copy, outweighs it)"}.
            </li>
          )}
          {source?.explanation != null && <Found explanation={source.explanation} />}
        </ul>
      </details>
    </div>
  );
}

type WhyThisGroupProps = { readonly passage: Passage; readonly text: string };

/** How the text acknowledges the passage, with the citations that were considered. */
function WhyThisGroup({ passage, text }: WhyThisGroupProps) {
  const reason = matchGroupReason(passage);
  if (reason === undefined) return null;
  const citations = passage.acknowledgement?.citations ?? [];
  return (
    <p>
      {reason}
      {citations.length > 0 && " Considered: "}
      {citations.slice(0, CITATIONS_MAX).map(([start = 0, end = 0], at) => (
        <span key={start}>
          {at > 0 && ", "}
          <bdi>{text.slice(start, end)}</bdi>
        </span>
      ))}
      {citations.length > 0 && "."}
    </p>
  );
}

const CITATIONS_MAX = 5;

function Found({ explanation }: { readonly explanation: SourceExplanation }) {
  const [best] = explanation.hits;
  const dropped = Object.entries(explanation.dropped_counts);
  return (
    <>
      {best !== undefined && (
        <li>
          The source was found through{" "}
          {counted(explanation.hit_count, "pair of matching parts", "pairs of matching parts")}. In the
          strongest pair, part {count(best.query_chunk_index + 1)} of this text and part{" "}
          {count(best.source_chunk_index + 1)} of the source share{" "}
          {counted(best.shared_shingles, "sampled five-word sequence")} and{" "}
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

/** How much more alike than usual the sentences of each pair are, in the order in which the pairs are numbered. */
export function WhyByMeaning({ meaning }: { readonly meaning: MeaningComparison }) {
  return (
    <>
      <p>
        This passage was found by its meaning. The figures say how much more alike two sentences are than the
        closest sentences of other texts usually are, which is 0. Sentences that only share a subject hardly
        ever reach {signed(MARGIN_CLEAR)}; half of all translated sentences reach {signed(MARGIN_FAR)}.
      </p>
      <ul>
        {connectedPairs(meaning.sentence_pairs).map((group, index) => (
          <li key={group[0]?.query_start}>
            Pair {count(index + 1)}:{" "}
            {group.map(({ margin }) => `${marginInWords(margin)} (${signed(margin)})`).join("; ")}
          </li>
        ))}
      </ul>
    </>
  );
}

function signed(margin: number): string {
  return `${margin >= 0 ? "+" : "−"}${Math.abs(margin).toFixed(2)}`;
}
