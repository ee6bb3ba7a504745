import type { PlantedCase, TextPair } from "../texts/pan-corpus.ts";
import { type Losses, lossesOf } from "./losses.ts";
import { type MatchedPair, matchPassages } from "./match-passages.ts";
import type { PassagePair } from "./passage-pair.ts";
import { type Score, score } from "./score.ts";
import { type BandScore, scoreBands } from "./score-bands.ts";

/** A listed pair of texts with what was found in it. */
export type DetectedPair = TextPair & { readonly detections: readonly PassagePair[] };

export type ScoredPair = MatchedPair<PlantedCase> & { readonly pair: DetectedPair };

/** The figures of one class, or of all of them together. */
export type ClassScore = {
  readonly className: string;
  readonly score: Score;
  readonly losses: Losses;
  readonly pairs: number;
  /** Pairs that hold no case, and how many of these have a detection all the same. */
  readonly cleanPairs: number;
  readonly flaggedPairs: number;
};

export type Evaluation = {
  readonly pairs: readonly ScoredPair[];
  /** One for each class, in their order, then `all`. */
  readonly classes: readonly ClassScore[];
  readonly bands: readonly BandScore[];
};

/** Scores what was found: by class, by length of the source passage, and in all. */
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
