import type { Span } from "../../text/span.ts";
import type { AlignmentModel } from "./model.ts";

/** A span of the query and one of the source, in words, that may correspond to each other. */
export type SegmentPair = { readonly query: Span; readonly source: Span };

/** "No position" in the typed arrays below. */
export const NONE = -1;

/** Where each gram of a text stands: `gramWords` words in a row, identified by the position of its first occurrence. */
export type GramIndex = {
  readonly gramWords: number;
  /** A hash table with open addressing: the first position of a gram, or `NONE`. The length is a power of two. */
  readonly slots: Int32Array;
  /** By position: its gram, and the next position with the same gram, or `NONE`. */
  readonly gramAt: Int32Array;
  readonly nextSame: Int32Array;
};

/** Indexes all grams of a text in linear time. */
export function indexGrams(ids: Int32Array, gramWords: number): GramIndex {
  const grams = gramWords === 0 ? 0 : Math.max(0, ids.length - gramWords + 1);
  // At most half of the slots are used, which keeps probing short.
  let slotCount = 2;
  while (slotCount < 2 * grams) slotCount *= 2;
  const slots = new Int32Array(slotCount).fill(NONE);
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
  return { gramWords, slots, gramAt, nextSame };
}

/** The first position in `indexed` of the gram that stands at `at` in `ids`, or `NONE` if it has no such gram. */
export function findGram(index: GramIndex, indexed: Int32Array, ids: Int32Array, at: number): number {
  return index.slots[findSlot(index.slots, indexed, ids, at, index.gramWords)] ?? NONE;
}

/** The slot that holds the gram at `at` of `ids`, or the empty slot where it belongs. */
function findSlot(
  slots: Int32Array,
  indexed: Int32Array,
  ids: Int32Array,
  at: number,
  gramWords: number,
): number {
  const mask = slots.length - 1;
  let slot = hashGram(ids, at, gramWords) & mask;
  for (;;) {
    const first = slots[slot] ?? NONE;
    if (first === NONE || areEqual(indexed, first, ids, at, gramWords)) return slot;
    slot = (slot + 1) & mask;
  }
}

function hashGram(ids: Int32Array, at: number, gramWords: number): number {
  let hash = 0;
  for (let i = at; i < at + gramWords; i++) {
    // 2^32 divided by the golden ratio (Knuth, 1973); the shift brings the well-mixed high bits down.
    hash = Math.imul(hash ^ (ids[i] ?? 0), 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  return hash;
}

function areEqual(a: Int32Array, aAt: number, b: Int32Array, bAt: number, words: number): boolean {
  for (let i = 0; i < words; i++) if (a[aAt + i] !== b[bAt + i]) return false;
  return true;
}

/** A query with the indices of its grams and blocks. */
type IndexedQuery = {
  readonly ids: Int32Array;
  readonly grams: GramIndex;
  readonly blocks: BlockIndex;
  /** By word number: 1 for the words that blocks leave out. */
  readonly common: Uint8Array;
  readonly model: AlignmentModel;
};

/**
 * The maximal exact matches of two texts, ascending by query; they cover every query word in a shared gram. A greedy cover (Li,
 * 2013): only grams that end one word beyond all earlier matches are tried. Each query word is compared at most
 * `matchPlacesMax` times per direction, and the source is read once.
 */
export function exactMatches(query: IndexedQuery, sourceIds: Int32Array): SegmentPair[] {
  const { grams: index, ids: queryIds } = query;
  const { positions, placesOf } = sharedGrams(query, sourceIds);
  const matches: SegmentPair[] = [];
  let coveredEnd = 0;
  for (const position of positions) {
    if (position + index.gramWords <= coveredEnd) continue;
    for (const place of placesOf.get(index.gramAt[position] ?? NONE) ?? []) {
      const match = extend(queryIds, position, sourceIds, place, index.gramWords);
      matches.push(match);
      coveredEnd = Math.max(coveredEnd, match.query.end);
    }
  }
  return matches.sort((a, b) => a.query.start - b.query.start || a.source.start - b.source.start);
}

/** The query positions whose gram the source has, ascending, and the first places of each such gram in the source. */
function sharedGrams({ grams: index, ids: queryIds, model }: IndexedQuery, sourceIds: Int32Array) {
  const placesMax = model.matchPlacesMax;
  const placesOf = new Map<number, number[]>();
  let knownWords = 0;
  for (let end = 1; end <= sourceIds.length; end++) {
    knownWords = (sourceIds[end - 1] ?? NONE) < 0 ? 0 : knownWords + 1;
    if (knownWords < index.gramWords) continue;
    const place = end - index.gramWords;
    const gram = findGram(index, queryIds, sourceIds, place);
    if (gram === NONE) continue;
    const places = placesOf.get(gram);
    if (places === undefined) placesOf.set(gram, [place]);
    else if (places.length < placesMax) places.push(place);
  }
  const positions: number[] = [];
  for (const gram of placesOf.keys()) {
    for (let at = gram; at !== NONE; at = index.nextSame[at] ?? NONE) positions.push(at);
  }
  return { positions: Int32Array.from(positions).sort(), placesOf };
}

function extend(
  queryIds: Int32Array,
  position: number,
  sourceIds: Int32Array,
  place: number,
  words: number,
): SegmentPair {
  const leftMax = Math.min(position, place);
  let left = 0;
  while (left < leftMax && queryIds[position - left - 1] === sourceIds[place - left - 1]) left++;
  const rightMax = Math.min(queryIds.length - position, sourceIds.length - place);
  let right = words;
  while (right < rightMax && queryIds[position + right] === sourceIds[place + right]) right++;
  return {
    query: { start: position - left, end: position + right },
    source: { start: place - left, end: place + right },
  };
}

/** The blocks of a text: how many there are, and for each word those that contain it, ascending. Common words have none. */
export type BlockIndex = { readonly count: number; readonly blocksOf: readonly (readonly number[])[] };

/** Indexes a text. `common[id]` is 1 for words to leave out; its length is the size of the vocabulary. */
export function indexBlocks(
  ids: Int32Array,
  common: Uint8Array,
  { blockWords, blockStep }: AlignmentModel,
): BlockIndex {
  const count = blockCount(ids.length, blockWords, blockStep);
  const blocksOf = Array.from(common, (): number[] => []);
  for (let block = 0; block < count; block++) {
    const start = block * blockStep;
    for (const id of ids.subarray(start, start + blockWords)) {
      const blocks = blocksOf[id];
      if (blocks !== undefined && common[id] !== 1 && blocks.at(-1) !== block) blocks.push(block);
    }
  }
  return { count, blocksOf };
}

/** How many blocks cover a text of so many words; the last one may be shorter. */
function blockCount(words: number, blockWords: number, blockStep: number): number {
  return Math.max(1, Math.ceil((words - blockWords) / blockStep) + 1);
}

/** Two blocks that share more rare words than chance explains, and the part of the source in which they lie. */
type BlockSeed = SegmentPair & { readonly section: Span; readonly score: number };

/**
 * Pairs of blocks that may hold reworded text, best first, by the log-odds of each distinct uncommon word in both. Blocks do
 * not cross `sections`; those of the query begin in one of `searchedParts`. Time: for each source block, the query blocks that share a
 * word.
 */
export function blockSeeds(
  query: IndexedQuery,
  searchedParts: readonly Span[],
  sourceIds: Int32Array,
  sections: readonly Span[],
  scoreOf: (id: number) => number,
): BlockSeed[] {
  const { blocks: index, ids, model } = query;
  const { blockWords, blockStep, seedScoreMin } = model;
  const found = new BestSeeds(seedScoreMin);
  const blockScores = new Float64Array(index.count);
  const isSearched = new Uint8Array(index.count);
  for (const { start, end } of searchedParts)
    isSearched.fill(1, Math.ceil(start / blockStep), Math.ceil(end / blockStep));
  for (const section of sections) {
    const count = blockCount(section.end - section.start, blockWords, blockStep);
    for (let i = 0; i < count; i++) {
      const start = section.start + i * blockStep;
      const source = { start, end: Math.min(section.end, start + blockWords) };
      const touched = scoreBlocks(query, isSearched, blockScores, sourceIds, source, scoreOf);
      for (const block of touched) {
        const score = blockScores[block] ?? 0;
        blockScores[block] = 0;
        if (score < found.scoreMin) continue;
        const queryStart = block * blockStep;
        const inQuery = { start: queryStart, end: Math.min(ids.length, queryStart + blockWords) };
        found.add({ query: inQuery, source, section, score });
      }
    }
  }
  return found.bestFirst();
}

/** Block seeds held at once: far more than are tried, and a bound for long texts on one subject. */
const SEEDS_HELD_MAX = 4_000;

class BestSeeds {
  scoreMin: number;
  #seeds: BlockSeed[] = [];

  constructor(scoreMin: number) {
    this.scoreMin = scoreMin;
  }

  add(seed: BlockSeed): void {
    this.#seeds.push(seed);
    if (this.#seeds.length < 2 * SEEDS_HELD_MAX) return;
    this.#seeds = this.bestFirst().slice(0, SEEDS_HELD_MAX);
    this.scoreMin = this.#seeds.at(-1)?.score ?? this.scoreMin;
  }

  bestFirst(): BlockSeed[] {
    return this.#seeds.sort((a, b) => b.score - a.score);
  }
}

/** Adds the scores of the words of one source block to the query blocks that contain them; returns those blocks. */
function scoreBlocks(
  { blocks: { blocksOf }, common, model }: IndexedQuery,
  isSearched: Uint8Array,
  blockScores: Float64Array,
  sourceIds: Int32Array,
  source: Span,
  scoreOf: (id: number) => number,
): number[] {
  const { seedWordScoreMin } = model;
  const touched: number[] = [];
  const seen = new Set<number>();
  for (let i = source.start; i < source.end; i++) {
    const id = sourceIds[i] ?? NONE;
    if (id < 0 || common[id] === 1 || seen.has(id)) continue;
    seen.add(id);
    const score = scoreOf(id);
    if (score < seedWordScoreMin) continue;
    for (const block of blocksOf[id] ?? []) {
      if (isSearched[block] === 0) continue;
      if (blockScores[block] === 0) touched.push(block);
      blockScores[block] = (blockScores[block] ?? 0) + score;
    }
  }
  return touched;
}
