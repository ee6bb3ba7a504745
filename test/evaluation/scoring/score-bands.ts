import type { MatchedPair } from "./match-passages.ts";
import type { PassagePair } from "./passage-pair.ts";
import { type Score, scoreMatches } from "./score.ts";

export type BandScore = { readonly band: string; readonly score: Score };

/** Upper ends of the bands, in characters of the source passage. */
const BOUNDS = [120, 250, 500, 1000, 2500, Number.POSITIVE_INFINITY] as const;

/**
 * The score by length of the source passage. A case belongs to the band of its own length; recall and granularity are those
 * of the band's cases. A detection belongs to the band of each case that it overlaps, and one that overlaps none to the
 * band of its own source passage; it counts as right wherever it covers a case of any band. So every detection counts, and
 * one that joins a short case with a long one is not called wrong for it.
 */
export function scoreBands(pairs: readonly MatchedPair[]): BandScore[] {
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
