/** How many things of each kind a load has found, by their names in messages: `papers`, `places`. */
export type PartCounts = Readonly<Record<string, number>>;

/** Sources grow by a few per cent between two refreshes, and lose only corrected records. */
const LESS_MAX = 0.1;
const MORE_MAX = 0.5;

/** A list of ten may lose or gain so many without suspicion. */
const FEW = 2;

/** The names of counts that are suspicious when they are new. */
const REASON = "papers with the unknown reason ";

/** The name under which papers with a reason that this program does not know are counted. */
export function unknownReason(reason: string): string {
  return `${REASON}“${reason}”`;
}

/**
 * Why the result of a refresh is not plausible after that of the last load, one clause each; empty when it is. A count may fall by
 * 10% and rise by 50%, and none may fall to 0, which is also how a kind that is missing altogether is counted.
 */
export function implausibleChanges(before: PartCounts, after: PartCounts): readonly string[] {
  const missing = Object.keys(before).filter((name) => after[name] === undefined && !name.startsWith(REASON));
  const counts = [...Object.entries(after), ...missing.map((name) => [name, 0] as const)];
  return counts.flatMap(([name, count]) => {
    const earlier = before[name];
    if (earlier === undefined) return name.startsWith(REASON) ? [`${name}: ${count}, none before`] : [];
    const isFew = Math.abs(count - earlier) <= FEW && count > 0;
    const isAlike = count >= earlier * (1 - LESS_MAX) && count <= earlier * (1 + MORE_MAX);
    return earlier === 0 || isFew || isAlike ? [] : [`${name}: ${count}, ${earlier} before`];
  });
}
