import type { Segment } from "./segments.ts";

/**
 * How much of each tenth of the text is matched, in whole percent: the map in words.
 * @param length of the text, in the segments' unit
 */
export function matchedTenths(segments: readonly Segment[], length: number): number[] {
  const tenth = length / 10;
  return Array.from({ length: 10 }, (_, index) => {
    const from = index * tenth;
    const to = from + tenth;
    let matched = 0;
    for (const { start, end, passages } of segments)
      if (passages.length > 0) matched += Math.max(0, Math.min(end, to) - Math.max(start, from));
    return tenth === 0 ? 0 : Math.round((matched / tenth) * 100);
  });
}
