import { endsSentence } from "../pair/edge-types.ts";
import type { Pair } from "../pair/pair.ts";
import type { WordRange } from "../pair/word-range.ts";
import { chanceInBag, foundScore } from "../scoring/chance.ts";
import { addCounts, clearCounts } from "../scoring/score-tokens.ts";
import { extendSeeds } from "./extend.ts";
import { type Piece, pieceOf } from "./piece.ts";
import type { Run } from "./run.ts";
import { findSeeds } from "./seed.ts";

/** All rows of equal words, from a gram on. */
export function allRuns({ query, sourceSide }: Pair): Run[] {
  return extendSeeds(query, sourceSide.ids, findSeeds(query, sourceSide.ids));
}

/** Shorter rows are accidents of language. From four to six it makes no difference; with eight the mixed benchmark loses .001. */
export const RUN_WORDS_MIN = 5;

/**
 * A run of equal words as a piece. Its words score as found in a bag of a few words, because where they stand is known:
 * far more than in a bag of the whole box. By accident a run may hold a word too many; so it ends at a sentence's end
 * of the source where one is near.
 */
export function runPiece(pair: Pair, run: Run): Piece {
  const { edges } = pair.sourceSide;
  const skipped = wordsToSentenceEdge(edges, run.sourceWord, 1, run.words);
  const dropped = wordsToSentenceEdge(edges, run.sourceWord + run.words, -1, run.words - skipped);
  return rowPiece(pair, {
    queryWord: run.queryWord + skipped,
    sourceWord: run.sourceWord + skipped,
    words: run.words - skipped - dropped,
  });
}

/** A run of equal words as a piece, from its first word to its last. */
export function rowPiece(pair: Pair, { queryWord, sourceWord, words }: Run): Piece {
  const own: WordRange = { start: queryWord, end: queryWord + words };
  const source: WordRange = { start: sourceWord, end: sourceWord + words };
  const scores = scoreRun(pair, own, source);
  return pieceOf(pair, {
    query: own,
    source,
    segment: segmentOf(pair, source),
    queryScores: scores,
    sourceScores: scores,
    parts: 1,
  });
}

/** How far the nearest sentence edge is that leaves most of the run, at most `DRAWN_IN_MAX` words; else 0. */
function wordsToSentenceEdge(edges: Uint8Array, from: number, step: 1 | -1, words: number): number {
  for (let drawn = 0; drawn <= DRAWN_IN_MAX && drawn < words - 2; drawn++) {
    if (endsSentence(edges[from + step * drawn] ?? 0)) return drawn;
  }
  return 0;
}

const DRAWN_IN_MAX = 4;

function scoreRun(pair: Pair, own: WordRange, source: WordRange): Float64Array {
  const { query, sourceSide } = pair;
  const { scratch } = query;
  addCounts(scratch.own, query.ids, own);
  addCounts(scratch.own, sourceSide.ids, source);
  const excluded = own.end - own.start + source.end - source.start;
  const scores = new Float64Array(own.end - own.start);
  for (let i = 0; i < scores.length; i++) {
    const id = query.ids[own.start + i] ?? 0;
    const all = (query.counts[id] ?? 0) + (scratch.sourceCounts[id] ?? 0);
    const outside = Math.max(0, all - (scratch.own[id] ?? 0));
    scores[i] = foundScore(chanceInBag(pair, id, outside, excluded, RUN_BAG_WORDS), KEPT);
  }
  clearCounts(scratch.own, query.ids, own);
  clearCounts(scratch.own, sourceSide.ids, source);
  return scores;
}

const RUN_BAG_WORDS = 3.2;

/** The share of words that reuse is taken to keep, as in `ascend.ts`. */
const KEPT = 0.42;

function segmentOf({ segments }: Pair, source: WordRange): WordRange {
  return segments.findLast((segment) => segment.start <= source.start) ?? source;
}
