import type { Pair } from "../pair/pair.ts";
import type { Side } from "../pair/prepared-query.ts";
import { type Box, rangeLength, sameBox, type WordRange } from "../pair/word-range.ts";
import type { Piece } from "../pieces/piece.ts";
import { addCounts, clearCounts } from "../scoring/score-tokens.ts";

/**
 * Takes from both ends of a passage that is otherwise a copy the words that the other side lacks, so that a copy's edges
 * are exact. Edge priors alone would let it run on to the next sentence's end. (Mixed gains .001.)
 */
export function trimPiece(pair: Pair, piece: Piece): Piece {
  let box: Box = piece;
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const query = trimSide(pair, pair.query, box.query, pair.sourceSide, box.source);
    const source = trimSide(pair, pair.sourceSide, box.source, pair.query, query);
    const next: Box = { query, source };
    if (sameBox(next, box)) break;
    box = next;
  }
  if (sameBox(box, piece)) return piece;
  return {
    ...piece,
    query: box.query,
    source: box.source,
    queryScores: part(piece.queryScores, piece.query, box.query),
    sourceScores: part(piece.sourceScores, piece.source, box.source),
  };
}

const ROUNDS_MAX = 4;

/** The share of words found from which on a passage is a copy; below, a sentence's edge tells more than a word's. */
const COPY_SHARE_MIN = 0.9;

function trimSide(pair: Pair, own: Side, range: WordRange, other: Side, bag: WordRange): WordRange {
  const isFound = findWords(pair, own, range, other, bag);
  const inner = withoutMissed(isFound);
  let found = 0;
  for (let i = inner.start; i < inner.end; i++) found += isFound[i] ?? 0;
  if (found < COPY_SHARE_MIN * rangeLength(inner)) return range;
  return { start: range.start + inner.start, end: range.start + inner.end };
}

/** 1 for the words of the range that stand in the bag, one to one. */
function findWords(pair: Pair, own: Side, range: WordRange, other: Side, bag: WordRange): Uint8Array {
  const { scratch } = pair.query;
  addCounts(scratch.bag, other.ids, bag);
  const isFound = new Uint8Array(rangeLength(range));
  for (let i = 0; i < isFound.length; i++) {
    const id = own.ids[range.start + i] ?? -1;
    if (id < 0) continue;
    const used = scratch.used[id] ?? 0;
    if (used >= (scratch.bag[id] ?? 0)) continue;
    scratch.used[id] = used + 1;
    isFound[i] = 1;
  }
  clearCounts(scratch.used, own.ids, range);
  clearCounts(scratch.bag, other.ids, bag);
  return isFound;
}

/** The stretch from the first found word to the last, or all when none is found. */
function withoutMissed(isFound: Uint8Array): WordRange {
  const start = isFound.indexOf(1);
  return start < 0 ? { start: 0, end: isFound.length } : { start, end: isFound.lastIndexOf(1) + 1 };
}

function part(scores: Float64Array, range: WordRange, within: WordRange): Float64Array {
  return scores.subarray(within.start - range.start, within.end - range.start);
}
