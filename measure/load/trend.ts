/** Values over time, and the slope that a steady series may have. */
export type Series = {
  readonly name: string;
  readonly unit: string;
  /** The rise over the whole time that still counts as none: a share of the mean, or this much, whichever is more. */
  readonly riseShareMax: number;
  readonly riseMax: number;
  readonly points: readonly Point[];
  /** The warm-up, before the values are expected to be steady: shown, but not counted. */
  readonly warmUp: readonly Point[];
};

export type Point = { readonly seconds: number; readonly value: number };

export type Trend = {
  readonly mean: number;
  readonly first: number;
  readonly last: number;
  /** The slope of the fitted line, per second. */
  readonly slope: number;
  /** The value of the fitted line at second 0. */
  readonly start: number;
  /** How much the fitted line rises from the first point to the last. */
  readonly rise: number;
  readonly isFlat: boolean;
};

/** Fits a line by least squares. A falling series counts as flat too, because only growth without end is a fault. */
export function trendOf({ points, riseShareMax, riseMax }: Series): Trend {
  const count = points.length;
  const meanSeconds = points.reduce((sum, { seconds }) => sum + seconds, 0) / count;
  const mean = points.reduce((sum, { value }) => sum + value, 0) / count;
  const covariance = points.reduce(
    (sum, { seconds, value }) => sum + (seconds - meanSeconds) * (value - mean),
    0,
  );
  const variance = points.reduce((sum, { seconds }) => sum + (seconds - meanSeconds) ** 2, 0);
  const slope = variance === 0 ? 0 : covariance / variance;
  const first = points.at(0);
  const last = points.at(-1);
  const rise = slope * ((last?.seconds ?? 0) - (first?.seconds ?? 0));
  return {
    mean,
    first: first?.value ?? Number.NaN,
    last: last?.value ?? Number.NaN,
    slope,
    start: mean - slope * meanSeconds,
    rise,
    isFlat: rise <= Math.max(riseMax, riseShareMax * mean),
  };
}
