import type { Span } from "../text/span.ts";
import { classify, type MatchType } from "./classify.ts";
import { chainSpans } from "./edges.ts";
import type { TokenisedText } from "./prepared-query.ts";
import type { Chain } from "./run.ts";

export type { MatchType };

/**
 * A stretch of the query that stands in the source too. Both spans are UTF-16 offsets into the text they belong to;
 * `matchedWords` counts the words that are equal on both sides.
 */
export type Passage = {
  readonly query: Span;
  readonly source: Span;
  readonly matchedWords: number;
  readonly matchType: MatchType;
};

/**
 * Why a match is not reported. `too_short`: it may be a set phrase; `duplicate`: a better passage of the same source
 * covers all of its query text; `remainder_too_short`: what better passages leave of it may be a set phrase;
 * `set_phrase`: it consists of nothing but what stands in many documents of the corpus.
 */
export type DropReason = "too_short" | "duplicate" | "remainder_too_short" | "set_phrase";

/** A match that is not reported, kept so that "why is this not in the report?" has an answer. */
export type DroppedPassage = { readonly passage: Passage; readonly reason: DropReason };

/** A chain in characters, within the given offsets of the query (the whole text when they are left out). */
export function passageOf(
  query: TokenisedText,
  source: TokenisedText,
  chain: Chain,
  queryFloor = 0,
  queryCeiling = query.text.length,
): Passage {
  const spans = chainSpans(query, source, chain, queryFloor, queryCeiling);
  const queryText = query.text.slice(spans.query.start, spans.query.end);
  const sourceText = source.text.slice(spans.source.start, spans.source.end);
  return { ...spans, matchedWords: chain.matchedWords, matchType: classify(queryText, sourceText) };
}
