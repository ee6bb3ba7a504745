/** A half-open range `[start, end)` of a text, in UTF-16 code units unless a name says otherwise. */
export type Span = { readonly start: number; readonly end: number };

/** Joins spans into ascending, disjoint ones. Spans that touch become one; empty spans vanish. */
export function joinSpans(spans: readonly Span[]): Span[] {
  const joined: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    if (span.end <= span.start) continue;
    const last = joined.at(-1);
    if (last === undefined || span.start > last.end) joined.push({ start: span.start, end: span.end });
    else if (span.end > last.end) joined[joined.length - 1] = { start: last.start, end: span.end };
  }
  return joined;
}

/** The summed length of spans that don't overlap (as `joinSpans` returns them). */
export function spansLength(spans: readonly Span[]): number {
  return spans.reduce((length, span) => length + spanLength(span), 0);
}

/** The parts of `span` that no span of `holes` covers; `holes` ascending and disjoint. */
export function subtractSpans(span: Span, holes: readonly Span[]): Span[] {
  const kept: Span[] = [];
  let start = span.start;
  for (const hole of holes) {
    if (hole.end <= start) continue;
    if (hole.start >= span.end) break;
    if (hole.start > start) kept.push({ start, end: hole.start });
    start = Math.max(start, hole.end);
  }
  if (start < span.end) kept.push({ start, end: span.end });
  return kept;
}

/** The ascending, disjoint `spans` that overlap `span`, by binary search. */
export function overlappingSpans<Placed extends Span>(
  span: Span,
  spans: readonly Placed[],
): readonly Placed[] {
  const first = firstIndex(spans.length, (at) => (spans[at]?.end ?? 0) > span.start);
  const end = firstIndex(spans.length, (at) => (spans[at]?.start ?? 0) >= span.end);
  return spans.slice(first, end);
}

/** The first index below `length` for which a condition holds that, once true, stays true; `length` if it never does. */
export function firstIndex(length: number, holds: (index: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Spans as one array of numbers: start, end, start, end… */
export function toFlat(spans: readonly Span[]): number[] {
  return spans.flatMap(({ start, end }) => [start, end]);
}

export function fromFlat(flat: readonly number[]): Span[] {
  const spans: Span[] = [];
  for (let at = 0; at + 1 < flat.length; at += 2)
    spans.push({ start: flat[at] ?? 0, end: flat[at + 1] ?? 0 });
  return spans;
}

/** Spans from pairs of offsets, as reports have them. */
export function fromPairs(pairs: readonly (readonly number[])[]): Span[] {
  return pairs.map(([start = 0, end = 0]) => ({ start, end }));
}

export function spanLength({ start, end }: Span): number {
  return end - start;
}

export function shiftedSpan({ start, end }: Span, by: number): Span {
  return { start: start + by, end: end + by };
}

/** The length of the text that two spans share. */
export function overlapLength(a: Span, b: Span): number {
  return Math.max(0, Math.min(a.end, b.end) - Math.max(a.start, b.start));
}

/** The length of the text between two spans; 0 when they touch or overlap. */
export function gapLength(a: Span, b: Span): number {
  return Math.max(0, Math.max(a.start, b.start) - Math.min(a.end, b.end));
}

/** The smallest span that holds both. */
export function enclosingSpan(a: Span, b: Span): Span {
  return { start: Math.min(a.start, b.start), end: Math.max(a.end, b.end) };
}

/** The span widened by `length` at both ends, without leaving `within`. */
export function widenedSpan(span: Span, length: number, within: Span): Span {
  return { start: Math.max(within.start, span.start - length), end: Math.min(within.end, span.end + length) };
}

/** The lines of a text in order, without their line ends; the last one may be empty. */
export function* lines(text: string): Generator<Span> {
  let start = 0;
  for (const { 0: lineEnd, index } of text.matchAll(LINE_END)) {
    yield { start, end: index };
    start = index + lineEnd.length;
  }
  yield { start, end: text.length };
}

const LINE_END = /\r\n|[\n\r\u2028\u2029]/g;

/** The span that a range names: the shortest of those that share most of it; undefined if none does. */
export function namedSpan<Named extends Span>(spans: readonly Named[], range: Span): Named | undefined {
  return spans
    .filter((span) => overlapLength(span, range) > 0)
    .sort((a, b) => overlapLength(b, range) - overlapLength(a, range) || spanLength(a) - spanLength(b))[0];
}
