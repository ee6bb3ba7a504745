import { joinSpans, type Span, spansLength } from "../../../src/text/span.ts";

/** The cases and detections of one suspicious text and one source. */
export type FoundPair<C extends PassagePair = PassagePair> = {
  readonly cases: readonly C[];
  readonly detections: readonly PassagePair[];
};

/**
 * A case with the detections that overlap it on both sides, or a detection with such cases. `share` is the share of its
 * characters on both sides that they cover; characters that several of them cover count once.
 */
export type Match<P extends PassagePair = PassagePair> = {
  readonly passage: P;
  readonly partners: readonly PassagePair[];
  readonly share: number;
};

export type MatchedPair<C extends PassagePair = PassagePair> = {
  readonly cases: readonly Match<C>[];
  readonly detections: readonly Match[];
};

/** Matches the cases of one pair of texts with its detections, and the detections with the cases. */
export function matchPassages<C extends PassagePair>({ cases, detections }: FoundPair<C>): MatchedPair<C> {
  return {
    cases: cases.map((one) => matchOf(one, detections)),
    detections: detections.map((one) => matchOf(one, cases)),
  };
}

function matchOf<P extends PassagePair>(passage: P, others: readonly PassagePair[]): Match<P> {
  const partners = others.filter((other) => overlap(passage, other));
  const covered =
    coveredLength(
      passage.query,
      partners.map(({ query }) => query),
    ) +
    coveredLength(
      passage.source,
      partners.map(({ source }) => source),
    );
  return { passage, partners, share: covered / pairLength(passage) };
}

function coveredLength(span: Span, others: readonly Span[]): number {
  const parts = others.map(({ start, end }) => ({
    start: Math.max(start, span.start),
    end: Math.min(end, span.end),
  }));
  return spansLength(joinSpans(parts));
}

/**
 * A passage of a suspicious text and the passage of a source that it was taken from: planted by the authors of the corpus (a
 * case) or found (a detection). In code points, as in the published corpora.
 */
export type PassagePair = { readonly query: Span; readonly source: Span };

/** Whether both sides have a character in common. */
export function overlap(one: PassagePair, other: PassagePair): boolean {
  return meet(one.query, other.query) && meet(one.source, other.source);
}

/** The characters of both sides. Recall and precision are shares of these. */
export function pairLength({ query, source }: PassagePair): number {
  return query.end - query.start + source.end - source.start;
}

function meet(one: Span, other: Span): boolean {
  return one.start < other.end && other.start < one.end;
}
