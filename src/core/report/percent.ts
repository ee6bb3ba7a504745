const HUNDREDTHS = 10_000;

/**
 * `part` of `whole` as a percentage with two decimals, rounded half up once.
 * Both are counts: integers with `0 <= part <= whole` and below 4 × 10^11, so that every step but the last is exact and
 * the last gives the number nearest to the two decimals. An empty whole is 0%.
 */
export function percent(part: number, whole: number): number {
  if (whole === 0) return 0;
  // Half up in integers: floor(part × 10,000 / whole + 1/2) is floor((2 × part × 10,000 + whole) / (2 × whole)).
  const dividend = 2 * part * HUNDREDTHS + whole;
  const divisor = 2 * whole;
  return (dividend - (dividend % divisor)) / divisor / 100;
}
