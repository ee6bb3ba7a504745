import type { AlignedPair } from "./align-pairs.ts";

/** Milliseconds a pair; the worst one with the lengths of its texts in characters. */
export type AlignTimes = {
  readonly mean: number;
  readonly median: number;
  readonly p99: number;
  readonly worst: number;
  readonly worstQueryChars: number;
  readonly worstSourceChars: number;
  /** What making a source ready takes on average, which is not part of the others. */
  readonly prepareMean: number;
};

/** Sums up how long the pairs took; all of it 0 when there are none. */
export function alignTimes(pairs: readonly AlignedPair[]): AlignTimes {
  const sorted = pairs.toSorted((a, b) => a.alignMs - b.alignMs);
  const worst = sorted.at(-1);
  return {
    mean: mean(pairs.map(({ alignMs }) => alignMs)),
    median: sorted[Math.floor(sorted.length / 2)]?.alignMs ?? 0,
    p99: sorted[Math.floor(sorted.length * 0.99)]?.alignMs ?? 0,
    worst: worst?.alignMs ?? 0,
    worstQueryChars: worst?.queryChars ?? 0,
    worstSourceChars: worst?.sourceChars ?? 0,
    prepareMean: mean(pairs.map(({ prepareMs }) => prepareMs)),
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
