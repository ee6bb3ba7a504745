import { poissonInterval } from "./poisson-interval.ts";

/** Papers per 100,000 publications, with the limits of their exact 95% interval; nothing is rounded. */
export type Rate = { readonly rate: number; readonly low: number; readonly high: number };

/** What a rate is counted per. */
export const RATE_BASE = 100_000;

/**
 * The rate of `papers`, a whole number, among `publications`; undefined where there are none, as nothing can be said then.
 * The product is exact, so that a rate is rounded once and equal fractions give equal rates, which share a rank.
 */
export function ratePer100k(papers: number, publications: number): Rate | undefined {
  if (publications <= 0) return undefined;
  const { low, high } = poissonInterval(papers);
  return {
    rate: (papers * RATE_BASE) / publications,
    low: (low * RATE_BASE) / publications,
    high: (high * RATE_BASE) / publications,
  };
}
