import type { Pair } from "../pair/pair.ts";

/**
 * The chance that a stem stands in a bag of so many words without reuse: 1 - exp(-rate), a Poisson count, whose rate is
 * the bag's size times the stem's frequency in both texts, `outside` the stretches that are compared (`excluded` words).
 */
export function chanceInBag(
  pair: Pair,
  id: number,
  outside: number,
  excluded: number,
  bagWords: number,
): number {
  const share = pair.query.shares[id] ?? 0;
  const frequency = (outside + PRIOR_WORDS * share) / (pair.words - excluded + PRIOR_WORDS);
  const chance = 1 - Math.exp(-BURST * frequency * bagWords);
  return Math.min(CHANCE_MAX, Math.max(chanceMin(bagWords), chance));
}

/** The log-odds of reuse against chance when a word is found, `kept` being how many words reuse keeps. */
export function foundScore(chance: number, kept: number): number {
  return Math.log(1 + (kept * (1 - chance)) / chance);
}

/** The same when it is not found: chance has nothing to do with it. */
export function missedScore(kept: number): number {
  return Math.log(1 - kept);
}

/** The weight of the common frequency of a word against what the two texts show, in words. */
const PRIOR_WORDS = 500;

/** Words come in bursts: one that stands in a text is the likelier to stand there again. */
const BURST = 1.5;

const CHANCE_MAX = 0.98;

/** No word is rarer than this: two texts on one matter share rare words too. At 1e-4 PAN13 loses .02, at .016 .0005. */
const CHANCE_MIN = 0.02;

/** The floor rises with large bags, in which texts on one matter share most of their words. */
const LARGE_BAG_WORDS = 300;
const CHANCE_MIN_PER_WORD = 3e-4;
const CHANCE_MIN_MAX = 0.3;

function chanceMin(bagWords: number): number {
  if (bagWords <= LARGE_BAG_WORDS) return CHANCE_MIN;
  return Math.min(CHANCE_MIN_MAX, CHANCE_MIN + CHANCE_MIN_PER_WORD * (bagWords - LARGE_BAG_WORDS));
}
