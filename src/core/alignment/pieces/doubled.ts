import type { Pair } from "../pair/pair.ts";
import type { Side } from "../pair/prepared-query.ts";
import type { WordRange } from "../pair/word-range.ts";
import { addCounts, clearCounts } from "../scoring/score-tokens.ts";

/**
 * Whether one side of a box uses the other twice: so many of its found words stand there more often than in the other side.
 * `scores` are those of the words of `range`; positive ones are found.
 */
export function isDoubled(
  pair: Pair,
  own: Side,
  range: WordRange,
  scores: Float64Array,
  other: Side,
  bag: WordRange,
): boolean {
  const { scratch } = pair.query;
  addCounts(scratch.bag, other.ids, bag);
  let found = 0;
  let surplus = 0;
  for (let i = 0; i < scores.length; i++) {
    const id = own.ids[range.start + i] ?? -1;
    if (id < 0 || (scores[i] ?? 0) < 0 || scratch.bag[id] === 0) continue;
    found += 1;
    const used = scratch.used[id] ?? 0;
    if (used >= (scratch.bag[id] ?? 0)) surplus += 1;
    else scratch.used[id] = used + 1;
  }
  clearCounts(scratch.used, own.ids, range);
  clearCounts(scratch.bag, other.ids, bag);
  return surplus >= SURPLUS_SHARE_MIN * found && surplus > 0;
}

/** Two uses make a half of the words surplus, less what edits lost; commoner words repeat in any passage. */
const SURPLUS_SHARE_MIN = 0.35;
