import type { Segment } from "./segments.ts";

/** A stretch of the map in one colour, in rows from its top. */
export type Band = { readonly top: number; readonly rows: number; readonly source: number };

/**
 * What a map of the text shows in `rows` rows: in each row the source with most matched text there, counting each stretch of
 * text for its first source only. Rows without a match have no band; equal rows one above the other are one band.
 * @param length of the text, in the segments' unit
 */
export function minimapBands(segments: readonly Segment[], length: number, rows: number): Band[] {
  const bands: { top: number; rows: number; source: number }[] = [];
  const weights = rowWeights(segments, length, rows);
  for (const [row, weight] of weights.entries()) {
    const source = heaviest(weight);
    if (source === undefined) continue;
    const last = bands.at(-1);
    if (last?.source === source && last.top + last.rows === row) last.rows += 1;
    else bands.push({ top: row, rows: 1, source });
  }
  return bands;
}

function rowWeights(segments: readonly Segment[], length: number, rows: number): Map<number, number>[] {
  const weights = Array.from({ length: rows }, () => new Map<number, number>());
  const rowLength = length / rows;
  for (const { start, end, passages } of segments) {
    const source = passages[0]?.source.number;
    if (source === undefined) continue;
    const lastRow = Math.min(rows - 1, Math.ceil(end / rowLength) - 1);
    for (let row = Math.floor(start / rowLength); row <= lastRow; row++) {
      const share = Math.min(end, (row + 1) * rowLength) - Math.max(start, row * rowLength);
      const weight = weights[row];
      weight?.set(source, (weight.get(source) ?? 0) + share);
    }
  }
  return weights;
}

function heaviest(weight: ReadonlyMap<number, number>): number | undefined {
  return [...weight].toSorted(([a, x], [b, y]) => y - x || a - b)[0]?.[0];
}
