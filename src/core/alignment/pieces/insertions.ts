import type { WordRange } from "../pair/word-range.ts";

/**
 * The stretches of a passage's query side that are the writer's own: of which the source has next to nothing, and
 * long enough that a reader would see two passages with new text between them. Places in `scores`, ascending.
 * A stretch begins with each missed word and lasts as long as the missed ones outnumber the found ones by three to one.
 */
export function insertions(scores: Float64Array): WordRange[] {
  const found: WordRange[] = [];
  let start = 0;
  let end = 0;
  let excess = 0;
  let most = 0;
  for (let i = 0; i <= scores.length; i++) {
    const isMissed = (scores[i] ?? 0) < 0;
    if (excess === 0) start = i;
    excess = i === scores.length ? 0 : Math.max(0, excess + (isMissed ? 1 : -FOUND_WEIGHT));
    if (excess > most) {
      most = excess;
      end = i + 1;
    }
    if (excess > 0) continue;
    if (most >= INSERTED_EXCESS_MIN) found.push({ start, end });
    most = 0;
  }
  return found;
}

/** What stands between the insertions, in the query's words; `start` is the first word's place. */
export function betweenInsertions(scores: Float64Array, start: number): WordRange[] {
  const ranges: WordRange[] = [];
  let from = 0;
  for (const insertion of [...insertions(scores), { start: scores.length, end: scores.length }]) {
    if (insertion.start > from) ranges.push({ start: start + from, end: start + insertion.start });
    from = insertion.end;
  }
  return ranges;
}

const FOUND_WEIGHT = 3;

/** About a line and a half of text. With 10 PAN13 loses .001: a sentence of a summary may have no word of its source. */
const INSERTED_EXCESS_MIN = 15;
