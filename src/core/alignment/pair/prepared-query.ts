import { type Stemmer, stemmerFor } from "../../text/stemmer.ts";
import { commonWordShare } from "./common-words.ts";
import { queryEdgePriors } from "./edge-priors.ts";
import { edgeTypes } from "./edge-types.ts";
import { type GramIndex, indexGrams, NONE } from "./gram-index.ts";
import { nameMarks } from "./name-marks.ts";
import { markShingles } from "./shingle-marks.ts";
import type { TokenisedText } from "./tokenised-text.ts";
import { indexWindows, type WindowIndex } from "./window-index.ts";

export type { TokenisedText };

/** What is known of a query beside its text. */
export type QueryOptions = {
  /** ISO 639-1: whose stems the words have, on both sides; unknown or left out, words are compared as they are. */
  readonly language?: string;
  /** Shingles of the query that stand in so many documents that they say nothing. */
  readonly frequentShingles?: ReadonlySet<string>;
  /** How many sources the query is aligned with, at least 1: the more, the likelier a chance match, and the more evidence is asked for. */
  readonly pairsCompared?: number;
};

/** One side of a pair: its words as numbers, and the places between them. */
export type Side = {
  /** Stems as numbers; negative ones stand in one side only. */
  readonly ids: Int32Array;
  /** For each place between words, the two ends included: its edge type, and the log-odds of an edge there. */
  readonly edges: Uint8Array;
  readonly edgePriors: Float64Array;
  /** For each word whether it is a name or a figure, see `nameMarks`. */
  readonly names: Uint8Array;
};

/**
 * A query made ready to be aligned with many sources.
 * `scratch` belongs to the alignment that is running, which leaves it as it found it: nothing of the query's length is
 * allocated per source. One alignment at a time may use it.
 */
export type PreparedQuery = Side &
  GramIndex & {
    readonly text: TokenisedText;
    /** How often each stem stands in the query, and the share of all words that it has in any text. */
    readonly counts: Int32Array;
    readonly shares: Float64Array;
    /** 1 for the stems of common words, which say little of what a text is about. */
    readonly common: Uint8Array;
    readonly windows: WindowIndex;
    /** What begins at each word, see `markShingles`; undefined when no shingle of the query is frequent. */
    readonly shingleMarks: Uint8Array | undefined;
    readonly pairsCompared: number;
    /** The number of a source's word: that of its stem, or `UNKNOWN_ID` when the query has none. */
    readonly idOf: (word: string) => number;
    readonly scratch: Scratch;
  };

/** Room for one alignment at a time, by stem unless said otherwise; all zero between uses. */
export type Scratch = {
  /** For each gram its first and last place in the source at hand; `NONE` between alignments. */
  readonly firstPlace: Int32Array;
  readonly lastPlace: Int32Array;
  readonly sourceCounts: Int32Array;
  readonly bag: Int32Array;
  readonly own: Int32Array;
  readonly used: Int32Array;
  readonly stemScores: Float64Array;
  /** By query window. */
  readonly windowScores: Float64Array;
  /** By query word; `wordScores` is left as it is between uses. */
  readonly covered: Uint8Array;
  readonly wordScores: Float64Array;
};

/** What a source word that the query does not have becomes: like all negative numbers it equals no query word. */
export const UNKNOWN_ID = -1;

/**
 * Equal words in a row that make a seed of a run. Shorter than retrieval's shingles, because edits fall closer together
 * than a shingle is long. Against a query of 80,000 words a source of 600 takes 0.2 ms with 3 and 0.07 ms with 5.
 */
const SEED_WORDS = 3;

/** A query of fewer words is one single gram: it is found whole or not at all. */
export const SHORT_QUERY_WORDS = 8;

/** Share of a word that no table has: it keeps the first occurrence of a rare word from looking impossible. */
const SHARE_MIN = 1e-5;

/** From this share on a word is common: the commonest 150 of a language. */
export const COMMON_SHARE_MIN = 4e-4;

/** Without a table, words count as common that the query has this often, and at least so many times. */
const COMMON_IN_QUERY_MIN = 0.008;
const COMMON_TIMES_MIN = 8;

/** Source words remembered with their numbers, some 10 MB; beyond, they are forgotten and looked up anew. */
const REMEMBERED_WORDS_MAX = 100_000;

/** Prepares a query, once per check: linear in its words, about 100 bytes a word beside the vocabulary. */
export function prepareQuery(text: TokenisedText, options: QueryOptions = {}): PreparedQuery {
  const { language = "", frequentShingles = new Set<string>(), pairsCompared = 1 } = options;
  const { words } = text.tokens;
  const stem = stemmerFor(language);
  const { ids, vocabulary } = numberStems(words, stem);
  const size = vocabulary.size;
  const counts = new Int32Array(size);
  for (const id of ids) counts[id] = (counts[id] ?? 0) + 1;
  const wordShare = commonWordShare(language);
  const shares = stemShares(words, ids, size, wordShare);
  const common = shares.map((share, id) => Number(isCommon(share, counts[id] ?? 0, wordShare, words.length)));
  const grams = indexGrams(ids, words.length < SHORT_QUERY_WORDS ? words.length : SEED_WORDS);
  const windows = indexWindows(ids, Uint8Array.from(common));
  const edges = edgeTypes(text);
  return {
    text,
    ids,
    edges,
    edgePriors: queryEdgePriors(edges),
    names: nameMarks(text, edges),
    counts,
    shares,
    common: Uint8Array.from(common),
    ...grams,
    windows,
    shingleMarks: markShingles(words, frequentShingles),
    pairsCompared,
    idOf: rememberingIds(vocabulary, stem),
    scratch: {
      firstPlace: new Int32Array(grams.gramAt.length).fill(NONE),
      lastPlace: new Int32Array(grams.gramAt.length).fill(NONE),
      sourceCounts: new Int32Array(size),
      bag: new Int32Array(size),
      own: new Int32Array(size),
      used: new Int32Array(size),
      stemScores: new Float64Array(size),
      windowScores: new Float64Array(windows.count),
      covered: new Uint8Array(words.length),
      wordScores: new Float64Array(words.length),
    },
  };
}

function numberStems(words: readonly string[], stem: Stemmer) {
  const vocabulary = new Map<string, number>();
  const idOfWord = new Map<string, number>();
  const ids = new Int32Array(words.length);
  for (const [position, word] of words.entries()) {
    let id = idOfWord.get(word);
    if (id === undefined) {
      const stemmed = stem(word);
      id = vocabulary.get(stemmed) ?? vocabulary.size;
      vocabulary.set(stemmed, id);
      idOfWord.set(word, id);
    }
    ids[position] = id;
  }
  return { ids, vocabulary };
}

/** A stem is as frequent as the most frequent of its words in the query. */
function stemShares(
  words: readonly string[],
  ids: Int32Array,
  size: number,
  wordShare: ((word: string) => number) | undefined,
): Float64Array {
  const shares = new Float64Array(size).fill(SHARE_MIN);
  if (wordShare === undefined) return shares;
  for (const [position, id] of ids.entries()) {
    shares[id] = Math.max(shares[id] ?? 0, wordShare(words[position] ?? ""));
  }
  return shares;
}

function isCommon(share: number, count: number, wordShare: unknown, words: number): boolean {
  if (wordShare !== undefined) return share >= COMMON_SHARE_MIN;
  return count >= COMMON_TIMES_MIN && count >= COMMON_IN_QUERY_MIN * words;
}

/** Numbers source words; stemming is the slow part, and sources of one query share most of their words. */
function rememberingIds(vocabulary: ReadonlyMap<string, number>, stem: Stemmer): (word: string) => number {
  const remembered = new Map<string, number>();
  return (word) => {
    let id = remembered.get(word);
    if (id === undefined) {
      id = vocabulary.get(stem(word)) ?? UNKNOWN_ID;
      if (remembered.size >= REMEMBERED_WORDS_MAX) remembered.clear();
      remembered.set(word, id);
    }
    return id;
  };
}
