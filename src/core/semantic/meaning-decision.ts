/** What speaks for and against the reuse of a passage. */
export type PassageEvidence = {
  /** The sum of its pairs' margins less the costs of gaps. */
  readonly score: number;
  /** The query sentences from its first to its last. */
  readonly passageSentences: number;
  /** How much more the words of its pairs have in common than each sentence has with the text around; see `wordContrast`. */
  readonly wordContrast: number;
  /** Whether both sides are in the same language. */
  readonly isSameLanguage: boolean;
  /** Sentences of the whole query: the more, the more passages are found by chance. */
  readonly querySentences: number;
};

/**
 * The log-odds that a passage was reused: above 0 it is reported. Between two languages the meaning alone decides. Within one, two
 * texts on a subject have similar sentences, so the words of the pairs must say that these very sentences were used.
 */
export function reuseLogOdds(evidence: PassageEvidence): number {
  const { score, passageSentences, wordContrast, querySentences } = evidence;
  const chances = Math.log(Math.max(1, querySentences / QUERY_SENTENCES_USUAL));
  if (!evidence.isSameLanguage) return TRANSLATED.base + TRANSLATED.score * Math.min(score, 1) - chances;
  const beyondChance = Math.max(0, score - MARGIN_OF_SUBJECT * passageSentences);
  const contrast = Math.min(wordContrast, CONTRAST_MAX);
  return REWORDED.base + REWORDED.score * beyondChance + REWORDED.contrast * contrast - chances;
}

/**
 * The margin that a sentence gains by the subject alone, in long rows of sentences of two articles on one subject. With it, two
 * figures decide as well as nine, which were tried (means, roots, shares of words in the passage and around it, order).
 */
const MARGIN_OF_SUBJECT = 0.08;

/** More proves nothing more: names that stand in each sentence add up. */
const CONTRAST_MAX = 2;

/**
 * Fitted by logistic regression on one half of the development data, with rows of sentences in articles on the same subject as
 * further negatives; the base is 1 lower than fitted, at which 5% of articles have a passage. See `docs/algorithm.md`.
 */
const REWORDED = { base: -4.8, score: 11.7, contrast: 3.9 } as const;

/** Passages of other languages score at most .3 by chance and .5 or more when they were translated. */
const TRANSLATED = { base: -9, score: 22 } as const;

/** Sentences of the texts by which the rule was fitted. */
const QUERY_SENTENCES_USUAL = 25;
