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
import { say, sayCount, texts } from "../shared/texts.ts";
import { useLoaded } from "../shared/use-loaded.ts";
import { count, percent } from "../shared/wording.ts";
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
    return <Pending text={say("loading.explanation")} error={error} reload={reload} />;
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
      <h3>{say("why.title")}</h3>
      {own?.meaning == null && own !== undefined && explanation != null && (
        <p>{reasonInWords(own, explanation.matched_words, texts)}</p>
      )}
      {own?.meaning != null && <WhyByMeaning meaning={own.meaning} />}
      {own !== undefined && <WhyThisGroup passage={own} text={report.query_text} />}
      <ul>
        {filteredOut.length > 0 && (
          <li>
            {say("why.filters", {
              reasons: [...reasons]
                .map(([filter, all]) => `${count(all.length)} ${filterReason(filter, texts)}`)
                .join("; "),
            })}
          </li>
        )}
      </ul>
      <details>
        <summary>{say("why.figures")}</summary>
        <ul>
          {explanation != null && own?.meaning == null && (
            <li>
              {sayCount("why.words", explanation.seeds, {
                words: sayCount("count.words", explanation.matched_words),
                pct: percent(explanation.similarity * 100),
              })}
            </li>
          )}
          {explanation != null && (
            <li>
              {say(explanation.score < 0 ? "why.scoreOutweighed" : "why.score", {
                score: texts.decimal(explanation.score, 1),
              })}
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
  const reason = matchGroupReason(passage, texts);
  if (reason === undefined) return null;
  const citations = passage.acknowledgement?.citations ?? [];
  return (
    <p>
      {reason}
      {citations.length > 0 && ` ${say("report.considered")} `}
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
          {sayCount("why.found", explanation.hit_count, {
            query: count(best.query_chunk_index + 1),
            source: count(best.source_chunk_index + 1),
            sequences: sayCount("why.sequences", best.shared_shingles),
            rare: sayCount("why.rareWords", best.shared_terms),
          })}
        </li>
      )}
      {dropped.length > 0 && (
        <li>
          {say("why.dropped", {
            reasons: dropped
              .map(([reason, number]) => `${count(number ?? 0)} ${dropReason(reason, texts)}`)
              .join("; "),
          })}
        </li>
      )}
    </>
  );
}

/** How much more alike than usual the sentences of each pair are, in the order in which the pairs are numbered. */
export function WhyByMeaning({ meaning }: { readonly meaning: MeaningComparison }) {
  return (
    <>
      <p>{say("why.meaning", { clear: signed(MARGIN_CLEAR), far: signed(MARGIN_FAR) })}</p>
      <ul>
        {connectedPairs(meaning.sentence_pairs).map((group, index) => (
          <li key={group[0]?.query_start}>
            {say("report.pair", { number: count(index + 1) })}:{" "}
            {group.map(({ margin }) => `${marginInWords(margin, texts)} (${signed(margin)})`).join("; ")}
          </li>
        ))}
      </ul>
    </>
  );
}

function signed(margin: number): string {
  return `${margin >= 0 ? "+" : "−"}${texts.decimal(Math.abs(margin), 2)}`;
}
