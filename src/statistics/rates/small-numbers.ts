import { RATE_BASE } from "./rate.ts";

export type Rated = {
  readonly papers: number;
  readonly publications: number;
  readonly rate: number | null;
  readonly rate_ci_low: number | null;
  readonly rate_ci_high: number | null;
  readonly below: boolean;
};

type SmallNumbers = {
  readonly rate_shrunken: number | null;
  readonly rank_low: number | null;
  readonly rank_high: number | null;
};

/**
 * The rows with figures that don't mistake chance for a difference; null where a row has no rate or no rank.
 *
 * `rate_shrunken`: the empirical Bayes estimate, drawn towards the rate of all ranked rows together, the more the fewer
 * publications a row has. The weight comes from the moments of the ranked rows (Marshall, 1991, Applied Statistics 40: the
 * global estimator). If the rates vary no more than chance explains, all are the common rate.
 *
 * `rank_low`, `rank_high`: the first and the last rank that the intervals of the ranked rows allow (Klein, Wright and
 * Wieczorek, 2020, Applied Statistics 69), which count the rows whose intervals lie wholly above or below. The intervals are those of each row, not joint ones.
 */
export function withSmallNumbers<R extends Rated>(rows: readonly R[]): (R & SmallNumbers)[] {
  const ranked = rows.filter(({ below }) => !below);
  const shrink = shrinkage(ranked);
  const lows = Float64Array.from(ranked, (row) => row.rate_ci_low ?? 0).sort();
  const negatedHighs = Float64Array.from(ranked, (row) => -(row.rate_ci_high ?? 0)).sort();
  return rows.map((row) => {
    const { below, rate_ci_low: low, rate_ci_high: high } = row;
    const hasRank = !below && low !== null && high !== null;
    return {
      ...row,
      rate_shrunken: shrink(row),
      rank_low: hasRank ? 1 + lows.length - countUpTo(lows, high) : null,
      rank_high: hasRank ? countUpTo(negatedHighs, -low) : null,
    };
  });
}

function shrinkage(ranked: readonly Rated[]): (row: Rated) => number | null {
  const rated = ranked.flatMap(({ rate, papers, publications }) =>
    rate === null ? [] : [{ rate, papers, publications }],
  );
  const publications = rated.reduce((sum, row) => sum + row.publications, 0);
  if (publications === 0) return ({ rate }) => rate;
  const common = (rated.reduce((sum, { papers }) => sum + papers, 0) * RATE_BASE) / publications;
  const squares = rated.reduce((sum, row) => sum + row.publications * (row.rate - common) ** 2, 0);
  // By chance alone, the variance of a rate is the common rate times the base, by the publications.
  const between = Math.max(0, (squares - common * RATE_BASE * rated.length) / publications);
  return (row) => {
    if (row.rate === null) return null;
    const chance = (common * RATE_BASE) / row.publications;
    const weight = between === 0 ? 0 : between / (between + chance);
    return common + weight * (row.rate - common);
  };
}

/** How many of the ascending values are at most `limit`. */
function countUpTo(values: Float64Array, limit: number): number {
  let [from, to] = [0, values.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((values[middle] ?? 0) <= limit) from = middle + 1;
    else to = middle;
  }
  return from;
}
