/** What speaks for and against the reuse of a passage. */
export type PassageEvidence = {
  /** The sum of its sentences' margins; a sentence without a counterpart counts as `MARGIN_MIN`. */
  readonly meaning: number;
  /** The sum of its sentences' word evidence, in nats; see `wordEvidence`. */
  readonly words: number;
  /** The same for the best sentences elsewhere in the source. */
  readonly wordsElsewhere: number;
  /** Its query sentences, from the first to the last. */
  readonly sentences: number;
  /** Whether both sides are in the same language. */
  readonly isSameLanguage: boolean;
  /** Sentences of the whole query: the more, the more passages are found by chance. */
  readonly querySentences: number;
};

/** What a sentence contributes at least: authors put in sentences of their own. */
export const MARGIN_MIN = -0.08;

/**
 * The log-odds that a passage was reused: above 0 it is reported. Between two languages the meaning alone decides. Within one, two
 * texts on a subject have similar sentences, so the words must say that these very sentences were used.
 */
export function reuseLogOdds(evidence: PassageEvidence): number {
  const { meaning, sentences, querySentences } = evidence;
  const chances = Math.log(Math.max(1, querySentences / QUERY_SENTENCES_USUAL));
  if (!evidence.isSameLanguage) return TRANSLATED.base + TRANSLATED.meaning * Math.min(meaning, 1) - chances;
  const beyondSubject = meaning - MARGIN_OF_SUBJECT * sentences;
  const words = REWORDED.words * evidence.words - REWORDED.wordsElsewhere * evidence.wordsElsewhere;
  return REWORDED.base + REWORDED.meaning * beyondSubject + Math.min(WORDS_MAX, words) - chances;
}

/** The margin that a sentence gains by the subject alone, in long rows of sentences of two articles on one subject. */
const MARGIN_OF_SUBJECT = 0.08;

/** Words alone prove no more: a long passage adds up what each of its sentences says about the same subject. */
const WORDS_MAX = 5;

/**
 * Fitted by logistic regression on one half of the development data and on articles against all others; the base is set to the point
 * at which none of 40 independent texts on the same subject is reported. See `docs/algorithm.md`.
 */
const REWORDED = { base: -1.75, meaning: 4.8, words: 0.12, wordsElsewhere: 0.17 } as const;

/** By chance passages of other languages score at most .35; 57 of 60 translated paragraphs have .6 or more. */
const TRANSLATED = { base: -8.4, meaning: 22 } as const;

/** Sentences of the texts by which the rule was fitted. */
const QUERY_SENTENCES_USUAL = 25;
