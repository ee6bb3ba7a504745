import { compiled, igamc, igami, incbi, lgam, ndtri } from "cephes";

// Cephes (Moshier, 1989), against mpmath with 40 digits, for shapes from 1 to 100,000: off by at most 2.5e-11, relative.
// The other measured packages miss 1e-9: @stdlib's gamma quantile is off by 1.5e-4 above 0.5 from a shape of 1,000 on, and
// jStat's beta quantile by 1.4e-9.
await compiled;

/** The base of a rate: papers per 100,000 publications. */
export const RATE_BASE = 100_000;

/**
 * The rate of `papers`, a whole number, among `publications`, with its exact 95% interval, unrounded. All are null without
 * publications. The product is exact, so that equal fractions give equal rates and share a rank.
 */
export function ratePer100k(papers: number, publications: number) {
  if (publications <= 0) return { rate: null, rate_ci_low: null, rate_ci_high: null };
  const { low, high } = poissonInterval(papers);
  return {
    rate: (papers * RATE_BASE) / publications,
    rate_ci_low: (low * RATE_BASE) / publications,
    rate_ci_high: (high * RATE_BASE) / publications,
  };
}

/** The part of the distribution beyond each end of a 95% interval. */
export const TAIL = 0.025;

type Interval = { readonly low: number; readonly high: number };

/**
 * The exact 95% interval of the mean of a Poisson distribution, given one observed `count` (Garwood, 1936, through the
 * gamma distribution): a mean at either limit gives a count as extreme as this one with a probability of 2.5%.
 */
export function poissonInterval(count: number): Interval {
  return OF_SMALL_COUNTS[count] ?? garwoodInterval(count);
}

function garwoodInterval(count: number): Interval {
  const low = count === 0 ? 0 : gammaQuantile(count, TAIL);
  return { low, high: gammaQuantile(count + 1, 1 - TAIL) };
}

/** Papers among publications: the two sides of a rate. */
export type Counted = { readonly papers: number; readonly publications: number };

/** A ratio with its 95% interval; null for an infinite value. */
type RateRatio = {
  readonly ratio: number | null;
  readonly low: number;
  readonly high: number | null;
};

/**
 * The ratio of the rate of `one` to the rate of `other`, with the exact conditional interval (Przyborowski and Wilenski,
 * 1940): given the total papers of both, the papers of `one` are binomial, and the Clopper-Pearson limits of their share
 * become limits of the ratio. Without papers in `one` the ratio and its lower limit are 0.
 * Undefined when either side has no publications.
 */
export function rateRatio(one: Counted, other: Counted): RateRatio | undefined {
  if (one.publications <= 0 || other.publications <= 0) return undefined;
  const scale = other.publications / one.publications;
  return {
    ratio: ratioOf(one, other),
    low: one.papers === 0 ? 0 : odds(one.papers, other.papers + 1, TAIL) * scale,
    high: other.papers === 0 ? null : odds(one.papers + 1, other.papers, 1 - TAIL) * scale,
  };
}

function ratioOf(one: Counted, other: Counted): number | null {
  if (one.papers === 0) return 0;
  if (other.papers === 0) return null;
  return (one.papers * other.publications) / (other.papers * one.publications);
}

/** The odds of a quantile `x` of the beta distribution. `1 - x` is a quantile too, and loses no digits where `x` is near 1. */
function odds(alpha: number, beta: number, lowerTail: number): number {
  return incbi(alpha, beta, lowerTail) / incbi(beta, alpha, 1 - lowerTail);
}

/** The `x` below which a gamma distribution with this shape and the scale 1 has the probability `lowerTail`. */
function gammaQuantile(shape: number, lowerTail: number): number {
  return shape < LARGE_SHAPE ? igami(shape, 1 - lowerTail) : largeGammaQuantile(shape, lowerTail);
}

/** `igami` throws at one in 50 of the shapes from 7,485 to 100,000: its search starts where a step underflows. */
const LARGE_SHAPE = 5_000;

/** Newton's method from the approximation of Wilson and Hilferty (1931), which is right to six digits at such shapes. */
function largeGammaQuantile(shape: number, lowerTail: number): number {
  const ninth = 1 / (9 * shape);
  let x = shape * (1 - ninth + ndtri(lowerTail) * Math.sqrt(ninth)) ** 3;
  for (let step = 0; step < NEWTON_STEPS; step += 1) {
    const density = Math.exp((shape - 1) * Math.log(x) - x - lgam(shape));
    x += (igamc(shape, x) - (1 - lowerTail)) / density;
  }
  return x;
}

/** Each step doubles the digits: from six, two steps are enough for a double. */
const NEWTON_STEPS = 3;

/**
 * Nearly all rows have few papers: an institution 1 or 2, a country rarely 250. An interval takes 6 µs to compute, which
 * would delay a million rows; these are computed once, in 2 ms.
 */
const SMALL_COUNTS = 256;

const OF_SMALL_COUNTS: readonly Interval[] = Array.from({ length: SMALL_COUNTS }, (_, count) =>
  garwoodInterval(count),
);

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
