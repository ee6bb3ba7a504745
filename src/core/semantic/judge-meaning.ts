import { overlapTextPreview } from "../report/excerpt.ts";
import type { SourcePassage } from "../report/report.ts";
import type { TermCounts } from "../retrieval/search-terms.ts";
import { codePointLength } from "../text/code-points.ts";
import { overlapLength, type Span, spanLength } from "../text/span.ts";
import { alignMeaning, type MeaningMatch, type QuerySentence } from "./align-meaning.ts";
import { reuseLogOdds } from "./meaning-decision.ts";
import type { SemanticModel } from "./semantic-model.ts";
import type { SentenceFingerprint } from "./sentence-section.ts";
import { rareSharedWords, termsOf } from "./shared-words.ts";

export type JudgedQuery = {
  readonly model: Pick<SemanticModel, "mean" | "calibration">;
  readonly text: string;
  readonly language: string;
  /** Sentences of the whole query. */
  readonly sentences: number;
  /** The counts of its words in the corpus. */
  readonly counts: TermCounts;
  /** The language of a text, as far as the text itself tells; people leave out the language or state a wrong one. */
  readonly detectLanguage: (text: string) => string | undefined;
};

/** A place that may be the source of some query sentences, with the text and the fingerprints around it. */
export type MeaningCandidate = {
  readonly documentId: string;
  readonly query: readonly QuerySentence[];
  readonly language: string;
  readonly chunkOffsets: { readonly utf16: readonly number[]; readonly codePoints: readonly number[] };
  /** A part of the document's text; `start` in UTF-16 units. */
  readonly around: { readonly start: number; readonly text: string };
  /** Those of this part, ascending. */
  readonly sentences: readonly SentenceFingerprint[];
};

/** A passage with the log-odds of reuse, which are above 0. */
export type JudgedMeaning = {
  readonly documentId: string;
  readonly passage: SourcePassage;
  readonly logOdds: number;
};

/** Names and numbers that a comparison lists. */
const SHARED_LISTED_MAX = 12;

/** Aligns query sentences with each place by meaning and words, and decides which passages are reuse, best first. */
export function judgeMeaning(query: JudgedQuery, candidates: readonly MeaningCandidate[]): JudgedMeaning[] {
  return candidates
    .flatMap((candidate) => judgePlace(query, candidate))
    .toSorted((a, b) => b.logOdds - a.logOdds || a.passage.query.start - b.passage.query.start);
}

function judgePlace(query: JudgedQuery, candidate: MeaningCandidate): JudgedMeaning[] {
  const { around, language, sentences } = candidate;
  const { counts, text } = query;
  const place = {
    query: candidate.query.map((sentence, at) => {
      const before = candidate.query[at - 1]?.span.end ?? 0;
      return {
        ...sentence,
        terms: termsOf(text.slice(sentence.span.start, sentence.span.end), query.language),
        startsParagraph: at === 0 || BLANK_LINE.test(text.slice(before, sentence.span.start)),
      };
    }),
    source: sentences.map((sentence) => ({
      ...sentence,
      terms: termsOf(sliceOf(around, sentence.span), language),
    })),
  };
  return alignMeaning(query.model, place, counts).flatMap(({ row, paragraph }) => {
    // A paragraph that holds as a whole was most likely taken as a whole.
    const whole = paragraph && judge(query, candidate, paragraph);
    const judged = whole !== undefined && whole.logOdds > 0 ? whole : judge(query, candidate, row);
    return judged.logOdds > 0 ? [judged] : [];
  });
}

const BLANK_LINE = /\n\s*\n|\u2029/;

function sliceOf({ start, text }: MeaningCandidate["around"], span: Span): string {
  return text.slice(span.start - start, span.end - start);
}

function judge(
  query: JudgedQuery,
  { documentId, language, chunkOffsets, around }: MeaningCandidate,
  match: MeaningMatch,
): JudgedMeaning {
  const queryText = query.text.slice(match.query.start, match.query.end);
  const sourceText = sliceOf(around, match.source);
  const before = around.text.slice(0, match.source.start - around.start);
  const isSameLanguage =
    (query.detectLanguage(queryText) ?? query.language) === (query.detectLanguage(sourceText) ?? language);
  const logOdds = reuseLogOdds({ ...match.evidence, isSameLanguage, querySentences: query.sentences });
  const place = placeIn(match.source, chunkOffsets, before, around.start, sourceText);
  return {
    documentId,
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

/** Of passages from one document, best first, those that do not share most of their query text with a better one. */
export function passagesApart(judged: readonly JudgedMeaning[]): JudgedMeaning[] {
  const kept: JudgedMeaning[] = [];
  for (const one of judged) {
    const { query } = one.passage;
    const isTaken = kept.some(({ passage }) => overlapLength(passage.query, query) * 2 > spanLength(query));
    if (!isTaken) kept.push(one);
  }
  return kept;
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
