import type { Span } from "../../text/span.ts";
import { DROP_REASONS, type DropReason, type Match } from "../choosing/match.ts";
import type { TokenisedText } from "../pair/tokenised-text.ts";
import { classify, type MatchType } from "./classify.ts";
import { boxSpans } from "./edges.ts";

export { DROP_REASONS, type DropReason, type MatchType };

/**
 * A stretch of the query that stands in the source too. Both spans are UTF-16 offsets into the text they belong to;
 * `matchedWords` counts the words whose stems are equal on both sides, one by one.
 */
export type Passage = {
  readonly query: Span;
  readonly source: Span;
  readonly matchedWords: number;
  readonly matchType: MatchType;
  /** The share of the words of both sides that are equal in order, from 0 to 1. */
  readonly similarity: number;
  /** The pieces that it was put together from. */
  readonly seeds: number;
  /** What it weighs as evidence of reuse: log-odds beyond what is asked for. Copies that are reported whatever they weigh may have less than 0. */
  readonly score: number;
};

/** A match that is not reported, kept so that "why is this not in the report?" has an answer. */
export type DroppedPassage = { readonly passage: Passage; readonly reason: DropReason };

/** A match in characters, within the given offsets of the query (the whole text when they are left out). */
export function passageOf(
  query: TokenisedText,
  source: TokenisedText,
  match: Match,
  queryFloor = 0,
  queryCeiling = query.text.length,
): Passage {
  const spans = boxSpans(query, source, match, queryFloor, queryCeiling);
  return {
    ...spans,
    ...classify(query, spans.query, source, spans.source),
    matchedWords: match.matchedWords,
    seeds: match.parts,
    score: match.score,
  };
}
