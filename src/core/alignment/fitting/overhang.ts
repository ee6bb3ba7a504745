import { endsSentence } from "../pair/edge-types.ts";
import type { Pair } from "../pair/pair.ts";
import type { Run } from "../pieces/run.ts";

/**
 * The row without the one or two common words at an end with which it reaches into the next sentence of both texts: a copied
 * sentence often happens to be followed by the same "The" as in its source.
 */
export function withoutOverhang(pair: Pair, run: Run): Run {
  const { queryWord, sourceWord, words } = run;
  const after = overhang(pair, queryWord + words, sourceWord + words, -1);
  const before = overhang(pair, queryWord, sourceWord, 1);
  if (before + after >= words) return run;
  return { queryWord: queryWord + before, sourceWord: sourceWord + before, words: words - before - after };
}

/** With two, 2 to 8 of 100 copied sentences end where they should and did not before. */
const OVERHANG_WORDS_MAX = 2;

/** How many words of the end at these places hang over; inwards is in the direction of `step`. */
function overhang(
  { query, sourceSide }: Pair,
  queryPlace: number,
  sourcePlace: number,
  step: 1 | -1,
): number {
  for (let words = 0; words <= OVERHANG_WORDS_MAX; words++) {
    const [own, source] = [queryPlace + step * words, sourcePlace + step * words];
    if (endsSentence(query.edges[own] ?? 0) && endsSentence(sourceSide.edges[source] ?? 0)) return words;
    if (query.common[query.ids[step === 1 ? own : own - 1] ?? -1] !== 1) return 0;
  }
  return 0;
}
