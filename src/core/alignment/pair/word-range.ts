/** The words `[start, end)` of one side. */
export type WordRange = { readonly start: number; readonly end: number };

/** A range of each side: the query's words and the source's that may stand for each other. */
export type Box = { readonly query: WordRange; readonly source: WordRange };

export function rangeLength({ start, end }: WordRange): number {
  return end - start;
}

/** How many words two ranges share. */
export function overlap(a: WordRange, b: WordRange): number {
  return Math.max(0, Math.min(a.end, b.end) - Math.max(a.start, b.start));
}

/** How many words lie between two ranges; 0 when they touch or overlap. */
export function gapBetween(a: WordRange, b: WordRange): number {
  return Math.max(0, Math.max(a.start, b.start) - Math.min(a.end, b.end));
}

/** The smallest range that holds both. */
export function rangeHull(a: WordRange, b: WordRange): WordRange {
  return { start: Math.min(a.start, b.start), end: Math.max(a.end, b.end) };
}

/** The range made wider by `words` at both ends, as far as `within` reaches. */
export function widened(range: WordRange, words: number, within: WordRange): WordRange {
  return { start: Math.max(within.start, range.start - words), end: Math.min(within.end, range.end + words) };
}

export function sameBox(a: Box, b: Box): boolean {
  return (
    a.query.start === b.query.start &&
    a.query.end === b.query.end &&
    a.source.start === b.source.start &&
    a.source.end === b.source.end
  );
}
