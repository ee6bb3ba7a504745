import { endsLine, endsParagraph } from "../pair/edge-types.ts";
import type { Pair } from "../pair/pair.ts";
import { overlap, rangeLength, type WordRange } from "../pair/word-range.ts";
import { foundShare, type Piece } from "../pieces/piece.ts";
import type { Run } from "../pieces/run.ts";
import { addCounts, clearCounts } from "../scoring/score-tokens.ts";
import { bestTold, type Told } from "./told-stretch.ts";

/**
 * Adds the stretches of the query that summarise the whole source (or a whole part of it between barriers): they say in
 * a few sentences what is spread over a text a good deal longer, so that no stretch of it accounts for them.
 * They replace the passages that are parts of them. (PAN13's summaries: .48 without, .93 with; mixed loses .001.)
 */
export function withSummaries(pair: Pair, runs: readonly Run[], kept: readonly Piece[]): Piece[] {
  let passages = [...kept];
  for (const segment of pair.segments) {
    const summary = summaryOf(pair, segment, passages);
    if (summary === undefined || isCopied(pair, runs, summary.query)) continue;
    passages = passages.filter(
      (piece) => overlap(piece.query, summary.query) < INSIDE_SHARE * rangeLength(piece.query),
    );
    passages.unshift(summary);
  }
  return passages;
}

/** Passages that lie so far inside a summary's query side are parts of it. */
const INSIDE_SHARE = 1 / 2;

/**
 * Words in a row, and their share of a stretch, from which on it is a collection of copies and no summary, if it is longer
 * than a paragraph. Within one paragraph, sentences that were picked out are a summary (else PAN13's fall by .024).
 */
const COPIED_ROW_WORDS_MIN = 8;
const COPIED_SHARE_MIN = 0.8;

function isCopied({ query }: Pair, runs: readonly Run[], range: WordRange): boolean {
  if (!query.edges.subarray(range.start + 1, range.end).some(endsParagraph)) return false;
  const { covered } = query.scratch;
  for (const { queryWord, words } of runs) {
    if (words >= COPIED_ROW_WORDS_MIN) covered.fill(1, queryWord, queryWord + words);
  }
  let copied = 0;
  for (let i = range.start; i < range.end; i++) copied += covered[i] ?? 0;
  covered.fill(0);
  return copied >= COPIED_SHARE_MIN * rangeLength(range);
}

function summaryOf(pair: Pair, segment: WordRange, kept: readonly Piece[]): Piece | undefined {
  const sourceWords = rangeLength(segment);
  if (sourceWords < SOURCE_WORDS_MIN) return undefined;
  const told = bestTold(pair, segment);
  if (told === undefined || told.worth < WORTH_MIN) return undefined;
  const words = rangeLength(told);
  if (words < SUMMARY_WORDS_MIN || sourceWords < SOURCE_RATIO_MIN * words) return undefined;
  const local = mostOverlapping(told, kept);
  const asked = PER_SOURCE * Math.log(pair.query.pairsCompared);
  if (summaryOdds(pair, segment, told, local) < asked) return undefined;
  const query = toLines(pair, told);
  return {
    query,
    source: segment,
    segment,
    queryScores: new Float64Array(rangeLength(query)),
    sourceScores: new Float64Array(sourceWords),
    worth: told.worth + pair.threshold,
    parts: 1,
  };
}

const SOURCE_WORDS_MIN = 200;
const SUMMARY_WORDS_MIN = 25;
const SOURCE_RATIO_MIN = 1.5;
const WORTH_MIN = 10;

/**
 * What each e-fold of the number of sources adds to the odds that are asked for: two texts on one matter say the same in many
 * places, and one of many sources seems summarised by chance. Of 1,000 encyclopedia articles against each other three still
 * are taken for summaries. With 15 sources it costs PAN13's summaries .045 on listed pairs.
 */
const PER_SOURCE = 0.3;

function mostOverlapping(told: WordRange, kept: readonly Piece[]): Piece | undefined {
  let most = 0;
  let best: Piece | undefined;
  for (const piece of kept) {
    const shared = overlap(piece.query, told);
    if (shared <= most) continue;
    most = shared;
    best = piece;
  }
  return best;
}

/**
 * The log-odds that the stretch tells the whole source rather than the stretch of it in the best local passage. A logistic
 * regression on 2,070 such stretches of both benchmarks' tuning parts, 158 of them summaries: 26 of these it misses,
 * 22 others it takes for one. What speaks most for a local passage is that its source side has few omissions.
 * Summaries of PAN13 have some 100 words; shorter and longer ones are less often taken for one, and found in parts.
 */
function summaryOdds(pair: Pair, segment: WordRange, told: Told, local: Piece | undefined): number {
  const words = rangeLength(told);
  const kept = (told.found - told.expected + 9.4) / (words - told.expected + 20);
  const shift = Math.log(words) - LOG_WORDS_USUAL;
  const long = Math.max(0, Math.log(rangeLength(segment) / LONG_SOURCE_WORDS));
  const hasLocal = local === undefined ? 0 : 1;
  const inside = local === undefined ? 0 : overlap(local.query, told) / words;
  const dense = local === undefined ? 0 : foundShare(local.sourceScores);
  return (
    WEIGHTS.bias +
    WEIGHTS.kept * Math.min(0.95, Math.max(0.1, kept)) +
    WEIGHTS.hasLocal * hasLocal +
    WEIGHTS.inside * inside +
    WEIGHTS.dense * dense +
    WEIGHTS.shift * shift * shift +
    WEIGHTS.long * long +
    WEIGHTS.elsewhere * foundElsewhere(pair, told, local)
  );
}

const LOG_WORDS_USUAL = 4.7;
const LONG_SOURCE_WORDS = 2_000;

const WEIGHTS = {
  bias: -10.97,
  kept: 6.1,
  hasLocal: 11.75,
  inside: -2.23,
  dense: -9.29,
  shift: -9.26,
  long: -10.47,
  elsewhere: 11.1,
} as const;

/** The share of the stretch's uncommon words that the source has, but not in the local passage. */
function foundElsewhere({ query, sourceSide }: Pair, told: WordRange, local: Piece | undefined): number {
  const { bag, sourceCounts } = query.scratch;
  if (local !== undefined) addCounts(bag, sourceSide.ids, local.source);
  let words = 0;
  let elsewhere = 0;
  for (let i = told.start; i < told.end; i++) {
    const id = query.ids[i] ?? 0;
    if (query.common[id] === 1) continue;
    words += 1;
    if ((sourceCounts[id] ?? 0) > 0 && (bag[id] ?? 0) === 0) elsewhere += 1;
  }
  if (local !== undefined) clearCounts(bag, sourceSide.ids, local.source);
  return elsewhere / Math.max(1, words);
}

/** Lines of a text that no one breaks have at most so many words; longer ones are no paragraphs to snap to. */
const LINE_WORDS_MAX = 300;
const LINE_SHARE_MIN = 0.3;
const OVERHANG_SHARE_MAX = 0.35;

/** Moves both ends to lines: out to the line's edge when enough of the line is covered, in when little hangs over. */
function toLines(pair: Pair, told: WordRange): WordRange {
  const first = lineOf(pair, told.start);
  const words = rangeLength(told);
  let { start, end } = told;
  if (rangeLength(first) <= LINE_WORDS_MAX) {
    if (Math.min(first.end, end) - start >= LINE_SHARE_MIN * rangeLength(first)) start = first.start;
    else if (first.end < end && first.end - start < OVERHANG_SHARE_MAX * words) start = first.end;
  }
  const last = lineOf(pair, told.end - 1);
  if (rangeLength(last) <= LINE_WORDS_MAX) {
    if (end - Math.max(last.start, start) >= LINE_SHARE_MIN * rangeLength(last)) end = last.end;
    else if (last.start > start && end - last.start < OVERHANG_SHARE_MAX * (end - start)) end = last.start;
  }
  return { start, end };
}

function lineOf({ query }: Pair, word: number): WordRange {
  const { edges, ids } = query;
  let start = word;
  let end = word + 1;
  while (start > 0 && !endsLine(edges[start] ?? 0)) start--;
  while (end < ids.length && !endsLine(edges[end] ?? 0)) end++;
  return { start, end };
}
