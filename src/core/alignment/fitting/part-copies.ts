import { endsParagraph } from "../pair/edge-types.ts";
import type { Pair } from "../pair/pair.ts";
import { type Box, rangeHull, type WordRange } from "../pair/word-range.ts";
import type { Run } from "../pieces/run.ts";
import { addCounts, clearCounts } from "../scoring/score-tokens.ts";

/**
 * Divides the rows of equal words of a passage into copies that a reader takes for separate ones: text of the writer's own
 * stands between them; or a line and a half of the source was left out, and a new paragraph begins or the two stand there
 * in the other order. `rows` ascend by query and overlap by little. Only copies are parted, with few edits inside: how a
 * reworded passage proceeds in its source tells nothing.
 */
export function partCopies(pair: Pair, piece: Box, rows: readonly Run[]): Run[][] {
  const source = sourceOf(rows);
  const heldBefore = countHeld(rows, source);
  const parts: Run[][] = [];
  for (const row of rows) {
    const part = parts.at(-1);
    const before = part?.at(-1);
    if (part === undefined || before === undefined) parts.push([row]);
    else if (isParting(pair, piece, before, row, wordsLeftOut(heldBefore, source.start, before, row)))
      parts.push([row]);
    else part.push(row);
  }
  return parts.every(isCopy) && holdMost(piece, rows) ? parts : [[...rows]];
}

/** Equal words, as a share of the query's side, from which on a passage is a copy with edits. */
export const COPY_SHARE_MIN = 0.8;

/** The words of a part, below which it is no passage of its own. */
const PART_WORDS_MIN = 8;

function isCopy(part: readonly Run[]): boolean {
  const words = equalWords(part);
  const first = part[0];
  const last = part.at(-1);
  if (first === undefined || last === undefined || words < PART_WORDS_MIN) return false;
  return words >= COPY_SHARE_MIN * (last.queryWord + last.words - first.queryWord);
}

/** Whether little of the passage stands before its first row and behind its last. */
function holdMost({ query }: Box, rows: readonly Run[]): boolean {
  const first = rows[0];
  const last = rows.at(-1);
  if (first === undefined || last === undefined) return false;
  const beside =
    Math.max(0, first.queryWord - query.start) + Math.max(0, query.end - last.queryWord - last.words);
  return beside <= (1 - COPY_SHARE_MIN) * equalWords(rows);
}

export function equalWords(rows: readonly Run[]): number {
  return rows.reduce((words, row) => words + row.words, 0);
}

/**
 * A line and a half of text: on either side a gap of so many words is more than an edit. Parting at own text costs PAN13
 * .0003, at paragraphs nothing; mixed gains .0003 from both.
 */
const GAP_WORDS_MIN = 15;

function isParting(pair: Pair, piece: Box, before: Run, row: Run, leftOut: number): boolean {
  const own: WordRange = { start: before.queryWord + before.words, end: row.queryWord };
  const ownWords = Math.max(0, own.end - own.start);
  if (ownWords >= GAP_WORDS_MIN && isOwnText(pair, piece, own)) return true;
  if (leftOut - ownWords < GAP_WORDS_MIN) return false;
  return holdsParagraphEnd(pair.query.edges, own) || areLongAndTurned(before, row);
}

/** The words between two rows in the source that no other row of the passage holds. */
function wordsLeftOut(heldBefore: Int32Array, from: number, a: Run, b: Run): number {
  const [first, second] = a.sourceWord < b.sourceWord ? [a, b] : [b, a];
  const start = first.sourceWord + first.words;
  const end = second.sourceWord;
  if (end <= start) return 0;
  return end - start - ((heldBefore[end - from] ?? 0) - (heldBefore[start - from] ?? 0));
}

/** For each place in the source from `from` on, how many words before it stand in some row. */
function countHeld(rows: readonly Run[], { start: from, end }: WordRange): Int32Array {
  const isHeld = new Uint8Array(end - from);
  for (const { sourceWord, words } of rows) isHeld.fill(1, sourceWord - from, sourceWord - from + words);
  const heldBefore = new Int32Array(end - from + 1);
  for (const [at, held] of isHeld.entries()) heldBefore[at + 1] = (heldBefore[at] ?? 0) + held;
  return heldBefore;
}

/** The stretch of the source that holds all rows. */
function sourceOf(rows: readonly Run[]): WordRange {
  const ranges = rows.map(({ sourceWord, words }) => ({ start: sourceWord, end: sourceWord + words }));
  return ranges.reduce(rangeHull, ranges[0] ?? { start: 0, end: 0 });
}

/** Whether two long rows stand in the other order in the source. */
function areLongAndTurned(before: Run, row: Run): boolean {
  return row.sourceWord < before.sourceWord && Math.min(before.words, row.words) >= ROW_WORDS_MIN;
}

/** Shorter rows in another order are how a passage is shuffled. The rule costs PAN13 .0001, mixed nothing. */
const ROW_WORDS_MIN = 12;

function holdsParagraphEnd(edges: Uint8Array, { start, end }: WordRange): boolean {
  for (let at = Math.min(start, end); at <= end; at++) if (endsParagraph(edges[at] ?? 0)) return true;
  return false;
}

/** Uncommon words of the writer's own text that the passage's source has all the same, as a share. */
const OWN_FOUND_MAX = 1 / 4;

function isOwnText(pair: Pair, piece: Box, own: WordRange): boolean {
  const { query, sourceSide } = pair;
  const { bag, used } = query.scratch;
  addCounts(bag, sourceSide.ids, piece.source);
  let words = 0;
  let found = 0;
  for (let i = own.start; i < own.end; i++) {
    const id = query.ids[i] ?? 0;
    if (query.common[id] === 1) continue;
    words += 1;
    const times = used[id] ?? 0;
    if (times >= (bag[id] ?? 0)) continue;
    used[id] = times + 1;
    found += 1;
  }
  clearCounts(bag, sourceSide.ids, piece.source);
  clearCounts(used, query.ids, own);
  return found <= OWN_FOUND_MAX * words;
}
