import { endsSentence } from "../pair/edge-types.ts";
import type { Pair } from "../pair/pair.ts";
import { rangeLength } from "../pair/word-range.ts";
import type { Piece } from "../pieces/piece.ts";

/**
 * Lets a condensed passage's source run on beyond the last word that was kept: what was left out between its kept words
 * was likely left out behind the last one too. (Condensed passages of the mixed benchmark: .864 without, .890 with.)
 */
export function withSourceTail(pair: Pair, piece: Piece): Piece {
  const { edges } = pair.sourceSide;
  if (rangeLength(piece.source) < CONDENSED_RATIO * rangeLength(piece.query)) return piece;
  const wanted = Math.round(TAIL_SHARE * meanOmission(piece.sourceScores));
  if (wanted === 0) return piece;
  const last = Math.min(piece.segment.end, piece.source.end + Math.round(TAIL_MAX * wanted));
  let end = Math.min(piece.segment.end, piece.source.end + wanted);
  while (end < last && !endsSentence(edges[end] ?? 0)) end++;
  const sourceScores = new Float64Array(end - piece.source.start);
  sourceScores.set(piece.sourceScores);
  return { ...piece, source: { start: piece.source.start, end }, sourceScores };
}

/** Source words for each query word from which on a passage is taken to be condensed. */
const CONDENSED_RATIO = 2;

/** How much of a mean omission is added, and how much more to reach a sentence's end. */
const TAIL_SHARE = 0.7;
const TAIL_MAX = 2;

/** Shorter stretches that are not found are edits. */
const OMISSION_WORDS_MIN = 5;

/** The mean length of the stretches of the source that the query has nothing of; 0 when there are none. */
function meanOmission(scores: Float64Array): number {
  let omissions = 0;
  let words = 0;
  let stretch = 0;
  for (let i = 0; i <= scores.length; i++) {
    if (i < scores.length && (scores[i] ?? 0) <= 0) {
      stretch += 1;
      continue;
    }
    if (stretch >= OMISSION_WORDS_MIN) {
      omissions += 1;
      words += stretch;
    }
    stretch = 0;
  }
  return omissions === 0 ? 0 : words / omissions;
}
