import { median } from "./median.ts";
import { RATE_BASE } from "./rate.ts";
import { type Counted, rateRatio } from "./rate-ratio.ts";

export type CountedPlace = Counted & { readonly rate: number | null; readonly rank: number | null };

/** A place beside its sub-region. Null where there is nothing to compute with; a ratio or a limit is also null for infinity. */
export type Comparison = {
  readonly pooledRate: number | null;
  readonly medianRate: number | null;
  readonly rateRatio: number | null;
  readonly rateRatioCiLow: number | null;
  readonly rateRatioCiHigh: number | null;
};

/**
 * Compares a place with the others of its sub-region. The pooled rate is that of all of them together, itself included,
 * ranked or not; the median is over the ranked ones, itself included. The ratio is to the others alone: with itself
 * among them, a large place would be compared with itself. Papers of places without publications count on neither side,
 * as nobody knows how many publications they stand for.
 */
export function compareWithSubregion(place: CountedPlace, others: readonly CountedPlace[]): Comparison {
  const all = [place, ...others];
  const ratio = rateRatio(place, sum(others));
  return {
    pooledRate: rateOf(sum(all)),
    medianRate: median(all.flatMap(({ rate, rank }) => (rank === null || rate === null ? [] : [rate]))),
    rateRatio: ratio?.ratio ?? null,
    rateRatioCiLow: ratio?.low ?? null,
    rateRatioCiHigh: ratio?.high ?? null,
  };
}

function sum(places: readonly Counted[]): Counted {
  const counted = places.filter(({ publications }) => publications > 0);
  return {
    papers: counted.reduce((total, { papers }) => total + papers, 0),
    publications: counted.reduce((total, { publications }) => total + publications, 0),
  };
}

function rateOf({ papers, publications }: Counted): number | null {
  return publications > 0 ? (papers * RATE_BASE) / publications : null;
}
