import { joinSpans, type Span, spansLength } from "../../../src/text/span.ts";
import { figureTable } from "../report/score-lines.ts";
import type { PassagePair } from "../scoring/match-passages.ts";
import type { ModernText } from "./modern-texts.ts";

/** A text with the passages that were reported, by the name of the source. */
export type DetectedModernText = ModernText & {
  readonly detections: ReadonlyMap<string, readonly PassagePair[]>;
};

export type KindScore = {
  readonly kind: string;
  readonly isIndependent: boolean;
  readonly texts: number;
  /** Planted paragraphs found: the true source is named, and at least half of the paragraph is marked. */
  readonly found: number;
  /** Texts with a mark in the paragraph; for independent paragraphs, each of them is an error. */
  readonly reported: number;
  /** Characters (code points) marked outside the planted paragraphs. */
  readonly outside: number;
};

/** Scores each kind of rewriting. The kinds keep the order of their first texts. */
export function scoreModern(texts: readonly DetectedModernText[]): KindScore[] {
  return [...Map.groupBy(texts, ({ className }) => className)].map(([kind, ofKind]) => ({
    kind,
    isIndependent: ofKind.some(({ isIndependent }) => isIndependent),
    texts: ofKind.length,
    found: ofKind.filter(isFound).length,
    reported: ofKind.filter((text) => markedInside(text) > 0).length,
    outside: ofKind.reduce((sum, text) => sum + spansLength(marks(text)) - markedInside(text), 0),
  }));
}

/** The share of all planted paragraphs that were found, independent ones aside. */
export function foundShare(kinds: readonly KindScore[]): number {
  const planted = kinds.filter(({ isIndependent }) => !isIndependent);
  return (
    sum(planted, ({ found }) => found) /
    Math.max(
      1,
      sum(planted, ({ texts }) => texts),
    )
  );
}

/** Independent paragraphs that were reported. */
export function reportedIndependent(kinds: readonly KindScore[]): number {
  return sum(
    kinds.filter(({ isIndependent }) => isIndependent),
    ({ reported }) => reported,
  );
}

export function modernLines(kinds: readonly KindScore[]): string[] {
  return figureTable([
    ["", "found", "of", "share", "reported in error", "characters marked outside"],
    ...kinds.map(({ kind, isIndependent, texts, found, reported, outside }) => [
      kind,
      isIndependent ? "-" : String(found),
      String(texts),
      isIndependent ? "-" : (found / texts).toFixed(3),
      isIndependent ? String(reported) : "-",
      String(outside),
    ]),
    [
      "all",
      String(sum(kinds, ({ isIndependent, found }) => (isIndependent ? 0 : found))),
      String(sum(kinds, ({ texts }) => texts)),
      foundShare(kinds).toFixed(3),
      String(reportedIndependent(kinds)),
      String(sum(kinds, ({ outside }) => outside)),
    ],
  ]);
}

function isFound(text: DetectedModernText): boolean {
  const ofSource = text.detections.get(text.sourceName) ?? [];
  const { start, end } = text.planted;
  const namesSource = ofSource.some(({ query }) => query.start < end && query.end > start);
  return !text.isIndependent && namesSource && markedInside(text) >= (end - start) / 2;
}

function marks({ detections }: DetectedModernText): readonly Span[] {
  return joinSpans([...detections.values()].flat().map(({ query }) => query));
}

function markedInside(text: DetectedModernText): number {
  const { start, end } = text.planted;
  return sum(marks(text), (mark) => Math.max(0, Math.min(mark.end, end) - Math.max(mark.start, start)));
}

function sum<T>(items: readonly T[], figure: (item: T) => number): number {
  return items.reduce((total, item) => total + figure(item), 0);
}
