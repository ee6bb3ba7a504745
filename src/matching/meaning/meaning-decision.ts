/** The evidence for and against the reuse of a passage. */
export type SentenceEvidence = {
  /** The sum of its sentences' margins; a sentence without a counterpart counts as `MARGIN_MIN`. */
  readonly meaning: number;
  /** The same for the most similar sentences elsewhere in the source. */
  readonly meaningElsewhere: number;
  /** The sum of its sentences' word evidence, in nats; see `wordEvidence`. */
  readonly words: number;
  /** The same for the best sentences elsewhere in the source. */
  readonly wordsElsewhere: number;
  /** Its names and numbers that stand in the source of the passage, or in the sentences beside it. */
  readonly namesFound: number;
  /** Its names and numbers that do not. */
  readonly namesMissing: number;
  /** Whether words have found a passage from the same place of the source directly before or behind it. */
  readonly isBesideWords: boolean;
  /** Its query sentences, from the first to the last. */
  readonly sentences: number;
  /** Whether both sides are in the same language. */
  readonly isSameLanguage: boolean;
  /** Sentences of the whole query: the more, the more passages are found by chance. */
  readonly querySentences: number;
};

/** The minimum contribution of a sentence: authors insert their own sentences. */
export const MARGIN_MIN = -0.08;

/**
 * The log-odds that a passage was reused: above 0 it is reported. Two texts on a subject have similar sentences and words, so
 * these sentences must be nearer than others of the source. Between two languages, the meaning of the whole passage and of an average
 * sentence decides as well. Within one language, words and names do: a text that was reworded or condensed keeps most names and numbers of
 * its source and has few others.
 */
export function reuseLogOdds(evidence: SentenceEvidence): number {
  const { meaning, sentences, querySentences } = evidence;
  const chances = Math.log(Math.max(1, querySentences / QUERY_SENTENCES_USUAL));
  // The sentences of a long passage all resemble others on the subject, so more sentences prove no more.
  const share = Math.min(1, SENTENCES_COUNTED_MAX / sentences);
  const contrast = Math.min(1, share * (meaning - evidence.meaningElsewhere));
  if (!evidence.isSameLanguage) {
    return (
      TRANSLATED.base +
      TRANSLATED.contrast * contrast +
      TRANSLATED.meaning * Math.min(1, meaning) +
      (TRANSLATED.average * meaning) / sentences -
      chances
    );
  }
  const beyondSource = share * (evidence.words - evidence.wordsElsewhere);
  return (
    REWORDED.base +
    REWORDED.contrast * contrast +
    REWORDED.words * Math.min(NATS_MAX, Math.max(NATS_MIN, beyondSource)) +
    REWORDED.names * Math.log((evidence.namesFound + 1) / (evidence.namesMissing + 1)) +
    (evidence.isBesideWords ? REWORDED.besideWords : 0) -
    chances
  );
}

/**
 * Whether a passage that was found by its meaning is more than a resemblance of two essays on one subject, which have many similar
 * sentences. In reused passages, sentences are nearer to each other on average.
 * @param margins of its sentence pairs
 */
export function exceedsOneSubject(isTranslated: boolean, margins: readonly number[]): boolean {
  const marginMin = isTranslated ? ONE_SUBJECT_MARGIN.translated : ONE_SUBJECT_MARGIN.sameLanguage;
  return margins.reduce((sum, margin) => sum + margin, 0) >= marginMin * margins.length;
}

/**
 * Within a language, passages of two texts on one subject have a mean margin below .3, except one of 68 among 400 members with planted
 * rings. Between two languages, all 29 planted passages of a set of 1,000 have more than .2, and 11 of 14 others less.
 */
const ONE_SUBJECT_MARGIN = { sameLanguage: 0.3, translated: 0.2 } as const;

/** A longer passage counts as eight average sentences. */
const SENTENCES_COUNTED_MAX = 8;

const NATS_MIN = -10;
const NATS_MAX = 30;

/**
 * Fitted by logistic regression on rewritten paragraphs, on articles that copy nothing from each other, and on texts of PAN13's tuning
 * part, whose sources are about the same subject as many other documents of the corpus. See `docs/algorithm.md`.
 */
const REWORDED = { base: -3.5, contrast: 3.3, words: 0.08, names: 1.5, besideWords: 2 } as const;

/**
 * Fitted likewise on translated paragraphs and on manuals translated by people; some manuals are about the same subject. The constant was
 * then raised by a half. See `docs/algorithm.md`.
 */
const TRANSLATED = { base: -8.5, contrast: 5, meaning: 5, average: 13 } as const;

/** Sentences of the texts by which the rule was fitted. */
const QUERY_SENTENCES_USUAL = 25;
