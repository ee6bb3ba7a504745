import type { Span } from "../../../src/core/text/span.ts";

/**
 * A stretch of a suspicious text with the stretch of a source that it stands for: planted by whoever made the texts (a case)
 * or found (a detection). In code points, as the published corpora count.
 */
export type PassagePair = { readonly query: Span; readonly source: Span };

/** Whether both sides have a character in common. */
export function overlap(one: PassagePair, other: PassagePair): boolean {
  return meet(one.query, other.query) && meet(one.source, other.source);
}

/** Characters of both sides together: what recall and precision are shares of. */
export function pairLength({ query, source }: PassagePair): number {
  return query.end - query.start + source.end - source.start;
}

function meet(one: Span, other: Span): boolean {
  return one.start < other.end && other.start < one.end;
}
