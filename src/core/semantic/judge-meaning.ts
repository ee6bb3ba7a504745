import { overlapTextPreview } from "../report/excerpt.ts";
import type { SourcePassage } from "../report/report.ts";
import type { TermCounts } from "../retrieval/search-terms.ts";
import { codePointLength } from "../text/code-points.ts";
import type { Span } from "../text/span.ts";
import type { MeaningMatch } from "./align-meaning.ts";
import { reuseLogOdds } from "./meaning-decision.ts";
import { rareSharedWords, termsOf, wordContrast } from "./shared-words.ts";
import { wholeSentences } from "./whole-sentences.ts";

export type JudgedQuery = {
  readonly text: string;
  readonly language: string;
  /** Sentences of the whole query. */
  readonly sentences: number;
  /** The counts of its words in the corpus. */
  readonly counts: TermCounts;
  /** The language of a text, as far as the text itself tells; people leave out the language or state a wrong one. */
  readonly detectLanguage: (text: string) => string | undefined;
};

/** A match with the text of its document around it. */
export type MeaningCandidate = {
  readonly match: MeaningMatch;
  readonly language: string;
  readonly chunkOffsets: { readonly utf16: readonly number[]; readonly codePoints: readonly number[] };
  /** A part of the document's text that contains the match; `start` in UTF-16 units. */
  readonly around: { readonly start: number; readonly text: string };
};

/** A match with the log-odds of reuse; above 0 it is a passage of the report. */
export type JudgedMeaning = {
  readonly documentId: string;
  readonly passage: SourcePassage;
  readonly logOdds: number;
};

/** Names and numbers that a comparison lists. */
const SHARED_LISTED_MAX = 12;

/** Decides by meaning and words which matches are reuse. */
export function judgeMeaning(query: JudgedQuery, candidates: readonly MeaningCandidate[]): JudgedMeaning[] {
  return candidates.map((candidate) => judge(query, candidate));
}

function judge(
  query: JudgedQuery,
  { match, language, chunkOffsets, around }: MeaningCandidate,
): JudgedMeaning {
  const cut = ({ start, end }: Span) => around.text.slice(start - around.start, end - around.start);
  const queryText = query.text.slice(match.query.start, match.query.end);
  const sourceText = cut(match.source);
  const before = around.text.slice(0, match.source.start - around.start);
  const isSameLanguage =
    (query.detectLanguage(queryText) ?? query.language) === (query.detectLanguage(sourceText) ?? language);
  const logOdds = reuseLogOdds({
    score: match.score,
    passageSentences: match.querySentences,
    wordContrast: isSameLanguage ? contrastOf(query, match, language, around) : 0,
    isSameLanguage,
    querySentences: query.sentences,
  });
  const place = placeIn(match.source, chunkOffsets, before, around.start, sourceText);
  return {
    documentId: match.documentId,
    logOdds,
    passage: {
      query: match.query,
      matchType: isSameLanguage ? "paraphrased" : "translated",
      ...place,
      preview: overlapTextPreview(sourceText),
      evidence: {
        matchedWords: 0,
        seeds: match.pairs.length,
        similarity: 0,
        score: rounded(logOdds, 2),
        meaning: {
          pairs: match.pairs.map(({ query: queryPair, source, margin }) => ({
            query: queryPair,
            source: codePointRange(source, place.sourceDocument, match.source, sourceText),
            margin: rounded(margin, 3),
          })),
          sharedWords: rareSharedWords(queryText, query.language, sourceText, language, query.counts).slice(
            0,
            SHARED_LISTED_MAX,
          ),
        },
      },
    },
  };
}

/** Sentences this near to a match may be its source too. */
const NEIGHBOUR_LENGTH = 300;

function contrastOf(
  query: JudgedQuery,
  match: MeaningMatch,
  language: string,
  around: MeaningCandidate["around"],
): number {
  const pairs = match.pairs.map((pair) => ({
    query: termsOf(query.text.slice(pair.query.start, pair.query.end), query.language),
    source: termsOf(
      around.text.slice(pair.source.start - around.start, pair.source.end - around.start),
      language,
    ),
  }));
  const apart = wholeSentences(around.text, language).filter(({ start, end }) => {
    const isBefore = around.start + end < match.source.start - NEIGHBOUR_LENGTH;
    return isBefore || around.start + start > match.source.end + NEIGHBOUR_LENGTH;
  });
  const sentences = apart.map(({ start, end }) => termsOf(around.text.slice(start, end), language));
  return wordContrast(pairs, sentences, query.counts);
}

type Place = Pick<SourcePassage, "sourceChunkIndex" | "sourceChunk" | "sourceDocument">;

/** Where a span of the document lies in its chunk and in the document, in both units. */
function placeIn(
  span: Span,
  { utf16, codePoints }: MeaningCandidate["chunkOffsets"],
  before: string,
  beforeStart: number,
  spanText: string,
): Place {
  const next = utf16.findIndex((offset) => offset > span.start);
  const chunk = Math.max(0, (next < 0 ? utf16.length - 1 : next) - 1);
  const chunkStart = utf16[chunk] ?? 0;
  const chunkStartCodePoint = codePoints[chunk] ?? 0;
  const within = span.start - chunkStart;
  const start = chunkStart >= beforeStart ? codePointLength(before.slice(chunkStart - beforeStart)) : within;
  const codePoint = { start, end: start + codePointLength(spanText) };
  const unit = { start: within, end: span.end - chunkStart };
  return {
    sourceChunkIndex: chunk,
    sourceChunk: { utf16: unit, codePoint },
    sourceDocument: {
      utf16: span,
      codePoint: {
        start: chunkStartCodePoint + codePoint.start,
        end: chunkStartCodePoint + codePoint.end,
      },
    },
  };
}

function codePointRange(
  span: Span,
  whole: Place["sourceDocument"],
  match: Span,
  text: string,
): Place["sourceDocument"] {
  const at = (offset: number) => whole.codePoint.start + codePointLength(text.slice(0, offset - match.start));
  return { utf16: span, codePoint: { start: at(span.start), end: at(span.end) } };
}

function rounded(value: number, decimals: number): number {
  return Number(value.toFixed(decimals));
}
