import { overlapLength, type Span } from "../../text/span.ts";

/** A part of the text with the number of the source that it matches. */
type MatchedSpan = Span & { readonly source: number };

/** Neighbouring rows of a map that show the same source. */
type MatchBand = { readonly top: number; readonly rows: number; readonly source: number };

/** Maps disjoint spans to `rows` rows. A row shows the source with most matched text in it; a row without has no band. */
export function matchBands(spans: readonly MatchedSpan[], length: number, rows: number): MatchBand[] {
  const bands: { top: number; rows: number; source: number }[] = [];
  for (const [row, lengths] of matchedLengths(spans, length, rows).entries()) {
    const [source] = [...lengths].toSorted(([a, x], [b, y]) => y - x || a - b)[0] ?? [];
    if (source === undefined) continue;
    const last = bands.at(-1);
    if (last?.source === source && last.top + last.rows === row) last.rows += 1;
    else bands.push({ top: row, rows: 1, source });
  }
  return bands;
}

function matchedLengths(spans: readonly MatchedSpan[], length: number, rows: number): Map<number, number>[] {
  const lengths = Array.from({ length: rows }, () => new Map<number, number>());
  const rowLength = length / rows;
  for (const { start, end, source } of spans) {
    const lastRow = Math.min(rows - 1, Math.ceil(end / rowLength) - 1);
    for (let row = Math.floor(start / rowLength); row <= lastRow; row++) {
      const share = Math.min(end, (row + 1) * rowLength) - Math.max(start, row * rowLength);
      const ofRow = lengths[row];
      ofRow?.set(source, (ofRow.get(source) ?? 0) + share);
    }
  }
  return lengths;
}

/** The share of each tenth of the text that is matched, in whole percent: the map in words. */
export function matchedTenths(spans: readonly Span[], length: number): number[] {
  const tenth = length / 10;
  return Array.from({ length: 10 }, (_, index) => {
    const part: Span = { start: index * tenth, end: index * tenth + tenth };
    const matched = spans.reduce((length, span) => length + overlapLength(span, part), 0);
    return tenth === 0 ? 0 : Math.round((matched / tenth) * 100);
  });
}
