import type { Pair } from "../pair/pair.ts";
import { rangeLength, sameBox, type WordRange, widened } from "../pair/word-range.ts";
import { type Piece, pieceOf } from "../pieces/piece.ts";
import { bestInterval } from "../scoring/best-interval.ts";
import { scoreTokens, unscored } from "../scoring/score-tokens.ts";

/**
 * Lets a piece's edges move to where they fit best, one side after the other, until they stay. Inside, word scores are
 * those of its parts; outside, only stretches that keep nearly all their words are taken in. (Without it the mixed benchmark loses .012.)
 */
export function growPiece(pair: Pair, piece: Piece): Piece {
  let grown = piece;
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const next = growSource(pair, growQuery(pair, grown));
    if (sameBox(next, grown)) return next;
    grown = next;
  }
  return grown;
}

const ROUNDS_MAX = 5;

/** How far an edge may move in one round, in words. */
const REACH_WORDS = 120;

/** The share of words that reuse is taken to keep beyond a piece's edges. */
const KEPT = 0.8;

/** Words that are used up already lead nowhere: a passage that is used twice in a row would swallow its other use. */
const SURPLUS = -0.6;

/** The other side is looked through some way beyond its edges: so many words, or this share of its length. */
const PADDING_WORDS = 20;
const PADDING_SHARE = 0.1;

function growQuery(pair: Pair, piece: Piece): Piece {
  const { query, sourceSide } = pair;
  const within: WordRange = { start: 0, end: query.ids.length };
  const reach = widened(piece.query, REACH_WORDS, within);
  const scores = spread(piece.queryScores, piece.query, reach);
  const bag = padded(piece.source, piece.segment);
  scoreTokens(
    pair,
    { own: query, other: sourceSide, core: piece.query, bag, kept: KEPT, surplus: SURPLUS },
    reach.start,
    scores,
  );
  const { start, end } = bestInterval(query.edgePriors, reach.start, scores);
  if (start === piece.query.start && end === piece.query.end) return piece;
  const queryScores = scores.subarray(start - reach.start, end - reach.start);
  return pieceOf(pair, { ...piece, query: { start, end }, queryScores });
}

function growSource(pair: Pair, piece: Piece): Piece {
  const { query, sourceSide } = pair;
  const reach = widened(piece.source, REACH_WORDS, piece.segment);
  const scores = spread(piece.sourceScores, piece.source, reach);
  const bag = padded(piece.query, { start: 0, end: query.ids.length });
  scoreTokens(
    pair,
    { own: sourceSide, other: query, core: piece.source, bag, kept: KEPT, surplus: SURPLUS },
    reach.start,
    scores,
  );
  const { start, end } = bestInterval(sourceSide.edgePriors, reach.start, scores);
  if (start === piece.source.start && end === piece.source.end) return piece;
  const sourceScores = scores.subarray(start - reach.start, end - reach.start);
  return pieceOf(pair, { ...piece, source: { start, end }, sourceScores });
}

/** The scores of `range` at their places in `reach`, the rest to be scored. */
function spread(scores: Float64Array, range: WordRange, reach: WordRange): Float64Array {
  const all = unscored(reach.end - reach.start);
  all.set(scores, range.start - reach.start);
  return all;
}

function padded(range: WordRange, within: WordRange): WordRange {
  return widened(range, Math.max(PADDING_WORDS, Math.round(PADDING_SHARE * rangeLength(range))), within);
}
