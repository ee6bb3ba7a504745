import type { ComponentChildren } from "preact";
import type { MeaningComparison } from "../../../client/index.ts";
import { MARGIN_CLEAR } from "../../../report/wording.ts";
import { countParts, languageName, say, sayCount, sayParts } from "../shared/texts.ts";
import { count } from "../shared/wording.ts";
import { type SentenceRow, type SentenceSide, sentenceRows, splitAtWords } from "./sentence-rows.ts";
import "./explanation.css";

/** A text with the place of the passage in it. */
export type TableSide = SentenceSide & {
  /** In a sentence: "this text", or a name. */
  readonly name: ComponentChildren;
  /** Above its column. */
  readonly heading: ComponentChildren;
  /** Applies if the passage states no language. */
  readonly language: string;
  /** Beside the heading. */
  readonly link?: ComponentChildren;
};

type SentenceTableProps = {
  readonly meaning: MeaningComparison;
  readonly isTranslated: boolean;
  /** The side that shows the query's sentences of `meaning`. */
  readonly query: TableSide;
  readonly source: TableSide;
};

/** Both texts of a passage that was found by its meaning, sentence beside sentence. */
export function SentenceTable({ meaning, isTranslated, ...texts }: SentenceTableProps) {
  const query = { ...texts.query, language: meaning.query_language ?? texts.query.language };
  const source = { ...texts.source, language: meaning.source_language ?? texts.source.language };
  const rows = sentenceRows(meaning.sentence_pairs, query, source);
  const headingOf = ({ heading, language }: TableSide) =>
    isTranslated ? sayParts("report.textIn", { side: heading, language: languageName(language) }) : heading;
  const [queryHeading, sourceHeading] = [headingOf(query), headingOf(source)];
  return (
    <>
      <Summary meaning={meaning} isTranslated={isTranslated} rows={rows} query={query} source={source} />
      <div class="sentence-headings">
        <h3>{queryHeading}</h3>
        <h3>
          {sourceHeading}
          {source.link}
        </h3>
      </div>
      <Rows
        rows={rows}
        words={meaning.shared_words}
        query={{ ...query, heading: queryHeading }}
        source={{ ...source, heading: sourceHeading }}
      />
    </>
  );
}

type SummaryProps = SentenceTableProps & { readonly rows: readonly SentenceRow[] };

function Summary({ meaning, isTranslated, rows, query, source }: SummaryProps) {
  const { sentence_pairs: pairs } = meaning;
  const sentences = countSentences(pairs);
  const clear = countSentences(pairs.filter(({ margin }) => margin >= MARGIN_CLEAR));
  return (
    <div class="meaning-summary">
      <p class="matching-words">
        {countParts<ComponentChildren>("report.corresponds", sentences, {
          sentences: <strong>{sayCount("count.sentences", sentences)}</strong>,
          query: query.name,
          source: source.name,
          how: isTranslated
            ? say("report.howTranslated", { language: languageName(source.language) })
            : say("report.howReworded"),
        })}
        {clear < sentences &&
          (clear === 0 ? say("report.noneClearly") : say("report.clearly", { count: count(clear) }))}
        . {say("report.oneNumber")}
        {rows.some(({ pairs }) => pairs.length === 0) && say("report.greyText")}.
      </p>
      <WordList id="shared-words" heading={say("report.sharedWords")} words={meaning.shared_words} />
      <WordList
        id="own-names"
        heading={sayParts("report.missingNames", { source: source.name })}
        words={meaning.own_names}
      />
    </div>
  );
}

type WordListProps = {
  readonly id: string;
  readonly heading: ComponentChildren;
  readonly words: readonly string[];
};

function WordList({ id, heading, words }: WordListProps) {
  if (words.length === 0) return null;
  return (
    <div class="listed-words">
      <h3 id={id}>{heading}</h3>
      <ul aria-labelledby={id}>
        {words.map((word) => (
          <li key={word}>
            <bdi>{word}</bdi>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The sentences of the query that are in a pair. */
function countSentences(pairs: MeaningComparison["sentence_pairs"]): number {
  return new Set(pairs.map(({ query_start }) => query_start)).size;
}

type RowsProps = Pick<SentenceTableProps, "query" | "source"> & {
  readonly rows: readonly SentenceRow[];
  readonly words: readonly string[];
};

function Rows({ rows, words, query, source }: RowsProps) {
  let number = 0;
  return (
    <ol class="sentence-pairs">
      {rows.map((row, index) => {
        const isPaired = row.pairs.length > 0;
        if (isPaired) number += 1;
        return (
          <li
            key={index}
            class={isPaired ? "sentence-pair" : "sentence-pair unpaired"}
            // The keyboard has to reach each pair, to highlight it.
            tabIndex={isPaired ? 0 : undefined}
          >
            <span class="sentence-number">
              {isPaired ? (
                <>
                  <span class="hidden-visually">{say("report.pair", { number: count(number) })}</span>
                  <span aria-hidden="true">{count(number)}</span>
                </>
              ) : (
                <span class="hidden-visually">{say("report.unpaired")}</span>
              )}
            </span>
            <Sentences side={query} texts={row.query} words={words} />
            <Sentences side={source} texts={row.source} words={words} />
          </li>
        );
      })}
    </ol>
  );
}

type SentencesProps = {
  readonly side: TableSide;
  readonly texts: readonly string[];
  readonly words: readonly string[];
};

/** The sentences of one side of a row; it is empty where the other side has text without a counterpart. */
function Sentences({ side: { heading, language }, texts, words }: SentencesProps) {
  if (texts.length === 0) return <div class="sentence-side" />;
  return (
    <div class="sentence-side">
      <span class="sentence-label">{heading}: </span>
      <span class="sentence-text" lang={language} dir="auto">
        {splitAtWords(texts.join(" "), words).map(({ text, isShared }, index) =>
          isShared ? <b key={index}>{text}</b> : text,
        )}
      </span>
    </div>
  );
}
