import type { Tokens } from "../text/tokenise.ts";
import { markShingles } from "./set-phrase.ts";

/** A text with its words; `tokens` offsets are UTF-16 offsets into `text`. */
export type TokenisedText = { readonly text: string; readonly tokens: Tokens };

/**
 * Equal words in a row that make a seed. Shorter than retrieval's shingles, because edits fall closer together than a
 * shingle is long, and chance seeds fail `PASSAGE_WORDS_MIN`. Of copies of PAN13 text (12 to 160 words) with every tenth
 * word edited, 3 marks 95%, 4 92% and 5 86%, and at most 0.1% of what is marked is wrong. Against a query of 80,000
 * words a source of 600 takes 0.2 ms with 3 and 0.07 ms with 5.
 */
const SEED_WORDS = 3;

/**
 * Equal words, less the changed ones between them, below which a match may be a set phrase and is not reported; a
 * query that is itself shorter counts when all of it is found. Of the 1,000 PAN13 pairs without plagiarism, this many
 * give a passage: 18 at 6, 7 at 7, 5 at 8, 2 at 9 and 10, 1 at 12; read one by one, what 8 gives are shared lists and
 * half sentences. The verbatim class keeps its recall (.9991) at all of them, but of 600 copies with every tenth word
 * edited, a fifth of them 12 words long, 12 are missed at 8, 25 at 9, 40 at 10, 91 at 12.
 */
export const PASSAGE_WORDS_MIN = 8;

/**
 * A query made ready to be aligned with many sources: its words as numbers, and where each of its grams
 * (`gramWords` words in a row, named by the position of the gram's first occurrence) stands.
 * `scratch` belongs to the alignment that is running, which leaves it as it found it: nothing of the query's length is
 * allocated per source. One alignment at a time may use it.
 */
export type PreparedQuery = {
  readonly text: TokenisedText;
  readonly vocabulary: ReadonlyMap<string, number>;
  readonly ids: Int32Array;
  readonly gramWords: number;
  readonly passageWordsMin: number;
  /** Open addressing by `hashGram`: the first position of a gram, or `NONE`; its length is a power of two. */
  readonly slots: Int32Array;
  /** For each position its gram, and the next position with the same gram, or `NONE`. */
  readonly gramAt: Int32Array;
  readonly nextSame: Int32Array;
  /** What begins at each word, see `markShingles`; undefined when no shingle of the query is frequent. */
  readonly shingleMarks: Uint8Array | undefined;
  readonly scratch: {
    /** For each gram its first and last place in the source at hand; `NONE` between alignments. */
    readonly firstPlace: Int32Array;
    readonly lastPlace: Int32Array;
    /** 1 for query words that a selected passage covers; 0 between alignments. */
    readonly covered: Uint8Array;
  };
};

/** Stands for "no position" in the typed arrays. */
export const NONE = -1;

/**
 * Prepares a query, once per check: linear in its words, about 35 bytes a word beside the vocabulary.
 * A query of fewer words than a passage needs is one single gram, so that it is found whole or not at all.
 * `frequentShingles` are those of the query that stand in so many documents that they say nothing.
 */
export function prepareQuery(
  query: TokenisedText,
  frequentShingles: ReadonlySet<string> = new Set(),
): PreparedQuery {
  const { words } = query.tokens;
  const { ids, vocabulary } = intern(words);
  const gramWords = words.length < PASSAGE_WORDS_MIN ? words.length : SEED_WORDS;
  const grams = gramWords === 0 ? 0 : words.length - gramWords + 1;
  return {
    text: query,
    vocabulary,
    ids,
    gramWords,
    passageWordsMin: Math.min(PASSAGE_WORDS_MIN, words.length),
    ...indexGrams(ids, gramWords, grams),
    shingleMarks: markShingles(words, frequentShingles),
    scratch: {
      firstPlace: new Int32Array(grams).fill(NONE),
      lastPlace: new Int32Array(grams).fill(NONE),
      covered: new Uint8Array(words.length),
    },
  };
}

/** The first query position of the gram that stands at `at` in `ids`, or `NONE` when the query has no such gram. */
export function findGram(query: PreparedQuery, ids: Int32Array, at: number): number {
  const { slots, gramWords } = query;
  return slots[findSlot(slots, query.ids, ids, at, gramWords)] ?? NONE;
}

function intern(words: readonly string[]): { ids: Int32Array; vocabulary: Map<string, number> } {
  const vocabulary = new Map<string, number>();
  const ids = new Int32Array(words.length);
  for (const [position, word] of words.entries()) {
    let id = vocabulary.get(word);
    if (id === undefined) {
      id = vocabulary.size;
      vocabulary.set(word, id);
    }
    ids[position] = id;
  }
  return { ids, vocabulary };
}

function indexGrams(ids: Int32Array, gramWords: number, grams: number) {
  const slots = new Int32Array(slotCount(grams)).fill(NONE);
  const gramAt = new Int32Array(grams);
  const nextSame = new Int32Array(grams).fill(NONE);
  const lastOfSlot = new Int32Array(slots.length);
  for (let at = 0; at < grams; at++) {
    const slot = findSlot(slots, ids, ids, at, gramWords);
    if (slots[slot] === NONE) slots[slot] = at;
    else nextSame[lastOfSlot[slot] ?? 0] = at;
    lastOfSlot[slot] = at;
    gramAt[at] = slots[slot] ?? at;
  }
  return { slots, gramAt, nextSame };
}

/** At most half of the slots are used, which keeps the probing short. */
function slotCount(grams: number): number {
  let count = 2;
  while (count < 2 * grams) count *= 2;
  return count;
}

/** The slot that holds the gram at `at` of `ids`, or the empty one where it would go. */
function findSlot(
  slots: Int32Array,
  queryIds: Int32Array,
  ids: Int32Array,
  at: number,
  gramWords: number,
): number {
  const mask = slots.length - 1;
  let slot = hashGram(ids, at, gramWords) & mask;
  for (;;) {
    const first = slots[slot] ?? NONE;
    if (first === NONE || equalWords(queryIds, first, ids, at, gramWords)) return slot;
    slot = (slot + 1) & mask;
  }
}

function hashGram(ids: Int32Array, at: number, gramWords: number): number {
  let hash = 0;
  for (let i = at; i < at + gramWords; i++) {
    // The odd constant is 2^32 divided by the golden ratio (Knuth, 1973); the shift brings its well-mixed high bits down.
    hash = Math.imul(hash ^ (ids[i] ?? 0), 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  return hash;
}

function equalWords(
  left: Int32Array,
  leftAt: number,
  right: Int32Array,
  rightAt: number,
  words: number,
): boolean {
  for (let i = 0; i < words; i++) if (left[leftAt + i] !== right[rightAt + i]) return false;
  return true;
}
