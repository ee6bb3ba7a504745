import { findGram, NONE } from "../pair/gram-index.ts";
import type { Pair } from "../pair/pair.ts";
import { type Box, overlap, type WordRange } from "../pair/word-range.ts";
import type { Piece } from "../pieces/piece.ts";
import type { Run } from "../pieces/run.ts";
import { rowPiece, runPiece } from "../pieces/run-pieces.ts";
import { addCounts, clearCounts } from "../scoring/score-tokens.ts";
import { type DroppedMatch, LISTED_WORDS_MIN } from "./match.ts";
import { runningWords } from "./running-words.ts";
import { isSetPhrase } from "./set-phrase.ts";

/**
 * The word-for-word copies that no kept passage accounts for, as pieces: runs of at least `COPY_WORDS_MIN` equal words
 * that hold something rare. A user wants to see them however short they are and whatever stands beside them, also
 * where the two texts have so much in common that evidence is hard to come by.
 */
export function uncoveredCopies(pair: Pair, runs: readonly Run[], kept: readonly Piece[]): Piece[] {
  const { covered } = pair.query.scratch;
  for (const { query } of kept) covered.fill(1, query.start, query.end);
  const copies: Piece[] = [];
  for (const run of runs.toSorted((a, b) => b.words - a.words)) {
    const free = longestFree(run, covered);
    if (free.words < COPY_WORDS_MIN || !holdsRareWords(pair, free)) continue;
    if (isSetPhrase(pair.query.shingleMarks, [free])) continue;
    copies.push(rowPiece(pair, free));
    covered.fill(1, free.queryWord, free.queryWord + free.words);
  }
  for (const { query } of [...kept, ...copies]) covered.fill(0, query.start, query.end);
  return copies;
}

/**
 * Shorter copies are reported when the evidence is enough. The rule costs PAN13 .001, nearly all of it boilerplate of web
 * pages that the corpus does not label; with copies of eight words inside dropped matches it would be .002.
 */
const COPY_WORDS_MIN = 12;

/** Rare words that a copy must hold; in a short one names and figures are none: it may be nothing but a long name. */
const RARE_WORDS_MIN = 2;

/** From so many words on a row of names is a list that was copied. */
const LIST_WORDS_MIN = 16;

function queryWords({ queryWord, words }: Run): WordRange {
  return { start: queryWord, end: queryWord + words };
}

function sourceWords({ sourceWord, words }: Run): WordRange {
  return { start: sourceWord, end: sourceWord + words };
}

/** The longest stretch of a run whose query words are all free. */
function longestFree(run: Run, covered: Uint8Array): Run {
  let best: Run = { ...run, words: 0 };
  let free = 0;
  for (let i = 0; i <= run.words; i++) {
    if (i < run.words && covered[run.queryWord + i] !== 1) {
      free += 1;
      continue;
    }
    if (free > best.words) {
      best = { queryWord: run.queryWord + i - free, sourceWord: run.sourceWord + i - free, words: free };
    }
    free = 0;
  }
  return best;
}

/** Whether some of its words are uncommon and stand nowhere else in the two texts. */
function holdsRareWords(pair: Pair, run: Run): boolean {
  const { query } = pair;
  const { own, sourceCounts } = query.scratch;
  const range = queryWords(run);
  const running = runningWords(pair, { query: range, source: sourceWords(run) });
  addCounts(own, query.ids, range);
  let rare = 0;
  for (let i = range.start; i < range.end; i++) {
    const id = query.ids[i] ?? 0;
    const inside = own[id] ?? 0;
    const isTelling = run.words >= LIST_WORDS_MIN ? query.common[id] === 0 : running[i - range.start] === 1;
    if (!isTelling || query.counts[id] !== inside || sourceCounts[id] !== inside) continue;
    rare += 1;
  }
  clearCounts(own, query.ids, range);
  return rare >= RARE_WORDS_MIN;
}

/** The rows of equal words (at least a gram long) inside a box, in the query's order; a row's place in the source is not told. */
export function equalRows(pair: Pair, box: Box): Run[] {
  const { query, sourceSide } = pair;
  const grams = new Set<number>();
  for (let at = box.source.start; at + query.gramWords <= box.source.end; at++) {
    const gram = findGram(query, query.ids, sourceSide.ids, at);
    if (gram !== NONE) grams.add(gram);
  }
  const rows: Run[] = [];
  let start = NONE;
  let end = 0;
  for (let at = box.query.start; at + query.gramWords <= box.query.end; at++) {
    if (!grams.has(query.gramAt[at] ?? NONE)) continue;
    if (start === NONE || at >= end) {
      if (start !== NONE) rows.push({ queryWord: start, sourceWord: box.source.start, words: end - start });
      start = at;
    }
    end = at + query.gramWords;
  }
  if (start !== NONE) rows.push({ queryWord: start, sourceWord: box.source.start, words: end - start });
  return rows;
}

/** The runs of equal words that neither a reported nor a dropped match holds, with the reason why they are not reported. */
export function listedRuns(
  pair: Pair,
  runs: readonly Run[],
  reported: readonly Box[],
  dropped: readonly DroppedMatch[],
): DroppedMatch[] {
  const listed: DroppedMatch[] = [];
  for (const run of runs) {
    if (run.words < LISTED_WORDS_MIN) continue;
    const query = queryWords(run);
    const source = { start: run.sourceWord, end: run.sourceWord + run.words };
    const isIn = (box: Box) => overlap(box.query, query) > 0 && overlap(box.source, source) > 0;
    if (reported.some(isIn) || dropped.some(({ match }) => isIn(match))) continue;
    const isTaken = reported.some((box) => overlap(box.query, query) > 0);
    const score = runPiece(pair, run).worth - pair.threshold;
    listed.push({
      match: { query, source, matchedWords: run.words, parts: 1, score },
      reason: isTaken ? "duplicate" : "too_short",
    });
  }
  return listed;
}
