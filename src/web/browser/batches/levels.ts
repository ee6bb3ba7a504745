/** Similarities are drawn in five steps, which can be told apart; each begins at this percentage. */
export const LEVELS = [
  { from: 0, label: "below 10%" },
  { from: 10, label: "10 to 25%" },
  { from: 25, label: "25 to 50%" },
  { from: 50, label: "50 to 75%" },
  { from: 75, label: "from 75%" },
] as const;

/** The number of the step, from 1. */
export function levelOf(pct: number): number {
  return LEVELS.findLastIndex(({ from }) => pct >= from) + 1;
}
