/** The evidence that some query sentences of one paragraph were reworded from one window of a source. */
export type ParagraphEvidence = {
  /** The word evidence of the window, in nats; see `WindowWords`. */
  readonly words: number;
  /** The mean, over the query sentences, of their best margin in the window, each at most `MARGIN_MAX`. */
  readonly meaning: number;
  /** Names and numbers of the query sentences that stand in the window or in the sentences beside it, and those that do not. */
  readonly namesFound: number;
  readonly namesMissing: number;
  /** How many source sentences are the nearest one of some query sentence. */
  readonly sourceSentences: number;
  /** UTF-16 units of the query sentences. */
  readonly length: number;
  /** The share of formulas in the query sentences or in their nearest source sentences, whichever is smaller. */
  readonly formulaShare: number;
  /** Whether words have found a passage from the same place of the source directly before or behind them, in the same paragraph. */
  readonly isBesideWords: boolean;
};

/**
 * The log-odds that the sentences were reworded from the window: above 0 they are reported. Each figure looks at them as a whole. Two texts
 * on a subject share words, names and single sentences; a reworded paragraph shares most of them with one window, follows several of its
 * sentences and has few names that are not there.
 * @param querySentences of the whole query: the more, the more windows are similar by chance
 */
export function rewordedLogOdds(evidence: ParagraphEvidence, querySentences: number): number {
  const { words, namesFound, namesMissing } = evidence;
  const margin = evidence.meaning - FORMULA_MARGIN * Math.min(FORMULAS_MAX, evidence.formulaShare);
  return (
    REWORDED.base +
    (words > 0 ? REWORDED.words.found * Math.min(NATS_MAX, words) : REWORDED.words.missing * words) +
    REWORDED.meaning * margin +
    REWORDED.names * Math.log((namesFound + 1) / (namesMissing + 1)) +
    REWORDED.sourceSentences * Math.log(evidence.sourceSentences) +
    REWORDED.length * Math.log(evidence.length / LENGTH_USUAL) +
    (evidence.isBesideWords ? REWORDED.besideWords : 0) -
    REWORDED.chances * chances(querySentences)
  );
}

/**
 * What other evidence from the same document adds to the log-odds: whoever reworded one paragraph of it probably reworded more. It is
 * bounded, so that it never decides alone.
 * @param best the log-odds of the best other paragraph that was reworded from the document
 */
export function supportOf(best: number): number {
  return SUPPORT * Math.min(SUPPORT_MAX, Math.max(0, best - SUPPORT_FROM));
}

/** The evidence that consecutive query sentences are translated from consecutive source sentences. */
type TranslationEvidence = {
  /** The sum of the sentences' margins; a sentence without a counterpart counts as `MARGIN_MIN`. */
  readonly meaning: number;
  /** The same for the most similar sentences elsewhere in the source. */
  readonly meaningElsewhere: number;
  /** The query sentences, from the first to the last. */
  readonly sentences: number;
};

/** The minimum contribution of a sentence: authors insert their own sentences. */
export const MARGIN_MIN = -0.08;

/**
 * The log-odds that a passage was translated: above 0 it is reported. Words say little between languages. These sentences must be nearer
 * than others of the source, and near as a whole and on average.
 * @param querySentences of the whole query: the more, the more passages are found by chance
 */
export function translatedLogOdds(
  { meaning, meaningElsewhere, sentences }: TranslationEvidence,
  querySentences: number,
): number {
  // The sentences of a long passage all resemble others on the subject, so more sentences prove no more.
  const share = Math.min(1, SENTENCES_COUNTED_MAX / sentences);
  return (
    TRANSLATED.base +
    TRANSLATED.contrast * Math.min(1, share * (meaning - meaningElsewhere)) +
    TRANSLATED.meaning * Math.min(1, meaning) +
    (TRANSLATED.average * meaning) / sentences -
    chances(querySentences)
  );
}

function chances(querySentences: number): number {
  return Math.log(Math.max(1, querySentences / QUERY_SENTENCES_USUAL));
}

/** A passage between two members of a batch that was found by its meaning. */
type MemberEvidence = {
  readonly isTranslated: boolean;
  readonly logOdds: number;
  /** Those of its sentence pairs. */
  readonly margins: readonly number[];
};

/**
 * Whether a passage is more than a resemblance of two essays on one subject, which have many similar sentences. In reused passages, sentences
 * are nearer to each other on average. Within a language, each further member is also a chance of a resemblance, as is each sentence of a query.
 * @param members with which the query is compared
 */
export function exceedsOneSubject(
  { isTranslated, logOdds, margins }: MemberEvidence,
  members: number,
): boolean {
  const marginMin = isTranslated ? ONE_SUBJECT_MARGIN.translated : ONE_SUBJECT_MARGIN.sameLanguage;
  const isNear = margins.reduce((sum, margin) => sum + margin, 0) >= marginMin * margins.length;
  return (
    isNear && (isTranslated || logOdds > REWORDED.chances * Math.log(Math.max(1, members / MEMBERS_USUAL)))
  );
}

/**
 * Within a language, passages of two texts on one subject have a mean margin below .3, except one of 68 among 400 members with planted
 * rings. Between two languages, all 29 planted passages of a set of 1,000 have more than .2, and 11 of 14 others less.
 */
const ONE_SUBJECT_MARGIN = { sameLanguage: 0.3, translated: 0.2 } as const;

/** Members of a class: among so many, the mean margin is enough. */
const MEMBERS_USUAL = 25;

/**
 * Fitted by logistic regression, and rounded, on paragraphs that language models and students reworded, beside paragraphs of their own on
 * the same subject, and on articles that copy nothing from each other. See `docs/algorithm.md`.
 */
const REWORDED = {
  base: -3.6,
  words: { found: 0.09, missing: 0.28 },
  meaning: 15,
  names: 1.15,
  sourceSentences: 1.9,
  length: 1.25,
  besideWords: 3,
  chances: 1.35,
} as const;

/** Bound of the word evidence, in nats: one long list of shared names does not decide alone. */
export const NATS_MAX = 30;

/** Bound of the margin of a sentence: a nearer one proves no more, as it may be one that many texts have. */
export const MARGIN_MAX = 0.2;

/**
 * Formulas in TeX resemble each other: independent paragraphs of papers on one subject have a mean margin of .05 without formulas, .17 where
 * .15 to .3 of both texts are formulas, and .23 where more are.
 */
const FORMULA_MARGIN = 0.7;
const FORMULAS_MAX = 0.3;

/** The length of a usual paragraph, in UTF-16 units. */
const LENGTH_USUAL = 500;

/** Fitted with the figures above; a paragraph that is itself just reported adds .8, the strongest 2. */
const SUPPORT = 0.8;
const SUPPORT_MAX = 2.5;

/** Below these log-odds, a paragraph says nothing for others beside it. */
const SUPPORT_FROM = -1;

/** The greatest contribution of other evidence. */
export const SUPPORT_GREATEST = SUPPORT * SUPPORT_MAX;

/** A longer translated passage counts as eight average sentences. */
const SENTENCES_COUNTED_MAX = 8;

/**
 * Fitted by logistic regression on translated paragraphs and on manuals translated by people; some manuals are about the same subject. The
 * constant was then raised by a half. See `docs/algorithm.md`.
 */
const TRANSLATED = { base: -8.5, contrast: 5, meaning: 5, average: 13 } as const;

/** Sentences of the texts by which the rules were fitted. */
const QUERY_SENTENCES_USUAL = 25;
