import type { SharedWords } from "./shared-words.ts";

/** What speaks for and against the reuse of a passage. */
export type MeaningEvidence = SharedWords & {
  /** The sum of its pairs' margins less the costs of gaps. */
  readonly score: number;
  /** Whether both sides are in the same language. */
  readonly isSameLanguage: boolean;
  /** Sentences of the whole query: the more, the more passages are found by chance. */
  readonly querySentences: number;
};

/**
 * The log-odds that a passage was reused: above 0 it is reported. Between two languages the meaning alone decides. Within one, two
 * texts on a subject have similar sentences, so words must say that this place was used: a logistic rule on five figures.
 */
export function reuseLogOdds(evidence: MeaningEvidence): number {
  const { score, ownShare, displacedShare, repeatedShare, querySentences } = evidence;
  const chances = Math.log(Math.max(1, querySentences / QUERY_SENTENCES_USUAL));
  if (!evidence.isSameLanguage) return TRANSLATED.base + TRANSLATED.score * Math.min(score, 1) - chances;
  return (
    REWORDED.base +
    REWORDED.score * Math.min(score, 1) +
    REWORDED.ownShare * ownShare +
    REWORDED.displacedShare * displacedShare +
    REWORDED.repeatedShare * repeatedShare -
    chances
  );
}

/** Fitted by logistic regression on the odd paragraphs of the development data; see `docs/algorithm.md`. */
const REWORDED = {
  base: -4.4,
  score: 5.8,
  ownShare: 15.7,
  displacedShare: -6.7,
  repeatedShare: -12.1,
} as const;

/** Passages of other languages score at most .3 by chance and .5 or more when they were translated. */
const TRANSLATED = { base: -10, score: 22 } as const;

/** Sentences of the texts by which the rule was fitted. */
const QUERY_SENTENCES_USUAL = 25;
