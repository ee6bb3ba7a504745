import type { Pair } from "../pair/pair.ts";
import type { Side } from "../pair/prepared-query.ts";
import { type Box, type WordRange, widened } from "../pair/word-range.ts";
import { bestInterval } from "../scoring/best-interval.ts";
import { scoreTokens, unscored } from "../scoring/score-tokens.ts";
import { type Piece, pieceOf } from "./piece.ts";

/**
 * Improves a box until neither side can be improved given the other: the best stretch of the query given the source's
 * words, then the best stretch of the source given the query's, in turn. Undefined when nothing speaks for reuse there.
 * The first rounds look for words in a wider bag than the box, because the box is only a guess.
 * The query's side stays within `whole`, the source's within `segment`.
 */
export function ascend(
  pair: Pair,
  seed: Box,
  segment: WordRange,
  whole: WordRange = { start: 0, end: pair.query.ids.length },
): Piece | undefined {
  let box: Box = { query: seed.query, source: seed.source };
  for (let round = 0; ; round++) {
    const bagForQuery = widened(box.source, SOURCE_PADDING[round] ?? 0, segment);
    const query = improve(pair, pair.query, pair.sourceSide, box.query, bagForQuery, whole);
    const bagForSource = widened(query.best, QUERY_PADDING[round] ?? 0, whole);
    const source = improve(pair, pair.sourceSide, pair.query, box.source, bagForSource, segment);
    const better: Box = { query: query.best, source: source.best };
    const worth = query.best.worth + source.best.worth;
    if (round > 0 && worth < 0) return undefined;
    const settled = round > 1 && isSame(box.query, better.query) && isSame(box.source, better.source);
    box = better;
    if (!settled && round + 1 < ROUNDS_MAX) continue;
    return pieceOf(pair, {
      query: { start: query.best.start, end: query.best.end },
      source: { start: source.best.start, end: source.best.end },
      segment,
      queryScores: query.scores,
      sourceScores: source.scores,
      parts: 1,
    });
  }
}

/** Words that a bag is wider than the box at both ends, by round. Without them PAN13 loses .07. */
const SOURCE_PADDING = [113, 36] as const;
const QUERY_PADDING = [45] as const;

/** Nearly all have settled by then; a single round costs PAN13 .02. */
const ROUNDS_MAX = 5;

/** How far a box may grow or move in one round, in words: at 40, PAN13 loses .007. */
const REACH_WORDS = 120;

/** The share of words that reuse is taken to keep. */
const KEPT = 0.42;

function improve(
  pair: Pair,
  own: Side,
  other: Side,
  core: WordRange,
  bag: WordRange,
  within: WordRange,
): { readonly best: ReturnType<typeof bestInterval>; readonly scores: Float64Array } {
  const reach = widened(core, REACH_WORDS, within);
  const scores = unscored(reach.end - reach.start);
  scoreTokens(pair, { own, other, core, bag, kept: KEPT }, reach.start, scores);
  const best = bestInterval(own.edgePriors, reach.start, scores);
  return { best, scores: scores.subarray(best.start - reach.start, best.end - reach.start) };
}

function isSame(a: WordRange, b: WordRange): boolean {
  return a.start === b.start && a.end === b.end;
}
