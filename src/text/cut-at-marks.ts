import type { Span } from "./span.ts";

/** A part of a text with the marks that cover all of it. */
export type MarkedSpan<Mark> = Span & { readonly marks: readonly Mark[] };

/**
 * Cuts ascending, disjoint ranges wherever a mark begins or ends, without gaps; the marks of a span ascend by start. A mark of no
 * length belongs to the span that begins at it or next after it.
 */
export function* cutAtMarks<Mark extends Span>(
  ranges: Iterable<Span>,
  marks: readonly Mark[],
): Generator<MarkedSpan<Mark>[]> {
  const ascending = marks.toSorted((a, b) => a.start - b.start);
  const cuts = [...new Set(marks.flatMap(({ start, end }) => [start, end]))].toSorted((a, b) => a - b);
  let nextMark = 0;
  let nextCut = 0;
  let open: readonly Mark[] = [];
  for (const range of ranges) {
    const spans: MarkedSpan<Mark>[] = [];
    for (let start = range.start; start < range.end; ) {
      while ((cuts[nextCut] ?? range.end) <= start) nextCut++;
      const end = Math.min(cuts[nextCut] ?? range.end, range.end);
      const first = nextMark;
      while ((ascending[nextMark]?.start ?? Number.POSITIVE_INFINITY) <= start) nextMark++;
      const begun = ascending.slice(first, nextMark);
      open = [
        ...open.filter(({ end }) => end > start),
        ...begun.filter((mark) => mark.end > start || isEmpty(mark)),
      ];
      spans.push({ start, end, marks: open });
      start = end;
    }
    yield spans;
  }
}

function isEmpty({ start, end }: Span): boolean {
  return start === end;
}
