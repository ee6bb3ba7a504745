import { useMemo } from "preact/hooks";
import { type MeaningComparison, ProblemError, type Report } from "../../../client/index.ts";
import { languageName, MARGIN_CLEAR } from "../../../reports/wording.ts";
import { ExternalLink } from "../shared/elements.tsx";
import { ErrorNotice } from "../shared/notice.tsx";
import { useLoaded } from "../shared/use-loaded.ts";
import { count, counted } from "../shared/wording.ts";
import { DeletedSource } from "./deleted-source.tsx";
import type { PlacedPassage } from "./passages.ts";
import { readSource } from "./read-source.ts";
import { type SentenceRow, sentenceRows, splitAtWords } from "./sentence-rows.ts";

type CorrespondingSentencesProps = {
  readonly report: Report;
  readonly passage: PlacedPassage;
  readonly meaning: MeaningComparison;
};

/** Both texts of a passage that was found by its meaning, sentence beside sentence. */
export function CorrespondingSentences({ report, passage, meaning }: CorrespondingSentencesProps) {
  const { source, start, end } = passage;
  const { source_document_start: sourceStart, source_document_end: sourceEnd } = passage.passage;
  const { value, error, reload } = useLoaded(
    `${report.check_id}/${source.source_document_id}/${sourceStart}-${sourceEnd}`,
    async (signal) =>
      (await readSource(report.check_id, source.source_document_id, sourceStart, sourceEnd, signal)).text,
  );
  const rows = useMemo(
    () =>
      value === undefined
        ? []
        : sentenceRows(
            meaning.sentence_pairs,
            { text: report.query_text, at: 0, start, end },
            { text: value, at: sourceStart, start: sourceStart, end: sourceEnd },
          ),
    [value, meaning, report, start, end, sourceStart, sourceEnd],
  );
  if (error instanceof ProblemError && error.code === "source_not_found")
    return <DeletedSource excerpt={passage.passage.overlap_text_preview} />;
  if (error !== undefined) return <ErrorNotice error={error} onRetry={reload} />;
  if (value === undefined) return <p class="quiet">Loading the source…</p>;
  const isTranslated = passage.passage.match_type === "translated";
  const name = languageName(source.language);
  const heading = isTranslated ? `Source, in ${name}` : "Source";
  return (
    <>
      <Summary
        meaning={meaning}
        rows={rows}
        which={isTranslated ? `, which is in ${name}` : ", in other words"}
      />
      <div class="pair-headings">
        <h3>This text</h3>
        <h3>
          {heading}
          {source.source_url !== null && (
            <span class="side-link">
              <ExternalLink href={source.source_url}>Open the source</ExternalLink>
            </span>
          )}
        </h3>
      </div>
      <Rows
        rows={rows}
        words={meaning.shared_words}
        sourceHeading={heading}
        queryLanguage={report.language}
        sourceLanguage={source.language}
      />
    </>
  );
}

type SummaryProps = {
  readonly meaning: MeaningComparison;
  readonly rows: readonly SentenceRow[];
  /** What is to be said of the source. */
  readonly which: string;
};

function Summary({ meaning, rows, which }: SummaryProps) {
  const { sentence_pairs: pairs } = meaning;
  const sentences = countSentences(pairs);
  const clear = countSentences(pairs.filter(({ margin }) => margin >= MARGIN_CLEAR));
  const { shared_words: words } = meaning;
  return (
    <div class="meaning-summary">
      <p class="matching-words">
        <strong>{counted(sentences, "sentence")}</strong> of this text{" "}
        {sentences === 1 ? "corresponds" : "correspond"} to the source{which}
        {clear < sentences && `; ${clear === 0 ? "none" : count(clear)} of them clearly`}. Sentences with one
        number correspond
        {rows.some(({ pairs }) => pairs.length === 0) && "; grey text has no counterpart"}.
      </p>
      {words.length > 0 && (
        <div class="shared-words">
          <h3 id="shared-words">Names, numbers and rare words on both sides</h3>
          <ul aria-labelledby="shared-words">
            {words.map((word) => (
              <li key={word}>
                <bdi>{word}</bdi>
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}

/** The sentences of the text that are in a pair. */
function countSentences(pairs: MeaningComparison["sentence_pairs"]): number {
  return new Set(pairs.map(({ query_start }) => query_start)).size;
}

type RowsProps = {
  readonly rows: readonly SentenceRow[];
  readonly words: readonly string[];
  readonly sourceHeading: string;
  readonly queryLanguage: string;
  readonly sourceLanguage: string;
};

function Rows({ rows, words, sourceHeading, queryLanguage, sourceLanguage }: RowsProps) {
  let number = 0;
  return (
    <ol class="pairs">
      {rows.map((row, index) => {
        const isPaired = row.pairs.length > 0;
        if (isPaired) number += 1;
        return (
          <li
            key={index}
            class={isPaired ? "pair" : "pair unpaired"}
            // The keyboard has to reach each pair, to highlight it.
            tabIndex={isPaired ? 0 : undefined}
          >
            <span class="pair-number">
              {isPaired ? (
                <>
                  <span class="hidden-visually">Pair </span>
                  {count(number)}
                </>
              ) : (
                <span class="hidden-visually">Without a counterpart</span>
              )}
            </span>
            <Sentences heading="This text" texts={row.query} words={words} language={queryLanguage} />
            <Sentences heading={sourceHeading} texts={row.source} words={words} language={sourceLanguage} />
          </li>
        );
      })}
    </ol>
  );
}

type SentencesProps = {
  readonly heading: string;
  readonly texts: readonly string[];
  readonly words: readonly string[];
  readonly language: string;
};

/** The sentences of one side of a row; it is empty where the other side has text without a counterpart. */
function Sentences({ heading, texts, words, language }: SentencesProps) {
  if (texts.length === 0) return <div class="pair-side" />;
  return (
    <div class="pair-side">
      <span class="pair-label">{heading}: </span>
      <span class="pair-text" lang={language} dir="auto">
        {splitAtWords(texts.join(" "), words).map(({ text, isShared }, index) =>
          isShared ? <b key={index}>{text}</b> : text,
        )}
      </span>
    </div>
  );
}
