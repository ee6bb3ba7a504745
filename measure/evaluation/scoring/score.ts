import type { Match, MatchedPair } from "./match-passages.ts";

/** The agreement of detections with cases. The shares range from 0 to 1; granularity is at least 1. */
export type Score = {
  readonly plagdet: number;
  readonly recall: number;
  readonly precision: number;
  readonly granularity: number;
  readonly cases: number;
  readonly detections: number;
};

/**
 * The measures of the PAN text-alignment tasks (Potthast et al., 2010), over all given pairs together:
 * recall: the mean share of a case that is detected; precision: the mean share of a detection that is right;
 * granularity: the mean number of detections of a detected case, 1 when there is none;
 * plagdet: their F1 divided by log2(1 + granularity).
 * Without cases and detections all shares are 1; with only one of the two they are 0.
 */
export function score(pairs: readonly MatchedPair[]): Score {
  return scoreMatches(
    pairs.flatMap(({ cases }) => cases),
    pairs.flatMap(({ detections }) => detections),
  );
}

/** The same measures for cases and detections that were not selected by pair. */
export function scoreMatches(cases: readonly Match[], detections: readonly Match[]): Score {
  const isEmpty = cases.length === 0 && detections.length === 0;
  const recall = isEmpty ? 1 : meanShare(cases);
  const precision = isEmpty ? 1 : meanShare(detections);
  const granularity = granularityOf(cases);
  return {
    plagdet: harmonicMean(recall, precision) / Math.log2(1 + granularity),
    recall,
    precision,
    granularity,
    cases: cases.length,
    detections: detections.length,
  };
}

function meanShare(matches: readonly Match[]): number {
  if (matches.length === 0) return 0;
  return matches.reduce((sum, { share }) => sum + share, 0) / matches.length;
}

function granularityOf(cases: readonly Match[]): number {
  const detected = cases.filter(({ partners }) => partners.length > 0);
  if (detected.length === 0) return 1;
  return detected.reduce((sum, { partners }) => sum + partners.length, 0) / detected.length;
}

function harmonicMean(one: number, other: number): number {
  return one + other === 0 ? 0 : (2 * one * other) / (one + other);
}

/** 0 without values. */
export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
