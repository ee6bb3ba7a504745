import { codePointAt, codePointBefore } from "../text/code-points.ts";
import { firstIndex, type Span } from "../text/span.ts";
import { wordSimilarity } from "../text/word-similarity.ts";
import type { TokenisedText } from "./boundaries.ts";
import { type Candidate, scoreOf } from "./candidates.ts";
import { matchedWords } from "./decision.ts";
import { MINOR_CHANGES_MIN } from "./model.ts";
import type { SegmentPair } from "./seeds.ts";
import type { TextPair } from "./text-pair.ts";

/** A span of the query that the source contains too. Both spans are UTF-16 offsets into their text. */
export type Passage = {
  readonly query: Span;
  readonly source: Span;
  /** The words whose stems both sides have, counted one to one. */
  readonly matchedWords: number;
  readonly matchType: MatchType;
  /** See `wordSimilarity`; 1 when identical. */
  readonly similarity: number;
  /** The number of candidates that it was merged from. */
  readonly parts: number;
  /** Log-odds of reuse beyond the threshold. Verbatim copies, which are reported whatever their score, may be below 0. */
  readonly score: number;
};

/**
 * How a passage was reused. `identical`: the same letters and digits but for case; `minor_changes`: at least
 * `MINOR_CHANGES_MIN` of the words of both sides are equal in order; `paraphrased`: other reuse;
 * `translated`: reuse of a source in another language.
 */
export type MatchType = "identical" | "minor_changes" | "paraphrased" | "translated";

/** A candidate as a passage. Its query span stays between the offsets `queryFloor` and `queryCeiling`. */
export function passageOf(
  pair: TextPair,
  candidate: Candidate,
  queryFloor = 0,
  queryCeiling = pair.query.text.text.length,
): Passage {
  const { query, source } = pair;
  const spans = textSpans(query.text, source, candidate, queryFloor, queryCeiling);
  return {
    ...spans,
    ...classify(query.text, spans.query, source, spans.source),
    matchedWords: matchedWords(pair, candidate),
    parts: candidate.parts,
    score: scoreOf(pair, candidate),
  };
}

/** The text from the first to the last word, with adjoining punctuation that both sides have. */
function textSpans(
  query: TokenisedText,
  source: TokenisedText,
  segments: SegmentPair,
  queryFloor: number,
  queryCeiling: number,
): SegmentPair {
  const queryStart = query.tokens.starts[segments.query.start] ?? 0;
  const queryEnd = query.tokens.ends[segments.query.end - 1] ?? 0;
  const sourceStart = source.tokens.starts[segments.source.start] ?? 0;
  const sourceEnd = source.tokens.ends[segments.source.end - 1] ?? 0;
  const before = equalPunctuation(
    (length) => codePointBefore(query.text, queryStart - length),
    (length) => codePointBefore(source.text, sourceStart - length),
    queryStart - queryFloor,
  );
  const after = equalPunctuation(
    (length) => codePointAt(query.text, queryEnd + length),
    (length) => codePointAt(source.text, sourceEnd + length),
    queryCeiling - queryEnd,
  );
  return {
    query: { start: queryStart - before, end: queryEnd + after },
    source: { start: sourceStart - before, end: sourceEnd + after },
  };
}

/** How many code units of punctuation, at most `max`, are equal on both sides; each function gives the next character. */
function equalPunctuation(
  queryCharacter: (length: number) => string,
  sourceCharacter: (length: number) => string,
  max: number,
): number {
  let length = 0;
  for (;;) {
    const character = queryCharacter(length);
    if (!PUNCTUATION.test(character) || length + character.length > max) return length;
    if (sourceCharacter(length) !== character) return length;
    length += character.length;
  }
}

/** Everything but white space, letters and digits belongs to the word beside it. */
const PUNCTUATION = /^[^\s\p{L}\p{N}]$/u;

/** Compares normalised words (spans are UTF-16): disguises do not matter, moved sentences count as changed. About linear time. */
export function classify(
  query: TokenisedText,
  querySpan: Span,
  source: TokenisedText,
  sourceSpan: Span,
): { readonly matchType: MatchType; readonly similarity: number } {
  const queryText = query.text.slice(querySpan.start, querySpan.end);
  const sourceText = source.text.slice(sourceSpan.start, sourceSpan.end);
  if (queryText === sourceText || bareLetters(queryText) === bareLetters(sourceText))
    return { matchType: "identical", similarity: 1 };
  const similarity = wordSimilarity(wordsIn(query, querySpan), wordsIn(source, sourceSpan));
  return { matchType: similarity >= MINOR_CHANGES_MIN ? "minor_changes" : "paraphrased", similarity };
}

const NO_LETTER_OR_DIGIT = /[^\p{L}\p{N}]+/gu;

/** Upper case, because it folds what lower case keeps apart: ß and ss, the two small sigmas. */
function bareLetters(text: string): string {
  return text.normalize("NFC").toUpperCase().replace(NO_LETTER_OR_DIGIT, "");
}

/** The words that begin inside the span. */
function wordsIn({ tokens: { words, starts } }: TokenisedText, span: Span): readonly string[] {
  const firstFrom = (offset: number) => firstIndex(starts.length, (word) => (starts[word] ?? 0) >= offset);
  return words.slice(firstFrom(span.start), firstFrom(span.end));
}
