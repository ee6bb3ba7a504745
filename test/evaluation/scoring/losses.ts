import type { MatchedPair } from "./match-passages.ts";

/**
 * Where recall and precision are lost, in points of the measure itself: `missed` and `shortEdges` are what is lacking to a
 * recall of 1, `falseDetections` and `wideEdges` what is lacking to a precision of 1.
 */
export type Losses = {
  /** Cases that nothing overlaps. */
  readonly missed: number;
  /** What is left out of cases that were detected. */
  readonly shortEdges: number;
  /** Detections that overlap no case. */
  readonly falseDetections: number;
  /** What other detections hold beside their cases. */
  readonly wideEdges: number;
  readonly counts: {
    readonly missed: number;
    readonly falseDetections: number;
    /** Cases with more than one detection. */
    readonly split: number;
    /** Detections with more than one case. */
    readonly joined: number;
  };
};

/** Divides the losses of recall and precision among their causes. */
export function lossesOf(pairs: readonly MatchedPair[]): Losses {
  const cases = pairs.flatMap((pair) => pair.cases);
  const detections = pairs.flatMap((pair) => pair.detections);
  const missed = cases.filter(({ partners }) => partners.length === 0).length;
  const falseDetections = detections.filter(({ partners }) => partners.length === 0).length;
  const lacking = (matches: readonly { readonly share: number }[]) =>
    matches.reduce((sum, { share }) => sum + 1 - share, 0);
  return {
    missed: missed / Math.max(1, cases.length),
    shortEdges: (lacking(cases) - missed) / Math.max(1, cases.length),
    falseDetections: falseDetections / Math.max(1, detections.length),
    wideEdges: (lacking(detections) - falseDetections) / Math.max(1, detections.length),
    counts: {
      missed,
      falseDetections,
      split: cases.filter(({ partners }) => partners.length > 1).length,
      joined: detections.filter(({ partners }) => partners.length > 1).length,
    },
  };
}
