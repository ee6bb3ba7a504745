import { SHINGLE_WORDS } from "../../text/fingerprint-form.ts";

/**
 * The rules of the alignment that can be switched off, and its constants, each with its unit, its reason and the measurement
 * that chose it. PAN13 and mixed are the benchmarks of `docs/benchmarks.md`; figures are differences of plagdet unless said
 * otherwise. Scores are log-odds in nats; lengths are in words.
 */

// Lengths and shares that several rules use

/** A phrase. Anyone might write the same row of fewer words, so fewer are nobody's. */
const PHRASE_WORDS = 8;

/** A line and a half of print. Fewer words that differ are an edit; so many are text of its own. */
const LINE_WORDS = 15;

/** Most of something, four words of five, and nearly all of it. */
const MOST = 0.5;
const FOUR_FIFTHS = 0.8;
const NEARLY_ALL = 0.9;

/** The rounds of every loop that improves something until it stays: nearly all have settled by then. */
const ROUNDS_MAX = 5;

const DEFAULTS = {
  /** Rules that no number below switches off. All are on in every check; only `npm run ablate` switches one off, to measure it. */
  rules: {
    /** Words are compared by their stems. */
    stemming: true,
    /** The shares of the commonest words come from a table of the language. */
    commonWordTable: true,
    /** Once the other side has no more of a word, further ones say nothing. */
    oneToOne: true,
    /** Exact matches are candidates. */
    exactCandidates: true,
    /** Where merged parts overlap, their words count once. */
    overlapsCountOnce: true,
    /** The price of an omission is limited only between parts in the order of the source. */
    omissionsInOrderOnly: true,
    /** Candidates are reported by their decision score; otherwise by their alignment score. */
    decisionScore: true,
    /** A candidate that overlaps a better one on both sides is a duplicate. */
    duplicatesOnBothSides: true,
    /** Figures do not count as matched words. */
    figuresAreNoWords: true,
    /** A copy of a whole sentence needs no rare words. */
    wholeSentences: true,
    /** Copies are split at omissions of the source, and where neighbours are swapped. */
    splitAtOmissions: true,
    splitIfSwapped: true,
    /** Passages do not overlap in the query. */
    cutOverlaps: true,
    /** The other sections of a source are no background for a summary. */
    summariesBySection: true,
  },

  // The scorer

  /**
   * The probability that a word occurs by chance in a bag of words of the other text: a factor on the expected number of
   * occurrences, and the least probability. This is for passages. Words come in bursts: one that occurs in a text is more likely
   * to occur there again. No word is rarer than `min`, because texts on one subject share rare words too (with 1e-4 PAN13 loses .02).
   */
  localChance: { burst: 1.5, min: 0.02 },

  /** The same for summaries, whose bag is the whole source: rare words are shared more often, and each word of the bag counts once. */
  summaryChance: { burst: 0.7, min: 0.2 },

  chanceMax: 0.98,

  /** Weight of a word's share in the language against its frequency in the two texts, in words. */
  priorWords: 500,

  /** The share of its words that reworded text is assumed to keep. */
  kept: 0.42,

  /** How far a span may grow or move in one step. With 40 PAN13 loses .007. */
  reachWords: 120,

  // Words

  /** The share of the commonest word of a language; the others follow Zipf's law (1935): this / rank. */
  firstWordShare: 0.06,

  /** The share of words that no table contains: it keeps the first occurrence of a rare word from looking impossible. */
  shareMin: 1e-5,

  /** Words with at least this share are common: the 150 commonest of a language. */
  commonShareMin: 4e-4,

  // Boundaries

  /**
   * The log-odds that a passage begins or ends at a boundary, from PAN13's planted passages, in this order: inside a clause; a
   * comma, a colon or a capital letter; a line end before a small letter; a line end; a sentence end before a small letter; a
   * sentence end; a blank line; the end of the text. Queries wrap lines, so there a line end says no more than the space it replaces.
   */
  queryBoundaryPriors: [-5.8, -2.2, -5.8, -2.2, -0.5, 0, 0.5, 1],

  /** Sources are pages whose lines are headings and items of lists as often as wrapped text. */
  sourceBoundaryPriors: [-4.8, -4, 0, 0, 0, 0, 0.5, 1],

  // Seeds

  /**
   * Words of a gram, the seed of an exact match. Shorter than retrieval's shingles, because edits fall closer together than a
   * shingle is long. With a query of 80,000 words a source of 600 takes 0.2 ms with 3 and 0.07 ms with 5.
   */
  gramWords: 3,

  /** A shorter query is a single gram: it is found whole or not at all. */
  shortQueryWords: PHRASE_WORDS,

  /**
   * Source places tried per gram. The limit keeps a source that repeats one phrase a thousand times linear. A place missed here is
   * found from the next rarer gram, because matches are extended to the left too: of 600 edited copies, 4 misses one.
   */
  matchPlacesMax: 8,

  /** Shorter exact matches are accidents of language. From four to six nothing changes; with eight mixed loses .001. */
  matchWordsMin: SHINGLE_WORDS,

  /** A block is a short paragraph. The ascent widens and moves it, so its size hardly matters. */
  blockWords: 32,

  /** From one block to the next: every place lies in the middle half of some block. */
  blockStep: 16,

  /** The share of words that reuse is assumed to keep when blocks are compared. */
  seedKept: 0.5,

  /** Block pairs below this share at most two rare words; seeds of 5 find nothing more. */
  seedScoreMin: 6,

  /** Words with a lower score occur in so many blocks that looking at them costs more than they tell. */
  seedWordScoreMin: 0.05,

  // Candidates

  /** Block seeds tried, and candidates kept: so many, and one more per so many words of both texts' mean length. With 60 nothing is gained. */
  candidatesMax: 30,
  wordsPerCandidate: 250,

  /** Widening of the bag at both ends, by round of the ascent. Without it PAN13 loses .006 and a sixth of the rewritten paragraphs is no longer found. */
  ascentSourcePadding: [113, 36],
  ascentQueryPadding: [45],

  /** With a single round PAN13 loses .02. */
  ascentRoundsMax: ROUNDS_MAX,

  /**
   * Below this score an ascent ends, by round; the last holds for all later rounds. Of 3,006 ascents on PAN13's tuning part, this
   * ends 56%, none of which became a candidate by going on.
   */
  ascentScoreMin: [0, 10],

  /** The bag that a word of an exact match is scored against: its place is known to within a few words. */
  exactBagWords: 3.2,

  /** The least log-odds of a candidate. Between 22 and 30 little changes. */
  candidateLogOddsMin: 27.5,

  /** A candidate is dropped when a better one covers it by these shares on its two sides. */
  coveredShareMost: 0.75,
  coveredShareHalf: MOST,

  /** Two uses of a source span make half of the found words surplus, less what edits lost; commoner words repeat anyway. */
  doubledShareMin: 0.35,

  /** An insertion: missed words less three times the found ones; about a line and a half. With 12 mixed loses .006. */
  insertedExcessMin: LINE_WORDS,
  insertedFoundWeight: 3,

  /** The log-odds that a passage needs in two texts of 1,000 words. From 41 to 44 neither benchmark changes by .001. */
  threshold: 44,

  /** What each e-fold of the number of places (query words × source words) adds to the threshold, from `thresholdPlaces` on. */
  thresholdPerSize: 4.8,
  thresholdPlaces: 1e6,

  /**
   * The price of each merged part: merging saves the threshold and boundary priors of all parts but one, and this takes some of
   * it back. Between 14 and 26 the two benchmarks change in opposite directions.
   */
  partCost: 20,

  // Merging

  /** Merges computed per round, those of the most promising pairs. */
  mergeTries: 6,

  /** The query words between two candidates beyond which they are not merged: a bound for long texts, never met in short ones. */
  mergeGapMax: 500,

  /** The estimated price of a word between two candidates. */
  gapWordPrice: 0.25,

  /** Two candidates are duplicates if the shares of their overlap on the two sides differ by more than this. */
  duplicateShareMin: MOST,

  /** A candidate is part of a merged span that holds this share of it. */
  mergedInsideShare: NEARLY_ALL,

  /** The share of words that reuse is assumed to keep between the parts of a passage. */
  mergeKept: { query: 0.5, source: 0.625 },

  /** The price of an omitted span of the source: a start, and some per word; and a price per word of the parts around it. */
  omission: { start: 6.4, perWord: 0.05, perPartWord: 0.16 },

  /** Extending a candidate at its ends. */
  extension: {
    roundsMax: ROUNDS_MAX,
    /** The share of words that reuse is assumed to keep beyond the ends of a candidate. */
    kept: 0.8,
    /** The score of words that are used up, because a passage that is used twice in a row would absorb its other use. */
    surplus: -0.6,
    /** How far the other side is searched beyond its ends: so many words, or this share of its length. */
    paddingWords: 20,
    paddingShare: 0.1,
  },

  // Decision

  /** Words in common below which a candidate is not even listed as dropped: a retrieval shingle. */
  listedWordsMin: SHINGLE_WORDS,

  /** Words in common below which nothing is reported: anyone might write the same half-sentence. */
  matchedWordsMin: PHRASE_WORDS,

  /** Uncommon words that a passage must have in common: a row of common words belongs to nobody. */
  reportedUncommonMin: 2,

  /**
   * The log-odds that a passage needs for each word in common, on average, if both texts are about one subject. Otherwise the words of the
   * subject would add up in a long passage. In a set of 1,000 texts with planted passages, reworded ones have 1.76 or more, and four wrong ones at most 1.66; in a
   * set of other texts with the same passages, eight wrong ones at most 1.65.
   */
  oneSubjectWordMin: 1.7,

  /** Candidates with a lower score are not considered. */
  selectedScoreMin: -30,

  /** A candidate is a duplicate if better ones have more than this share of its query words. */
  takenShareMax: MOST,

  /** The weights of the decision score, and what its features refer to. */
  decision: {
    /** .2 below the regression's, which favours precision on PAN13. */
    bias: -3.5,
    score: 0.0129,
    /** The vocabulary that both texts share elsewhere; with longer passages it counts less, see `topic`. */
    topic: -10.47,
    topicByLength: 9.01,
    /** A shared subject never speaks for reuse. */
    topicMax: 0,
    /** The share of the query's words that are found. */
    found: 9.75,
    /** The share of grams that the query repeats elsewhere, see `repeated`. */
    repeated: -13.7,
    /** The absolute log of the ratio of the two lengths. */
    lopsided: -1.98,
    /** From 0 to 1, to what degree the passage is nothing but a name with figures. */
    namesOnly: -5,
    /** Log-odds of three uncommon words: with more running text a passage is no mere name. With 12 PAN13's random class loses .002. */
    fewLogOdds: 8,
    /** Log-odds of a dozen words, the length of the longest names. */
    nameLogOdds: 30,
    /**
     * What each e-fold of the number of sources takes off, and what more it takes off the weaker a passage is without its names.
     * With 15 sources it costs PAN13 .003 and mixed .005 on listed pairs, mostly of the shortest passages; every second
     * wrong passage in 1,000 articles disappears.
     */
    perSource: 0.25,
    perSourceIfWeak: 0.3,
    strongScore: 20,
  },

  /** The vocabulary that two texts share outside the candidates. */
  topic: {
    /** Words of both sides at which it counts in full; longer passages are believed in spite of it. */
    usualWords: 40,
    /** Before the texts show anything: a quarter, as if 20 words had been looked at. */
    priorWords: 20,
    priorShared: 5,
  },

  /** Phrases of a passage that the query repeats elsewhere. */
  repeated: {
    /** Candidates with a higher score are reported whatever they repeat. */
    scoreMax: 80,
    /** Further places of a phrase that are looked at: a text of one repeated phrase stays linear. */
    placesMax: 16,
  },

  /**
   * Copies that are reported without a decision score. What it adds on PAN13 is nearly all boilerplate of web pages
   * that the corpus does not label; with copies of eight words it would be .002.
   */
  copyAlone: {
    wordsMin: 12,
    rareWordsMin: 2,
    /** From this length on a row of names is a list that was copied. */
    listWordsMin: LINE_WORDS,
    /** Other copies from the same source that make a further one likely. With 6 no benchmark loses; with 3 PAN13's translated class loses .0065. */
    othersMin: 6,
  },

  // Exact edges

  /** Trimming: rounds, and the share of found words from which a passage is a copy. Below, sentence boundaries tell more. */
  trim: { roundsMax: ROUNDS_MAX, foundShareMin: NEARLY_ALL },

  /** The source behind the last kept word of a condensed passage. */
  omittedTail: {
    /** Source words per query word from which on a passage is condensed. */
    ratioMin: 2,
    /** The share of a mean omission that is added, and how much further the next sentence boundary may be. */
    share: 0.7,
    stretchMax: 2,
    /** Shorter spans that are not found are edits. */
    omissionWordsMin: SHINGLE_WORDS,
  },

  /** Edges of copies are exact; this costs PAN13 and mixed nothing (.0005 at most). */
  copy: {
    /** The share of the query's side that a single exact match needs to replace the passage. */
    exactShareMin: NEARLY_ALL,
    /** The share of the query's side in exact matches from which on a passage is a copy with edits. */
    shareMin: FOUR_FIFTHS,
    /** The share of an exact match that has to lie inside a passage. */
    insideShareMin: MOST,
    /** Words that neighbouring matches may share by accident. */
    sharedWordsMax: 2,
    /** Common words beyond a sentence end that are left off: with two, 2 to 8 of 100 copied sentences get their exact end. */
    commonEndWordsMax: 2,
  },

  /** Splitting a passage into copies. */
  split: {
    /** A shorter part is no passage of its own. */
    copyWordsMin: PHRASE_WORDS,
    /** A line and a half: a longer gap on either side is more than an edit. Gains PAN13 .0002, costs mixed .0015. */
    gapWordsMin: LINE_WORDS,
    /** The share of its uncommon words that the source may have of text between two copies. */
    ownFoundShareMax: 0.25,
  },

  // Summaries

  summary: {
    /** The share of words that a summary is assumed to keep. */
    kept: 0.6,
    sourceWordsMin: 200,
    wordsMin: 25,
    /** Source words per word of the summary. */
    sourceRatioMin: 1.5,
    scoreMin: 10,
    /** A passage is part of a summary that covers this share of its query side. */
    partShareMin: MOST,
    /** A span of several paragraphs is a collection of copies if exact matches of this length make up this share of it. */
    copyWordsMin: PHRASE_WORDS,
    copiedShareMin: FOUR_FIFTHS,
  },

  /** The weights of the summary decision, and what their features refer to. */
  summaryDecision: {
    bias: -10.97,
    /** The share of words found beyond chance, smoothed by `priorFound` of `priorWords`. */
    kept: 6.1,
    priorFound: 9.4,
    priorWords: 20,
    /** A local passage that overlaps the span, the share of the span inside it, and the found share of its source. */
    hasLocal: 11.75,
    inside: -2.23,
    dense: -9.29,
    /** The squared log of the span's length over `usualWords`: shorter and longer spans are rarely a summary. */
    shift: -9.26,
    usualWords: 110,
    /** The log of the source's length over `longSourceWords`, if longer. */
    long: -10.47,
    longSourceWords: 2_000,
    /** The share of uncommon words that the source has outside the local passage. */
    elsewhere: 11.1,
  },
};

/** The numbers and rules of an alignment. */
export type AlignmentModel = Constants<typeof DEFAULTS>;

/** Those of every check. `npm run ablate` measures others. */
export const ALIGNMENT: AlignmentModel = DEFAULTS;

type Constants<T> = { readonly [Key in keyof T]: T[Key] extends object ? Constants<T[Key]> : T[Key] };

/** See `localChance` and `summaryChance`. */
export type ChanceModel = AlignmentModel["localChance"];
