import { NONE } from "../pair/gram-index.ts";
import type { PreparedQuery } from "../pair/prepared-query.ts";
import type { Run } from "./run.ts";
import type { Seeds } from "./seed.ts";

/**
 * Source places of one gram that are followed, first ones first. Ordinary text has one or two; the cap keeps a source
 * that says one phrase a thousand times linear. A place missed here is still found from the next rarer gram of its run,
 * because runs are extended to the left too: of 600 edited copies of
 * PAN13 text, 4 misses one that 16 and 64 find.
 */
const PLACES_MAX = 8;

/**
 * Extends seeds to maximal runs of equal words: the word before and the word after a run differ, or a text ends.
 * The runs, ascending by query, cover every query word that stands in some shared gram. A run whose query words all
 * lie inside an earlier one is left out unless both begin from the same seed. This is the greedy cover by
 * super-maximal exact matches (Li, 2013): a run that reaches past all earlier ones holds the gram that ends one word
 * past them, so only such grams are looked at. That also bounds the work: to the right by the words newly covered, to
 * the left by the words since the seed before, each times `PLACES_MAX`.
 */
export function extendSeeds(query: PreparedQuery, sourceIds: Int32Array, seeds: Seeds): Run[] {
  const runs: Run[] = [];
  let coveredEnd = 0;
  for (const [i, position] of seeds.positions.entries()) {
    if (position + query.gramWords <= coveredEnd) continue;
    let place = seeds.firstPlaces[i] ?? NONE;
    for (let tried = 0; place !== NONE && tried < PLACES_MAX; tried++) {
      const run = extend(query, sourceIds, position, place);
      runs.push(run);
      coveredEnd = Math.max(coveredEnd, run.queryWord + run.words);
      place = seeds.nextPlace[place] ?? NONE;
    }
  }
  return runs.sort((a, b) => a.queryWord - b.queryWord || a.sourceWord - b.sourceWord);
}

function extend(query: PreparedQuery, sourceIds: Int32Array, position: number, place: number): Run {
  const { ids, gramWords } = query;
  let left = 0;
  const leftMax = Math.min(position, place);
  while (left < leftMax && ids[position - left - 1] === sourceIds[place - left - 1]) left++;
  let right = gramWords;
  const rightMax = Math.min(ids.length - position, sourceIds.length - place);
  while (right < rightMax && ids[position + right] === sourceIds[place + right]) right++;
  return { queryWord: position - left, sourceWord: place - left, words: left + right };
}
