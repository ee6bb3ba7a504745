import { firstIndex } from "./span.ts";

/**
 * The similarity of two word sequences, from 0 to 1: twice their longest common subsequence by the words of both; 1 if both are
 * empty. Exact up to `EXACT_CELLS_MAX`. Longer texts are first divided at words that each has once (patience diff; Cohen, 2003)
 * or in the middle, which can only lower the result and keeps the time about linear.
 */
export function wordSimilarity(query: readonly string[], source: readonly string[]): number {
  const words = query.length + source.length;
  if (words === 0) return 1;
  const numbers = new Map<string, number>();
  return (2 * commonWords(numbered(query, numbers), numbered(source, numbers))) / words;
}

/** The product of both sides' numbers of words: 2,000 words on each side take about 1 ms. */
const EXACT_CELLS_MAX = 4_000_000;

/** The depth of divisions. Beyond it, texts made to have few anchors would take quadratic time. */
const ANCHOR_DEPTH_MAX = 8;

function numbered(words: readonly string[], numbers: Map<string, number>): Int32Array {
  const ids = new Int32Array(words.length);
  for (const [at, word] of words.entries()) {
    let id = numbers.get(word);
    if (id === undefined) {
      id = numbers.size;
      numbers.set(word, id);
    }
    ids[at] = id;
  }
  return ids;
}

function commonWords(query: Int32Array, source: Int32Array, depth = 0): number {
  const shorter = Math.min(query.length, source.length);
  let before = 0;
  while (before < shorter && query[before] === source[before]) before++;
  let after = 0;
  while (after < shorter - before && query.at(-1 - after) === source.at(-1 - after)) after++;
  const q = query.subarray(before, query.length - after);
  const s = source.subarray(before, source.length - after);
  const equal = before + after;
  if (q.length === 0 || s.length === 0) return equal;
  if (q.length * s.length <= EXACT_CELLS_MAX)
    return equal + (q.length < s.length ? exactCommonWords(q, s) : exactCommonWords(s, q));

  let common = equal;
  let queryStart = 0;
  let sourceStart = 0;
  for (const [queryEnd, sourceEnd] of [...divisions(q, s, depth), [q.length, s.length] as const]) {
    common += commonWords(q.subarray(queryStart, queryEnd), s.subarray(sourceStart, sourceEnd), depth + 1);
    queryStart = queryEnd;
    sourceStart = sourceEnd;
  }
  return common;
}

type Place = readonly [query: number, source: number];

/** Divides both sides before each anchor of their longest ascending row, or in the middle. */
function divisions(query: Int32Array, source: Int32Array, depth: number): readonly Place[] {
  const anchors = depth < ANCHOR_DEPTH_MAX ? longestAscending(sharedOnce(query, source)) : [];
  return anchors.length > 0 ? anchors : [[query.length >> 1, source.length >> 1]];
}

/** The words that each side has exactly once, in the query's order. */
function sharedOnce(query: Int32Array, source: Int32Array): Place[] {
  const queryPlace = onlyPlaces(query);
  const sourcePlace = onlyPlaces(source);
  const shared: Place[] = [];
  for (const [word, at] of queryPlace) {
    const there = sourcePlace.get(word);
    if (at !== SEVERAL && there !== undefined && there !== SEVERAL) shared.push([at, there]);
  }
  return shared.sort((a, b) => a[0] - b[0]);
}

const SEVERAL = -1;

function onlyPlaces(ids: Int32Array): Map<number, number> {
  const places = new Map<number, number>();
  for (const [at, id] of ids.entries()) places.set(id, places.has(id) ? SEVERAL : at);
  return places;
}

/** The longest row of places that ascends on the source side too (Schensted, 1961). */
function longestAscending(places: readonly Place[]): Place[] {
  const tails: number[] = [];
  const previous = new Int32Array(places.length);
  for (const [at, [, source]] of places.entries()) {
    const length = firstIndex(tails.length, (tail) => (places[tails[tail] ?? 0]?.[1] ?? 0) >= source);
    previous[at] = tails[length - 1] ?? SEVERAL;
    tails[length] = at;
  }
  const row: Place[] = [];
  for (let at = tails.at(-1) ?? SEVERAL; at !== SEVERAL; at = previous[at] ?? SEVERAL) {
    const place = places[at];
    if (place !== undefined) row.push(place);
  }
  return row.reverse();
}

/** Bits used of a number: one less than it has, so that a sum's carry fits. */
const BITS = 31;
const ALL = 0x7fffffff;

/** Longest common subsequence, with rows as bits (Hyyrö, 2004). Time: product of lengths / `BITS`; memory: 8 bytes × shorter². */
function exactCommonWords(shorter: Int32Array, longer: Int32Array): number {
  const blocks = Math.ceil(shorter.length / BITS);
  const places = new Map<number, Int32Array>();
  for (const [at, id] of shorter.entries()) {
    let mask = places.get(id);
    if (mask === undefined) {
      mask = new Int32Array(blocks);
      places.set(id, mask);
    }
    const block = Math.floor(at / BITS);
    mask[block] = (mask[block] ?? 0) | (1 << (at % BITS));
  }
  const row = new Int32Array(blocks).fill(ALL);
  for (const id of longer) {
    const mask = places.get(id);
    if (mask !== undefined) advance(row, mask);
  }
  let grown = 0;
  for (let at = 0; at < shorter.length; at++) {
    if ((((row[Math.floor(at / BITS)] ?? 0) >> (at % BITS)) & 1) === 0) grown++;
  }
  return grown;
}

function advance(row: Int32Array, mask: Int32Array): void {
  let carry = 0;
  for (let block = 0; block < row.length; block++) {
    const bits = row[block] ?? 0;
    const matches = bits & (mask[block] ?? 0);
    const sum = bits + matches + carry;
    carry = sum > ALL ? 1 : 0;
    row[block] = (sum & ALL) | (bits & ~matches);
  }
}
