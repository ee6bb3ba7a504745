import type { WordRange } from "../pair/word-range.ts";

/** The best stretch of some scored words, and what it is worth. */
export type BestInterval = WordRange & { readonly worth: number };

/**
 * The stretch, never empty, whose word scores and edge priors have the greatest sum: a maximum subarray (Kadane, in
 * Bentley, 1984) with a price for each start and end. `scores[0]` belongs to word `from`; `edgePriors` is the side's.
 */
export function bestInterval(edgePriors: Float64Array, from: number, scores: Float64Array): BestInterval {
  let before = 0;
  let bestStart = from;
  let bestStartPrice = Number.POSITIVE_INFINITY;
  let start = from;
  let end = from;
  let worth = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < scores.length; i++) {
    const startPrice = before - (edgePriors[from + i] ?? 0);
    if (startPrice < bestStartPrice) {
      bestStartPrice = startPrice;
      bestStart = from + i;
    }
    before += scores[i] ?? 0;
    const reached = before + (edgePriors[from + i + 1] ?? 0) - bestStartPrice;
    if (reached > worth) {
      worth = reached;
      start = bestStart;
      end = from + i + 1;
    }
  }
  return { start, end, worth };
}
