import type { PlantedCase, TextPair } from "../texts/pan-corpus.ts";
import { type MatchedPair, matchPassages, type PassagePair } from "./match-passages.ts";
import { type Score, score, scoreMatches } from "./score.ts";

/** A listed pair of texts with its detections. */
export type DetectedPair = TextPair & { readonly detections: readonly PassagePair[] };

export type ScoredPair = MatchedPair<PlantedCase> & { readonly pair: DetectedPair };

/** The figures of one class, or of all classes. */
export type ClassScore = {
  readonly className: string;
  readonly score: Score;
  readonly losses: Losses;
  readonly pairs: number;
  /** Pairs without cases, and how many of them have a detection. */
  readonly cleanPairs: number;
  readonly flaggedPairs: number;
};

export type Evaluation = {
  readonly pairs: readonly ScoredPair[];
  /** One per class, in order, followed by `all`. */
  readonly classes: readonly ClassScore[];
  readonly bands: readonly BandScore[];
};

/** Scores the detections by class, by length of the source passage, and in total. */
export function evaluatePairs(detected: readonly DetectedPair[]): Evaluation {
  const pairs = detected.map((pair): ScoredPair => ({ pair, ...matchPassages(pair) }));
  const byClass = [...Map.groupBy(pairs, ({ pair }) => pair.className)].toSorted(([a], [b]) =>
    a < b ? -1 : 1,
  );
  return {
    pairs,
    classes: [...byClass, ["all", pairs] as const].map(([className, ofClass]) =>
      classScore(className, ofClass),
    ),
    bands: scoreBands(pairs),
  };
}

function classScore(className: string, pairs: readonly ScoredPair[]): ClassScore {
  const clean = pairs.filter(({ cases }) => cases.length === 0);
  return {
    className,
    score: score(pairs),
    losses: lossesOf(pairs),
    pairs: pairs.length,
    cleanPairs: clean.length,
    flaggedPairs: clean.filter(({ detections }) => detections.length > 0).length,
  };
}

/**
 * Where recall and precision are lost: `missed` and `shortEdges` add up to 1 minus recall, `falseDetections` and `wideEdges`
 * to 1 minus precision.
 */
export type Losses = {
  /** From cases without any detection. */
  readonly missed: number;
  /** From the uncovered rest of detected cases. */
  readonly shortEdges: number;
  /** From detections that overlap no case. */
  readonly falseDetections: number;
  /** From the part of other detections that is outside their cases. */
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

function lossesOf(pairs: readonly MatchedPair[]): Losses {
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

export type BandScore = { readonly band: string; readonly score: Score };

/** Upper ends of the bands, in characters of the source passage. */
const BOUNDS = [120, 250, 500, 1000, 2500, Number.POSITIVE_INFINITY] as const;

/**
 * The score by length of the source passage. A case belongs to the band of its own length; recall and granularity are those
 * of the band's cases. A detection belongs to the band of each case that it overlaps, or of its own source passage if it
 * overlaps none. It counts as right where it covers a case of any band, so that a detection of a short and a long case is not
 * wrong for being long.
 */
function scoreBands(pairs: readonly MatchedPair[]): BandScore[] {
  const cases = pairs.flatMap((pair) => pair.cases);
  const detections = pairs.flatMap((pair) => pair.detections);
  return BOUNDS.map((bound, at) => {
    const least = BOUNDS[at - 1] ?? 0;
    const isInside = (passage: PassagePair) => {
      const length = passage.source.end - passage.source.start;
      return least <= length && length < bound;
    };
    return {
      band: bandName(least, bound),
      score: scoreMatches(
        cases.filter(({ passage }) => isInside(passage)),
        detections.filter(({ passage, partners }) =>
          partners.length === 0 ? isInside(passage) : partners.some(isInside),
        ),
      ),
    };
  });
}

function bandName(least: number, bound: number): string {
  if (least === 0) return `source under ${bound}`;
  return bound === Number.POSITIVE_INFINITY ? `source from ${least}` : `source ${least}-${bound}`;
}
