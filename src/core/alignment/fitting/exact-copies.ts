import type { Pair } from "../pair/pair.ts";
import { type Box, overlap, rangeHull, rangeLength, sameBox, type WordRange } from "../pair/word-range.ts";
import { type Piece, pieceOf } from "../pieces/piece.ts";
import type { Run } from "../pieces/run.ts";
import { rowPiece } from "../pieces/run-pieces.ts";
import { withoutOverhang } from "./overhang.ts";
import { COPY_SHARE_MIN, equalWords, partCopies } from "./part-copies.ts";

/**
 * Gives the copies among the passages the edges that a reader sees: one that holds several copies is parted, and one that
 * is in essence a row of equal words begins and ends with it, on both sides. Other passages stay as they are.
 */
export function exactCopies(pair: Pair, runs: readonly Run[], piece: Piece): Piece[] {
  const rows = rowsIn(pair, piece, runs);
  const parts = partCopies(pair, piece, rows);
  if (parts.length > 1) return parts.map((part) => copyPiece(pair, piece, part));
  return [toRow(pair, piece, rows) ?? toRowEnds(pair, piece, rows)];
}

/** Equal words, as a share of the query's side, from which on a passage is one row of them. Exact edges gain mixed .0006. */
const ROW_SHARE_MIN = 0.9;

/** The runs that make up a piece, the longer ones first where they overlap, in the order of the query. */
function rowsIn(pair: Pair, piece: Box, runs: readonly Run[]): Run[] {
  const { query } = pair;
  const inside = runs.filter((run) => {
    const shared = Math.min(overlap(queryWords(run), piece.query), overlap(sourceWords(run), piece.source));
    return shared > INSIDE_SHARE * run.words;
  });
  const { covered } = query.scratch;
  const rows: Run[] = [];
  for (const run of inside.sort((a, b) => b.words - a.words)) {
    const { start, end } = queryWords(run);
    if (sum(covered.subarray(start, end)) > TAKEN_WORDS_MAX) continue;
    covered.fill(1, start, end);
    rows.push(run);
  }
  for (const { queryWord, words } of rows) covered.fill(0, queryWord, queryWord + words);
  return rows.sort((a, b) => a.queryWord - b.queryWord).map((row) => withoutOverhang(pair, row));
}

function sum(numbers: Uint8Array): number {
  return numbers.reduce((total, number) => total + number, 0);
}

const INSIDE_SHARE = 1 / 2;

/** Neighbouring copies may share a word or two by accident. */
const TAKEN_WORDS_MAX = 2;

function toRow(pair: Pair, piece: Box, rows: readonly Run[]): Piece | undefined {
  const row = rows.find(({ words }) => words >= ROW_SHARE_MIN * rangeLength(piece.query));
  return row && rowPiece(pair, row);
}

/** Widens a copy with edits to where its first and its last row begin and end. */
function toRowEnds(pair: Pair, piece: Piece, rows: readonly Run[]): Piece {
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined) return piece;
  if (equalWords(rows) < COPY_SHARE_MIN * rangeLength(piece.query)) return piece;
  let box: Box = piece;
  if (first.queryWord < piece.query.start) box = hullWith(box, first);
  if (last.queryWord + last.words > piece.query.end) box = hullWith(box, last);
  return sameBox(box, piece) ? piece : scored(pair, piece, rows, box);
}

function hullWith(box: Box, run: Run): Box {
  return {
    query: rangeHull(box.query, queryWords(run)),
    source: rangeHull(box.source, sourceWords(run)),
  };
}

/** A part of a piece as a piece of its own. */
function copyPiece(pair: Pair, piece: Piece, rows: readonly Run[]): Piece {
  const [first, ...others] = rows;
  if (first === undefined) return piece;
  if (others.length === 0) return rowPiece(pair, first);
  const box = others.reduce(hullWith, { query: queryWords(first), source: sourceWords(first) });
  return scored(pair, piece, rows, box);
}

/** The piece with another box: its own word scores where it has some, else those of its rows. */
function scored(pair: Pair, piece: Piece, rows: readonly Run[], box: Box): Piece {
  const queryScores = new Float64Array(rangeLength(box.query));
  const sourceScores = new Float64Array(rangeLength(box.source));
  for (const row of rows.map((run) => rowPiece(pair, run))) {
    lay(queryScores, box.query, row.queryScores, row.query);
    lay(sourceScores, box.source, row.sourceScores, row.source);
  }
  lay(queryScores, box.query, piece.queryScores, piece.query);
  lay(sourceScores, box.source, piece.sourceScores, piece.source);
  const parts = Math.min(piece.parts, rows.length);
  return pieceOf(pair, { ...box, segment: piece.segment, queryScores, sourceScores, parts });
}

function lay(over: Float64Array, whole: WordRange, scores: Float64Array, range: WordRange): void {
  const last = Math.min(range.end, whole.end);
  for (let word = Math.max(range.start, whole.start); word < last; word++) {
    over[word - whole.start] = scores[word - range.start] ?? 0;
  }
}

function queryWords({ queryWord, words }: Run): WordRange {
  return { start: queryWord, end: queryWord + words };
}

function sourceWords({ sourceWord, words }: Run): WordRange {
  return { start: sourceWord, end: sourceWord + words };
}
