import { type Span, spanLength, widenedSpan } from "../../text/span.ts";
import type { ChanceModel } from "./model.ts";
import type { Side, TextPair } from "./text-pair.ts";

/** The log-odds of a word found in the other text's bag. Reuse keeps a word with probability `kept`, else leaves it to `chance`. */
export function foundScore(chance: number, kept: number): number {
  return Math.log(1 + (kept * (1 - chance)) / chance);
}

/** The log-odds when the word is not found. They do not depend on chance. */
export function missedScore(kept: number): number {
  return Math.log(1 - kept);
}

/**
 * The probability that a stem occurs by chance in a bag: 1 - exp(-rate), a Poisson model whose rate is `bagWords` times the
 * stem's frequency outside the compared spans, which hold it `inside` times in `excluded` words.
 */
export function chanceInBag(
  { query, sourceCounts, words, model }: TextPair,
  id: number,
  inside: number,
  excluded: number,
  bagWords: number,
  { burst, min }: ChanceModel = model.localChance,
): number {
  const outside = Math.max(0, (query.counts[id] ?? 0) + (sourceCounts[id] ?? 0) - inside);
  const { priorWords } = model;
  const frequency = (outside + priorWords * (query.shares[id] ?? 0)) / (words - excluded + priorWords);
  const chance = 1 - Math.exp(-burst * frequency * bagWords);
  return Math.min(model.chanceMax, Math.max(min, chance));
}

/** Which words are scored, and against which bag. */
export type Scoring = {
  readonly own: Side;
  readonly other: Side;
  /** The span of `own` that is currently assumed to be reused. Words are scored outward from its centre. */
  readonly core: Span;
  /** The span of `other` whose words form the bag. */
  readonly bag: Span;
  /** The share of words that reuse is assumed to keep, between 0 and 1. */
  readonly kept: number;
  /** The score of a word of which the bag has no occurrence left; 0 by default. */
  readonly surplus?: number;
  /** `localChance` by default. */
  readonly chance?: ChanceModel;
};

/**
 * Fills the NaN places of `scores` with the scores of the words of `own` from `from` on, one to one: once the bag has no more
 * of a word, further ones say nothing (without this rule PAN13 loses .03). Words with a positive score use up an occurrence.
 */
export function scoreWords(pair: TextPair, scoring: Scoring, from: number, scores: Float64Array): void {
  const { own, other, core, bag: bagSpan, kept, surplus = 0, chance } = scoring;
  const { bags } = pair.query;
  const { oneToOne } = pair.model.rules;
  const bagWords = bagSpan.end - bagSpan.start;
  const excluded = bagWords + core.end - core.start;
  const missed = missedScore(kept);
  bags.lendFilled(other.ids, bagSpan, (bag) =>
    bags.lendFilled(own.ids, core, (inCore) => {
      const { length } = scores;
      for (let i = 0; i < length; i++) if ((scores[i] ?? 0) > 0) bag.take(own.ids[from + i] ?? -1);
      const scoreOf = (id: number): number => {
        const inBag = bag.count(id);
        if (inBag === 0) return missed;
        if (oneToOne && !bag.take(id)) return surplus;
        const inside = inBag + inCore.count(id);
        return foundScore(chanceInBag(pair, id, inside, excluded, bagWords, chance), kept);
      };
      let right = Math.min(length, Math.max(0, ((core.start + core.end) >> 1) - from));
      let left = right - 1;
      while (right < length || left >= 0) {
        if (right < length) {
          if (Number.isNaN(scores[right])) scores[right] = scoreOf(own.ids[from + right] ?? -1);
          right++;
        }
        if (left >= 0) {
          if (Number.isNaN(scores[left])) scores[left] = scoreOf(own.ids[from + left] ?? -1);
          left--;
        }
      }
    }),
  );
}

/** Places for `scoreWords` to fill. */
export function unscored(words: number): Float64Array {
  return new Float64Array(words).fill(Number.NaN);
}

/** A span with its score and the scores of its words. */
type ImprovedSpan = ScoredSpan & { readonly scores: Float64Array };

/** The best span near `scoring.core`; each end moves up to `reachWords` inside `within`. Words without `coreScores` are scored. */
export function improveSpan(
  pair: TextPair,
  scoring: Scoring,
  within: Span,
  coreScores?: Float64Array,
): ImprovedSpan {
  const reach = widenedSpan(scoring.core, pair.model.reachWords, within);
  const scores = unscored(spanLength(reach));
  if (coreScores !== undefined) scores.set(coreScores, scoring.core.start - reach.start);
  scoreWords(pair, scoring, reach.start, scores);
  const best = bestSpan(scoring.own.boundaryPriors, reach.start, scores);
  return { ...best, scores: scores.subarray(best.start - reach.start, best.end - reach.start) };
}

/** A span of words and the sum of its word scores and boundary priors. */
export type ScoredSpan = Span & { readonly score: number };

/**
 * The non-empty span with the greatest sum of word scores and boundary priors: a maximum subarray (Kadane, in Bentley, 1984),
 * linear. `boundaryPriors` are those of the whole side; `from` is the word of `scores[0]`.
 */
export function bestSpan(boundaryPriors: Float64Array, from: number, scores: Float64Array): ScoredSpan {
  let before = 0;
  let bestStart = from;
  let bestStartPrice = Number.POSITIVE_INFINITY;
  let start = from;
  let end = from;
  let score = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < scores.length; i++) {
    const startPrice = before - (boundaryPriors[from + i] ?? 0);
    if (startPrice < bestStartPrice) {
      bestStartPrice = startPrice;
      bestStart = from + i;
    }
    before += scores[i] ?? 0;
    const reached = before + (boundaryPriors[from + i + 1] ?? 0) - bestStartPrice;
    if (reached > score) {
      score = reached;
      start = bestStart;
      end = from + i + 1;
    }
  }
  return { start, end, score };
}
