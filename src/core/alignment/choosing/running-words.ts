import type { Pair } from "../pair/pair.ts";
import type { Box } from "../pair/word-range.ts";
import { clearCounts } from "../scoring/score-tokens.ts";

/**
 * For each word of the box's query side whether it is a word of running text (1): uncommon, and no name or figure on both
 * sides. A word that has a capital on one side only was merely written otherwise.
 */
export function runningWords({ query, sourceSide }: Pair, box: Box): Uint8Array {
  const { own } = query.scratch;
  for (let i = box.source.start; i < box.source.end; i++) {
    const id = sourceSide.ids[i] ?? -1;
    if (id >= 0 && sourceSide.names[i] === 0) own[id] = 1;
  }
  const running = new Uint8Array(box.query.end - box.query.start);
  for (let i = box.query.start; i < box.query.end; i++) {
    const id = query.ids[i] ?? 0;
    if (query.common[id] === 0 && (query.names[i] === 0 || own[id] === 1)) running[i - box.query.start] = 1;
  }
  clearCounts(own, sourceSide.ids, box.source);
  return running;
}
