import { type Counted, RATE_BASE, rateRatio } from "./rate.ts";

export type CountedPlace = Counted & { readonly rate: number | null; readonly rank: number | null };

/**
 * Compares a place with the others of its sub-region. The pooled rate counts all of them together, itself included,
 * ranked or not; the median is over the ranked ones, itself included. The ratio is to the others alone: with itself
 * among them, a large place would be compared with itself. Papers of places without publications count on neither side,
 * because nobody knows how many publications they stand for. Figures that can't be computed and infinite ones are null.
 */
export function compareWithSubregion(place: CountedPlace, others: readonly CountedPlace[]) {
  const all = [place, ...others];
  const { papers, publications } = sum(all);
  const ratio = rateRatio(place, sum(others));
  return {
    pooled_rate: publications > 0 ? (papers * RATE_BASE) / publications : null,
    median_rate: median(all.flatMap(({ rate, rank }) => (rank === null || rate === null ? [] : [rate]))),
    rate_ratio: ratio?.ratio ?? null,
    rate_ratio_ci_low: ratio?.low ?? null,
    rate_ratio_ci_high: ratio?.high ?? null,
  };
}

function sum(places: readonly Counted[]): Counted {
  const counted = places.filter(({ publications }) => publications > 0);
  return {
    papers: counted.reduce((total, { papers }) => total + papers, 0),
    publications: counted.reduce((total, { publications }) => total + publications, 0),
  };
}

/** The middle of the values, or the mean of the two in the middle; null when there are none. */
export function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.ceil(sorted.length / 2) - 1];
  return upper === undefined || lower === undefined ? null : (lower + upper) / 2;
}
