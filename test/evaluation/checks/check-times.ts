import type { CheckedText } from "./run-checks.ts";

/** Seconds a check, from the request to its end, and what the checks were like on average. */
export type CheckTimes = {
  readonly checks: number;
  readonly mean: number;
  readonly median: number;
  readonly p99: number;
  readonly worst: number;
  readonly words: number;
  /** Documents and chunks of the corpus that a text was aligned with. */
  readonly candidates: number;
  readonly candidateChunks: number;
};

/** Sums up how long the checks took. */
export function checkTimes(checked: readonly CheckedText[]): CheckTimes {
  const seconds = checked.map((one) => one.seconds).sort((a, b) => a - b);
  return {
    checks: checked.length,
    mean: mean(seconds),
    median: seconds[Math.floor(seconds.length / 2)] ?? 0,
    p99: seconds[Math.floor(seconds.length * 0.99)] ?? 0,
    worst: seconds.at(-1) ?? 0,
    words: mean(checked.map(({ words }) => words)),
    candidates: mean(checked.map(({ retrieved }) => retrieved.size)),
    candidateChunks: mean(
      checked.map(({ retrieved }) => retrieved.values().reduce((sum, chunks) => sum + chunks.size, 0)),
    ),
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
