import { joinSpans, type Span, spansLength } from "../../../src/core/text/span.ts";
import { overlap, type PassagePair, pairLength } from "./passage-pair.ts";

/** What is known and what was found of one suspicious text and one source. */
export type FoundPair<C extends PassagePair = PassagePair> = {
  readonly cases: readonly C[];
  readonly detections: readonly PassagePair[];
};

/**
 * A case or a detection with those of the other kind that overlap it on both sides, and the share of its characters, both
 * sides together, that they cover; characters that several cover count once.
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

/** Holds the cases of one pair of texts against its detections, and the detections against the cases. */
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
