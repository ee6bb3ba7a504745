import type { Pair } from "../pair/pair.ts";
import { type Box, overlap, rangeLength, sameBox, type WordRange } from "../pair/word-range.ts";
import { ascend } from "./ascend.ts";
import { isDoubled } from "./doubled.ts";
import { betweenInsertions } from "./insertions.ts";
import type { Piece } from "./piece.ts";
import type { Run } from "./run.ts";
import { runPiece } from "./run-pieces.ts";
import { windowSeeds } from "./window-seeds.ts";

/**
 * The pieces that passages may consist of, best first: the rows of equal words, and what ascents from pairs of windows
 * lead to. None lies for the most part inside a better one on both sides.
 */
export function findPieces(pair: Pair, runs: readonly Run[]): Piece[] {
  const pieces = runs.map((run) => runPiece(pair, run)).filter(isWorthJoining);
  for (const piece of ascents(pair)) {
    if (isWorthJoining(piece) && !pieces.some((other) => sameBox(other, piece))) pieces.push(piece);
  }
  pieces.sort((a, b) => b.worth - a.worth);
  return withoutCovered(pieces.slice(0, piecesMax(pair)));
}

/** The least that a piece is worth that may become part of a passage. Between 22 and 30 little changes. */
const PIECE_WORTH_MIN = 27.5;

function isWorthJoining({ worth }: Piece): boolean {
  return worth >= PIECE_WORTH_MIN;
}

/** Ascents tried, and pieces kept, for short texts; long ones get more. With 60 of each nothing is gained. */
const SEEDS_MAX = 30;
const PIECES_MAX = 40;

/** One more seed for each so many words of both texts' geometric mean, and one more piece for so many words of both. */
const WORDS_PER_SEED = 250;
const WORDS_PER_PIECE = 500;

function piecesMax({ words }: Pair): number {
  return PIECES_MAX + Math.floor(words / WORDS_PER_PIECE);
}

function* ascents(pair: Pair): Generator<Piece> {
  const { query, sourceSide } = pair;
  let left = SEEDS_MAX + Math.floor(Math.sqrt(query.ids.length * sourceSide.ids.length) / WORDS_PER_SEED);
  const visited: Box[] = [];
  for (const seed of windowSeeds(pair)) {
    if (left === 0) return;
    if (visited.some((box) => holdsCentre(box, seed))) continue;
    left -= 1;
    visited.push(seed);
    const piece = ascend(pair, seed, seed.segment);
    if (piece === undefined) continue;
    visited.push(piece);
    const ranges = queryParts(pair, piece);
    if (ranges.length === 1) yield piece;
    else yield* ascentsWithin(pair, piece, ranges);
  }
}

/** The stretches of a piece's query side that are passages of their own. */
function queryParts(pair: Pair, { query, source, queryScores }: Piece): WordRange[] {
  const half = middle(query);
  if (!isDoubled(pair, pair.query, query, queryScores, pair.sourceSide, source)) {
    return betweenInsertions(queryScores, query.start);
  }
  return [
    { start: query.start, end: half },
    { start: half, end: query.end },
  ];
}

function* ascentsWithin(pair: Pair, piece: Piece, ranges: readonly WordRange[]): Generator<Piece> {
  for (const range of ranges) {
    const part = ascend(pair, { query: range, source: piece.source }, piece.segment, range);
    if (part !== undefined) yield part;
  }
}

function holdsCentre(box: Box, seed: Box): boolean {
  return holds(box.query, middle(seed.query)) && holds(box.source, middle(seed.source));
}

function middle({ start, end }: WordRange): number {
  return (start + end) >> 1;
}

function holds({ start, end }: WordRange, word: number): boolean {
  return word >= start && word < end;
}

/** Leaves out what lies mostly inside a better piece: by three quarters on one side and half on the other. */
export function withoutCovered(bestFirst: readonly Piece[]): Piece[] {
  const kept: Piece[] = [];
  for (const piece of bestFirst) if (!kept.some((better) => covers(better, piece))) kept.push(piece);
  return kept;
}

const COVERED_MOST = 3 / 4;
const COVERED_HALF = 1 / 2;

function covers(better: Box, piece: Box): boolean {
  const query = overlap(better.query, piece.query) / rangeLength(piece.query);
  const source = overlap(better.source, piece.source) / rangeLength(piece.source);
  return Math.max(query, source) >= COVERED_MOST && Math.min(query, source) >= COVERED_HALF;
}
