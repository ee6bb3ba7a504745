import { codePointAt, codePointBefore } from "../../text/code-points.ts";
import type { Span } from "../../text/span.ts";
import type { TokenisedText } from "./boundaries.ts";
import { type Candidate, scoreOf } from "./candidates.ts";
import { matchedWords } from "./decision.ts";
import { classify, divideIntoRuns, type MatchType, type TypedRun } from "./match-type.ts";
import type { SegmentPair } from "./seeds.ts";
import type { TextPair } from "./text-pair.ts";

/** A span of the query that the source contains too. Both spans are UTF-16 offsets into their text. */
export type Passage = {
  readonly query: Span;
  readonly source: Span;
  /** The words whose stems both sides have, counted one to one. */
  readonly matchedWords: number;
  readonly matchType: MatchType;
  /** Where the passage was reused in several ways, its parts. */
  readonly runs: readonly TypedRun[] | undefined;
  /** See `wordSimilarity`; 1 when identical. */
  readonly similarity: number;
  /** The number of candidates that it was merged from. */
  readonly parts: number;
  /** Log-odds of reuse beyond the threshold. Verbatim copies, which are reported whatever their score, may be below 0. */
  readonly score: number;
};

/** A candidate as a passage; `matches` are exact. Its query span stays between the offsets `queryFloor` and `queryCeiling`. */
export function passageOf(
  pair: TextPair,
  candidate: Candidate,
  matches: readonly SegmentPair[],
  queryFloor = 0,
  queryCeiling = pair.query.text.text.length,
): Passage {
  const { query, source } = pair;
  const spans = textSpans(query.text, source, candidate, queryFloor, queryCeiling);
  const { matchType, similarity } = classify(query.text, spans.query, source, spans.source);
  const runs = matchType === "identical" ? [] : divideIntoRuns(pair, candidate, spans, matches);
  // Sentences in another order are copied all the same.
  const isCopied = runs.length > 0 && runs.every((run) => run.matchType !== "paraphrased");
  return {
    ...spans,
    matchType: matchType === "paraphrased" && isCopied ? "minor_changes" : matchType,
    runs: runs.length > 1 ? runs : undefined,
    similarity,
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
