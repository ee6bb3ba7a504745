/** Stands for "no position" in the typed arrays. */
export const NONE = -1;

/** Where each gram of a text (`gramWords` words in a row, named by the position of its first occurrence) stands. */
export type GramIndex = {
  readonly gramWords: number;
  /** Open addressing by `hashGram`: the first position of a gram, or `NONE`; its length is a power of two. */
  readonly slots: Int32Array;
  /** For each position its gram, and the next position with the same gram, or `NONE`. */
  readonly gramAt: Int32Array;
  readonly nextSame: Int32Array;
};

/** Indexes all grams of a text; linear in its words. */
export function indexGrams(ids: Int32Array, gramWords: number): GramIndex {
  const grams = gramWords === 0 ? 0 : Math.max(0, ids.length - gramWords + 1);
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
  return { gramWords, slots, gramAt, nextSame };
}

/** The first position in `indexed` of the gram that stands at `at` in `ids`, or `NONE` when it has no such gram. */
export function findGram(index: GramIndex, indexed: Int32Array, ids: Int32Array, at: number): number {
  return index.slots[findSlot(index.slots, indexed, ids, at, index.gramWords)] ?? NONE;
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
  indexed: Int32Array,
  ids: Int32Array,
  at: number,
  gramWords: number,
): number {
  const mask = slots.length - 1;
  let slot = hashGram(ids, at, gramWords) & mask;
  for (;;) {
    const first = slots[slot] ?? NONE;
    if (first === NONE || equalWords(indexed, first, ids, at, gramWords)) return slot;
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
