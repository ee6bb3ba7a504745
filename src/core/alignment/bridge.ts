import type { Gap, Run } from "./run.ts";

/**
 * The equal words inside a gap, as runs in order: a longest common subsequence (Wagner and Fischer, 1974).
 * Its time is the product of the gap's two lengths, so gaps must be short.
 */
export function bridge(queryIds: Int32Array, sourceIds: Int32Array, gap: Gap): Run[] {
  const common = commonAfter(queryIds, sourceIds, gap);
  const { width } = common;
  const runs: Run[] = [];
  let q = gap.queryStart;
  let s = gap.sourceStart;
  let words = 0;
  while (q < gap.queryEnd && s < gap.sourceEnd) {
    if (queryIds[q] === sourceIds[s]) {
      q++;
      s++;
      words++;
      continue;
    }
    if (words > 0) runs.push({ queryWord: q - words, sourceWord: s - words, words });
    words = 0;
    const cell = (q - gap.queryStart) * width + (s - gap.sourceStart);
    if ((common.counts[cell + width] ?? 0) >= (common.counts[cell + 1] ?? 0)) q++;
    else s++;
  }
  if (words > 0) runs.push({ queryWord: q - words, sourceWord: s - words, words });
  return runs;
}

/** In row q and column s: the most equal words in order that the gap has from there to its end. */
function commonAfter(queryIds: Int32Array, sourceIds: Int32Array, gap: Gap) {
  const height = gap.queryEnd - gap.queryStart;
  const width = gap.sourceEnd - gap.sourceStart + 1;
  const counts = new Uint16Array((height + 1) * width);
  for (let row = height - 1; row >= 0; row--) {
    for (let column = width - 2; column >= 0; column--) {
      const cell = row * width + column;
      const equal = queryIds[gap.queryStart + row] === sourceIds[gap.sourceStart + column];
      counts[cell] = equal
        ? (counts[cell + width + 1] ?? 0) + 1
        : Math.max(counts[cell + width] ?? 0, counts[cell + 1] ?? 0);
    }
  }
  return { counts, width };
}
