import type { Pair } from "../pair/pair.ts";
import type { Box } from "../pair/word-range.ts";
import { netWorth, type Piece } from "../pieces/piece.ts";
import { addCounts, clearCounts } from "../scoring/score-tokens.ts";

/** What is reported or would be, still in words. */
export type Match = Box & { readonly matchedWords: number; readonly parts: number; readonly score: number };

/**
 * Why a match is not reported. `too_short`: it weighs too little to be reuse; `duplicate`: a better passage of the same
 * source covers its query text; `remainder_too_short`: what better passages leave of it weighs too little;
 * `set_phrase`: it consists of nothing but what stands in many documents of the corpus.
 */
export const DROP_REASONS = ["too_short", "duplicate", "remainder_too_short", "set_phrase"] as const;
export type DropReason = (typeof DROP_REASONS)[number];

/** A match that is not reported, and why. */
export type DroppedMatch = { readonly match: Match; readonly reason: DropReason };

/** Words below which a match is so common in any two texts that it is not even listed as dropped: a retrieval shingle. */
export const LISTED_WORDS_MIN = 5;

/** Words in common below which nothing is reported: fewer are half a sentence that anyone may write. */
export const MATCHED_WORDS_MIN = 8;

/** The piece as a match; `matchedWords` one to one. */
export function matchOf(pair: Pair, piece: Piece): Match {
  const { query, sourceSide } = pair;
  const { bag, used } = query.scratch;
  addCounts(bag, sourceSide.ids, piece.source);
  let matchedWords = 0;
  for (let i = piece.query.start; i < piece.query.end; i++) {
    const id = query.ids[i] ?? 0;
    const times = used[id] ?? 0;
    if (times >= (bag[id] ?? 0)) continue;
    used[id] = times + 1;
    matchedWords += 1;
  }
  clearCounts(bag, sourceSide.ids, piece.source);
  clearCounts(used, query.ids, piece.query);
  return {
    query: piece.query,
    source: piece.source,
    matchedWords,
    parts: piece.parts,
    score: netWorth(pair, piece),
  };
}
