/** The log-odds that a passage begins or ends at a blank line and at an end of the text. */
const TEXT_PARTS = { paragraph: 0.5, end: 1 };

/**
 * The constants of the alignment, in groups. A query is prepared with them, so that the ablation can align with others. Scores are
 * log-odds in nats, lengths are in words. Figures in comments are differences of plagdet on PAN13 and on mixed
 * (`docs/benchmarks.md`); `docs/ablation.md` says what each rule contributes.
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
    /**
     * A line: other text of this length is more than an edit (with 12 mixed loses .006), a row of names is a list that was copied, and
     * equal words that no frequent shingle covers are no boilerplate.
     */
    line: 15,
    /** The weight of an assumed share, as if so many words had been looked at. */
    prior: 20,
  },

  /** Shares that many rules share. A copy has most of its words in exact matches. */
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
    kept: 0.4,
    /** How far a span may grow or move in one step. With 40 PAN13 loses .007. */
    reach: 120,
  },

  /**
   * The log-odds that a passage of the query begins or ends between two words of a clause, before a capital, at a comma or colon, at
   * a line end, at a blank line and at an end of the text; at a sentence end they are 0. Without them PAN13 loses .011.
   */
  queryBoundaries: { inside: -6, capital: -2, pause: -2.5, line: -3, ...TEXT_PARTS },

  /** The same for a source. Source passages are often cut out of a page at a line end. */
  sourceBoundaries: { inside: -5, capital: -4, pause: -3.5, line: 0, ...TEXT_PARTS },

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
    /**
     * Steps of the ascent with a wider bag, as a seed is only a guess: the first is widened by so many blocks at both ends, each next by
     * one less. Without wider bags PAN13 loses .006 and a sixth of the rewritten paragraphs is no longer found.
     */
    paddedSteps: 3,
  },

  candidate: {
    /** The log-odds that a passage needs in two texts of 1,000 words; half of them make a candidate. From 41 to 44 nothing changes. */
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
    queryKept: 0.5,
    sourceKept: 0.625,
    /** The most that an omitted span of the source costs: a start, and some per word of it and of the parts around it. */
    omission: 6.4,
    omissionPerWord: 0.05,
    omissionPerPartWord: 0.16,
  },

  /** Extending a candidate at its ends. */
  extension: {
    /** The share of words that reuse is assumed to keep there. */
    kept: 0.8,
    /** The score of words that are used up: a passage that is used twice in a row would absorb its other use. */
    surplus: -0.6,
    /** How far the other side is searched beyond its ends: so many words, or this share of its length. */
    padding: 20,
    paddingShare: 0.1,
    /** The share of a mean omission that is added behind the last kept word of a condensed passage. */
    tail: 0.7,
  },

  /** The weights of the decision score, in nats, and what they refer to. */
  decision: {
    /** .2 below the regression's, which favours precision on PAN13. */
    bias: -3.5,
    /** The alignment score. */
    score: 0.013,
    /** The share of the query's words that are found. */
    found: 9.75,
    /** The share of grams that the query repeats elsewhere. */
    repeated: -13.7,
    /** The absolute log of the ratio of the two lengths. */
    lopsided: -1.98,
    /**
     * The vocabulary that both texts share outside the candidates, times the log of the passage's length over `topicWords` of both
     * sides: longer passages are believed in spite of it. Before the texts show anything it is a quarter.
     */
    topic: 9,
    topicWords: 128,
    /** From 0 to 1, to what degree the passage is nothing but a name with figures. */
    namesOnly: -5,
    /** Log-odds of three uncommon words: with more running text a passage is no mere name. With 12 PAN13's random class loses .002. */
    fewLogOdds: 8,
    /** Log-odds of a dozen words, the length of the longest names. */
    nameLogOdds: 30,
    /**
     * What each e-fold of the number of sources takes off, and what more it takes off the weaker a passage is without its names:
     * every second wrong passage in 1,000 articles disappears.
     */
    perSource: 0.25,
    perSourceIfWeak: 0.3,
    strongScore: 20,
    /** Candidates with a higher score are reported whatever they repeat. */
    repeatedScoreMax: 80,
    /**
     * The log-odds that a passage needs for each word in common, on average, if both texts are about one subject. Otherwise the words
     * of the subject would add up in a long passage. In a set of 1,000 texts with planted passages, reworded ones have 1.76 or more,
     * and four wrong ones at most 1.66; in a set of other texts with the same passages, eight wrong ones at most 1.65.
     */
    oneSubjectPerWord: 1.7,
    /** Uncommon words that a passage must have in common, and rare ones that make a copy evidence. Common words belong to nobody. */
    rareWords: 2,
    /** Other copies from the same source that make a further one likely. With 3 PAN13's translated class loses .0065. */
    otherCopies: 6,
  },

  /** Words that neighbouring exact matches may share by accident, at their ends or behind a sentence end. */
  copies: { sharedWords: 2 },

  /** The weights of the summary decision, and what they refer to. */
  summary: {
    bias: -11,
    /** The share of words found beyond chance, smoothed towards a half. */
    kept: 6,
    /** A local passage that overlaps the span, the share of the span inside it, and the found share of its source. */
    hasLocal: 12,
    inside: -2,
    dense: -9,
    /** The squared log of the span's length over `usualWords`: shorter and longer spans are rarely a summary. */
    shift: -9,
    usualWords: 110,
    /** The log of the source's length over `longSourceWords`, if longer. */
    long: -10,
    longSourceWords: 2_000,
    /** The share of uncommon words that the source has outside the local passage. */
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
  /** Source words that a query remembers with their numbers, about 10 MB; beyond, the memory starts anew. */
  words: 100_000,
  /** Block seeds held at once: far more than are tried. */
  seeds: 4_000,
  /**
   * Places of one gram that are looked at: a text that repeats a phrase a thousand times stays linear. A place missed here is found
   * from the next rarer gram, because matches are extended to the left too: of 600 edited copies, 4 misses one.
   */
  places: 8,
  /** Rounds of the ascent, the extension and the trimming. Nearly all settle before; with a single round PAN13 loses .02. */
  rounds: 5,
  /** Merges computed per round, those of the most promising pairs. */
  mergeTries: 6,
  /** The query words between two candidates beyond which they are not merged; never met in short texts. */
  mergeGap: 500,
} as const;

/**
 * The word similarity from which a passage has minor changes: four words of five. Of planted passages with 5 to 15% of their
 * words changed 99.3% reach it; of those with 30 to 50% changed and sentences moved 2.9%; of condensed ones 0.3%. With .75 it
 * would be 99.8%, 6.7% and 0.3%.
 */
export const MINOR_CHANGES_MIN = 0.8;
