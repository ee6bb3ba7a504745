import { useState } from "preact/hooks";
import type { MeaningComparison, Report } from "../../../client/index.ts";
import { languageName } from "../../../reports/wording.ts";
import { engine } from "../shared/engine.ts";
import { ErrorNotice } from "../shared/notice.tsx";
import { useLoaded } from "../shared/use-loaded.ts";
import { counted } from "../shared/wording.ts";
import type { PlacedPassage } from "./passages.ts";

type CorrespondingSentencesProps = {
  readonly report: Report;
  readonly passage: PlacedPassage;
  readonly meaning: MeaningComparison;
};

/** Both texts of a passage that was found by its meaning: sentences that correspond have one number and are highlighted together. */
export function CorrespondingSentences({ report, passage, meaning }: CorrespondingSentencesProps) {
  const [chosen, setChosen] = useState<number>();
  const { source_document_id: id, language } = passage.source;
  const { source_document_start: start, source_document_end: end } = passage.passage;
  const loaded = useLoaded(`${report.check_id}/${id}/${start}-${end}`, (signal) =>
    engine.getSourceText(report.check_id, id, { start, end, offset_unit: "utf16" }, { signal }),
  );
  const { value: read, error, reload } = loaded;
  if (error !== undefined) return <ErrorNotice error={error} onRetry={reload} />;
  if (read === undefined) return <p class="quiet">Loading the source…</p>;
  const pairs = meaning.sentence_pairs;
  const choice = { chosen, onChoose: setChosen };
  return (
    <>
      <p class="matching-words">
        <strong>{counted(pairs.length, "sentence")}</strong> of this text{" "}
        {pairs.length === 1 ? "has" : "have"} a counterpart in the source
        {language !== report.language && `, which is in ${languageName(language)}`}.
        {meaning.shared_words.length > 0 && (
          <>
            {" "}
            Both sides mention: <bdi>{meaning.shared_words.join(", ")}</bdi>.
          </>
        )}
      </p>
      <div class="sides">
        <Sentences
          heading="This text"
          text={report.query_text}
          whole={{ start: passage.start, end: passage.end }}
          spans={pairs.map((pair) => ({ start: pair.query_start, end: pair.query_end }))}
          {...choice}
        />
        <Sentences
          heading="Source"
          text={read.text}
          offset={read.start}
          whole={{ start, end }}
          spans={pairs.map((pair) => ({ start: pair.source_document_start, end: pair.source_document_end }))}
          {...choice}
        />
      </div>
    </>
  );
}

type Span = { readonly start: number; readonly end: number };

type SentencesProps = {
  readonly heading: string;
  readonly text: string;
  /** Where the text begins in its document. */
  readonly offset?: number;
  readonly whole: Span;
  /** The sentence of each pair, in the order of the pairs. */
  readonly spans: readonly Span[];
  readonly chosen: number | undefined;
  readonly onChoose: (pair: number | undefined) => void;
};

function Sentences({ heading, text, offset = 0, whole, spans, chosen, onChoose }: SentencesProps) {
  const cut = (start: number, end: number) => text.slice(start - offset, end - offset);
  const places = [...Map.groupBy(spans.keys(), (pair) => spans[pair]?.start ?? 0)].sort(([a], [b]) => a - b);
  let at = whole.start;
  return (
    <div class="side sentences">
      <h3>{heading}</h3>
      <p class="compared" dir="auto">
        {places.map(([start, pairs]) => {
          const end = spans[pairs[0] ?? 0]?.end ?? start;
          const between = cut(at, start);
          at = end;
          const isChosen = chosen !== undefined && pairs.includes(chosen);
          const numbers = pairs.map((pair) => pair + 1).join(", ");
          return (
            <>
              {between}
              {/** biome-ignore lint/a11y/noStaticElementInteractions: pointer and focus only highlight the counterpart */}
              <span
                key={start}
                class={isChosen ? "sentence chosen" : "sentence"}
                // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard has to reach each sentence
                tabIndex={0}
                onMouseEnter={() => onChoose(pairs[0])}
                onMouseLeave={() => onChoose(undefined)}
                onFocus={() => onChoose(pairs[0])}
                onBlur={() => onChoose(undefined)}
              >
                <span class="pair-number">
                  <span class="hidden-visually">Pair </span>
                  {numbers}
                </span>
                {cut(start, end)}
              </span>
            </>
          );
        })}
        {cut(at, whole.end)}
      </p>
    </div>
  );
}
