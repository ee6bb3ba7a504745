import type { Pair } from "../pair/pair.ts";
import type { Box, WordRange } from "../pair/word-range.ts";

/** A stretch of the query and one of the source that may stand for each other, and the evidence for it. */
export type Piece = Box & {
  /** The part of the source between barriers in which it lies. */
  readonly segment: WordRange;
  /** For each word of the two stretches its log-odds. */
  readonly queryScores: Float64Array;
  readonly sourceScores: Float64Array;
  /** The sum of all word scores and of the four edge priors. */
  readonly worth: number;
  /** How many pieces it was joined from. */
  readonly parts: number;
};

/**
 * What each further part takes off: joined pieces save the threshold and the edge priors of all but one, and this is the
 * share of it that isn't theirs to keep. Between 14 and 26 the two benchmarks change in opposite directions.
 */
const PART_COST = 20;

/** The piece with what it is worth. */
export function pieceOf(pair: Pair, piece: Omit<Piece, "worth">): Piece {
  return { ...piece, worth: edgeWorth(pair, piece) + sum(piece.queryScores) + sum(piece.sourceScores) };
}

/** The log-odds that the piece's four ends are the ends of a passage. */
export function edgeWorth({ query, sourceSide }: Pair, box: Box): number {
  return (
    (query.edgePriors[box.query.start] ?? 0) +
    (query.edgePriors[box.query.end] ?? 0) +
    (sourceSide.edgePriors[box.source.start] ?? 0) +
    (sourceSide.edgePriors[box.source.end] ?? 0)
  );
}

/** What a piece is worth beyond the threshold. */
export function netWorth(pair: Pair, piece: Piece): number {
  return piece.worth - pair.threshold - PART_COST * (piece.parts - 1);
}

/** The share of words whose score is positive: those that the other side has too. */
export function foundShare(scores: Float64Array): number {
  let found = 0;
  for (const score of scores) if (score > 0) found++;
  return scores.length === 0 ? 0 : found / scores.length;
}

function sum(values: Float64Array): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
