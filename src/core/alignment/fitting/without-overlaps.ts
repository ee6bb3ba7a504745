import { overlap, rangeLength } from "../pair/word-range.ts";
import type { Piece } from "../pieces/piece.ts";

/**
 * Cuts from each piece the query words that an earlier (better) one has, at the end where they are. The source side is cut
 * in step when the two sides are one row of words. Gives the pieces in the order of the query.
 */
export function withoutOverlaps(bestFirst: readonly Piece[]): Piece[] {
  const apart: Piece[] = [];
  for (const piece of bestFirst) {
    const rest = apart.reduce<Piece | undefined>((left, better) => left && cut(left, better), piece);
    if (rest !== undefined) apart.push(rest);
  }
  return apart.sort((a, b) => a.query.start - b.query.start);
}

/** What is left of a piece beside a better one: the longer of the two ends; undefined when nothing is. */
function cut(piece: Piece, better: Piece): Piece | undefined {
  if (overlap(piece.query, better.query) === 0) return piece;
  const before = better.query.start - piece.query.start;
  const after = piece.query.end - better.query.end;
  if (Math.max(before, after) <= 0) return undefined;
  return before >= after
    ? cutEnd(piece, rangeLength(piece.query) - before)
    : cutStart(piece, rangeLength(piece.query) - after);
}

function cutStart(piece: Piece, words: number): Piece {
  const query = { start: piece.query.start + words, end: piece.query.end };
  const queryScores = piece.queryScores.subarray(words);
  if (!isRow(piece)) return { ...piece, query, queryScores };
  const source = { start: piece.source.start + words, end: piece.source.end };
  return { ...piece, query, source, queryScores, sourceScores: piece.sourceScores.subarray(words) };
}

function cutEnd(piece: Piece, words: number): Piece {
  const query = { start: piece.query.start, end: piece.query.end - words };
  const queryScores = piece.queryScores.subarray(0, rangeLength(query));
  if (!isRow(piece)) return { ...piece, query, queryScores };
  const source = { start: piece.source.start, end: piece.source.end - words };
  const sourceScores = piece.sourceScores.subarray(0, rangeLength(source));
  return { ...piece, query, source, queryScores, sourceScores };
}

/** Whether both sides are equally long and every word of them is found: then they stand for each other word by word. */
function isRow({ query, source, queryScores }: Piece): boolean {
  return rangeLength(query) === rangeLength(source) && queryScores.every((score) => score > 0);
}
