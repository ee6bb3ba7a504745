import { TAIL } from "./poisson-interval.ts";
import { betaQuantile } from "./quantiles.ts";

/** Papers among publications: the two sides of a rate. */
export type Counted = { readonly papers: number; readonly publications: number };

/** A ratio with its 95% interval; null for an infinite value. */
export type RateRatio = {
  readonly ratio: number | null;
  readonly low: number;
  readonly high: number | null;
};

/**
 * How many times the rate of `one` is that of `other`, with the exact conditional interval (Przyborowski and Wilenski,
 * 1940): given the papers of both together, those of `one` are binomial, and the Clopper-Pearson limits of their share are
 * turned into limits of the ratio. Without papers in `one` the ratio and its lower limit are 0.
 * Undefined when either side has no publications.
 */
export function rateRatio(one: Counted, other: Counted): RateRatio | undefined {
  if (one.publications <= 0 || other.publications <= 0) return undefined;
  const scale = other.publications / one.publications;
  const oddsOfHigh = other.papers === 0 ? null : odds(one.papers + 1, other.papers, 1 - TAIL);
  return {
    ratio: ratioOf(one, other),
    low: one.papers === 0 ? 0 : odds(one.papers, other.papers + 1, TAIL) * scale,
    high: oddsOfHigh === null ? null : oddsOfHigh * scale,
  };
}

function ratioOf(one: Counted, other: Counted): number | null {
  if (one.papers === 0) return 0;
  if (other.papers === 0) return null;
  return (one.papers * other.publications) / (other.papers * one.publications);
}

/** The odds of a quantile `x` of the beta distribution. `1 - x` is a quantile too, and loses no digits where `x` is near 1. */
function odds(alpha: number, beta: number, lowerTail: number): number {
  return betaQuantile(alpha, beta, lowerTail) / betaQuantile(beta, alpha, 1 - lowerTail);
}
