import type { Pair } from "../pair/pair.ts";
import type { Side } from "../pair/prepared-query.ts";
import type { WordRange } from "../pair/word-range.ts";
import { chanceInBag, foundScore, missedScore } from "./chance.ts";

/** What words are scored, and against what. */
export type TokenScoring = {
  readonly own: Side;
  readonly other: Side;
  /** The stretch of `own` that is taken for a passage now; words are scored outward from its middle. */
  readonly core: WordRange;
  /** The stretch of `other` in which words are looked for. */
  readonly bag: WordRange;
  /** The share of words that reuse is taken to keep, between 0 and 1. */
  readonly kept: number;
  /** What a word scores that was found already as often as it stands in the bag; 0 when left out. */
  readonly surplus?: number;
};

/**
 * Scores the words of `own` from `from` on: log-odds of reuse against chance, given only which words the bag holds. Only
 * places of `scores` that are NaN are filled; the others keep what they have, and their words count as found when positive.
 *
 * One to one: a word that was found as often as it stands in the bag tells nothing from then on (without it, PAN13 loses .03).
 */
export function scoreTokens(pair: Pair, scoring: TokenScoring, from: number, scores: Float64Array): void {
  const { own, other, core, bag } = scoring;
  const { scratch } = pair.query;
  addCounts(scratch.bag, other.ids, bag);
  addCounts(scratch.own, own.ids, core);
  for (let i = 0; i < scores.length; i++) {
    const id = own.ids[from + i] ?? -1;
    if ((scores[i] ?? 0) > 0 && id >= 0) scratch.used[id] = (scratch.used[id] ?? 0) + 1;
  }
  fillOutward(pair, scoring, from, scores);
  clearCounts(scratch.bag, other.ids, bag);
  clearCounts(scratch.own, own.ids, core);
  clearCounts(scratch.used, own.ids, { start: from, end: from + scores.length });
}

function fillOutward(pair: Pair, scoring: TokenScoring, from: number, scores: Float64Array): void {
  const { own, core, bag, kept, surplus = 0 } = scoring;
  const { counts, scratch } = pair.query;
  const { ids } = own;
  const missed = missedScore(kept);
  const bagWords = bag.end - bag.start;
  const excluded = bagWords + core.end - core.start;
  const score = (i: number): void => {
    if (!Number.isNaN(scores[i] ?? 0)) return;
    const id = ids[from + i] ?? -1;
    const inBag = id < 0 ? 0 : (scratch.bag[id] ?? 0);
    if (inBag === 0) {
      scores[i] = missed;
      return;
    }
    const used = scratch.used[id] ?? 0;
    if (used >= inBag) {
      scores[i] = surplus;
      return;
    }
    scratch.used[id] = used + 1;
    const all = (counts[id] ?? 0) + (scratch.sourceCounts[id] ?? 0);
    const outside = Math.max(0, all - inBag - (scratch.own[id] ?? 0));
    scores[i] = foundScore(chanceInBag(pair, id, outside, excluded, bagWords), kept);
  };
  let right = Math.min(scores.length, Math.max(0, ((core.start + core.end) >> 1) - from));
  let left = right - 1;
  while (right < scores.length || left >= 0) {
    if (right < scores.length) score(right++);
    if (left >= 0) score(left--);
  }
}

export function addCounts(counts: Int32Array, ids: Int32Array, { start, end }: WordRange): void {
  for (let i = start; i < end; i++) {
    const id = ids[i] ?? -1;
    if (id >= 0) counts[id] = (counts[id] ?? 0) + 1;
  }
}

export function clearCounts(counts: Int32Array, ids: Int32Array, { start, end }: WordRange): void {
  for (let i = start; i < end; i++) {
    const id = ids[i] ?? -1;
    if (id >= 0) counts[id] = 0;
  }
}

/** Places to be scored. */
export function unscored(words: number): Float64Array {
  return new Float64Array(words).fill(Number.NaN);
}
