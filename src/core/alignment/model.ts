/**
 * The constants of the alignment, in groups. Scores are log-odds in nats, lengths are in words. Figures in comments are
 * differences of plagdet on PAN13 and on mixed (`docs/benchmarks.md`); `docs/ablation.md` says what each group contributes.
 */
export const MODEL = {
  /** Lengths that many rules share. */
  words: {
    /** Shorter exact matches are accidents of language. From four to six nothing changes; with eight mixed loses .001. */
    match: 5,
    /** Anyone might write the same half-sentence: with fewer words in common nothing is reported. */
    phrase: 8,
    /** A short sentence: users want to see a copy of it whatever the decision score is. */
    sentence: 12,
    /** A line and a half: other text of this length is more than an edit. With 12 mixed loses .006. */
    line: 15,
  },

  /** Shares that many rules share. */
  shares: { few: 1 / 4, half: 1 / 2, most: 0.85 },

  /**
   * The probability that a word occurs by chance in a bag of words of the other text. `burst` multiplies the expected number of
   * occurrences: a word that occurs in a text is likely to occur there again. Texts on one subject share rare words
   * too, so no probability is below `min` (with 1e-4 PAN13 loses .02), and none is above 1 - `min`.
   */
  chance: { burst: 1.5, min: 0.02 },

  /** The same for summaries, whose bag is the whole source: rare words are shared more often, and each word counts once. */
  summaryChance: { burst: 0.7, min: 0.2 },

  /** How often words occur in a language. */
  language: {
    /** The weight of a word's share in the language against its frequency in the two texts, in words. */
    priorWords: 500,
    /** The share of the commonest word; the others in the table follow Zipf's law (1935): this / rank. */
    firstShare: 0.06,
    /** The share of words that are not in the table. */
    rareShare: 1e-5,
    /** Without a table, words are common that make up this share of the query and occur this often in it. */
    commonShare: 0.008,
    commonCount: 8,
  },

  scoring: {
    /** The share of its words that reworded text is assumed to keep. */
    kept: 0.42,
    /** How far a span may grow or move in one step. With 40 PAN13 loses .007. */
    reach: 120,
  },

  /**
   * The log-odds that a passage begins or ends between two words of a clause; at a comma, a colon or a line end of the query; at a
   * blank line; and at an end of the text. At a sentence end, and at a line end of the source, they are 0.
   */
  boundaries: { inside: -5, pause: -2, paragraph: 0.5, end: 1 },

  seeds: {
    /**
     * The words of a gram, the seed of an exact match, and the bag that a word of an exact match is scored against, as its place is
     * known. Edits fall closer together than a shingle of the retrieval is long: with two words PAN13 loses .013.
     */
    gramWords: 3,
    /** A block is a short paragraph. */
    blockWords: 32,
    /** Two blocks that score less share at most two rare words. */
    scoreMin: 6,
    /** Block seeds that are tried in short texts, and one more for so many words of the geometric mean of both texts. */
    tried: 40,
    perWords: 250,
  },

  ascent: {
    /** The widening of the first bag. Without wider bags PAN13 loses .006 and a sixth of the rewritten paragraphs is no longer found. */
    padding: 96,
  },

  candidate: {
    /** The log-odds that a passage needs in two texts of 1,000 words. From 41 to 44 neither benchmark changes by .001. */
    threshold: 44,
    /** What each e-fold of the number of places (query words × source words) adds to it, beyond the usual number. */
    perSize: 5,
    usualPlaces: 1e6,
    /** In an insertion, missed words outnumber found ones so many times. */
    foundWeight: 3,
    /** Two uses of a source span make half of the found words surplus, less what edits lost. */
    doubledShare: 0.35,
  },

  merging: {
    /** The price of each merged part: merging saves the threshold and boundary priors of all parts but one. */
    partPrice: 20,
    /** The estimated price of a word between two candidates. */
    gapPrice: 0.25,
    /** The share of words that reuse is assumed to keep between the parts of a passage. */
    kept: 0.5,
    /** The most that an omitted span of the source costs, and what each of its words adds. */
    omission: 10,
    omissionPerWord: 0.05,
  },

  /** Extending a candidate at its ends. */
  extension: {
    /** The share of words that reuse is assumed to keep there. */
    kept: 0.8,
    /** The score of words that are used up: a passage that is used twice in a row would absorb its other use. */
    surplus: -0.6,
    /** How far the other side is searched beyond its ends: this share of its length, and at least a line. */
    padding: 0.1,
  },

  /** The weights of the decision score, and what they refer to. */
  decision: {
    bias: -3.5,
    topic: 9,
    topicWords: 128,
    priorWords: 20,
    found: 9.75,
    repeated: -13.7,
    lopsided: -1.98,
    namesOnly: -5,
    fewLogOdds: 8,
    nameLogOdds: 30,
    perSource: 0.25,
    perSourceIfWeak: 0.3,
    strongScore: 80,
    oneSubjectPerWord: 1.7,
    rareWords: 2,
    otherCopies: 6,
  },

  copies: { sharedWords: 2 },

  summary: {
    bias: -11,
    kept: 6,
    priorWords: 20,
    hasLocal: 12,
    inside: -2,
    dense: -9,
    shift: -9,
    usualWords: 110,
    long: -10,
    usualSourceWords: 2_000,
    elsewhere: 11,
  },
} as const;

/** The constants by which a query is aligned; the ablation changes some. */
export type Model = {
  readonly [Group in keyof typeof MODEL]: { readonly [Name in keyof (typeof MODEL)[Group]]: number };
};

export type ChanceModel = Model["chance"];

/** Bounds on time and memory. */
export const LIMITS = {
  /** Source words that a query remembers with their numbers, about 10 MB. */
  words: 100_000,
  /** Block seeds held at once: far more than are tried, and a bound for long texts on one subject. */
  seeds: 4_000,
  places: 8,
  rounds: 5,
  mergeTries: 6,
  mergeGap: 500,
} as const;

export const MINOR_CHANGES_MIN = 0.8;
