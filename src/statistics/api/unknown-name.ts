/** Says that an endpoint lacks a parameter, with the nearest of those that it has and all of them. */
export function unknownName(name: string, known: readonly string[]): string {
  const [nearest] = known
    .map((one) => ({ one, distance: editDistance(name.toLowerCase(), one) }))
    .toSorted((a, b) => a.distance - b.distance);
  if (nearest === undefined) return "is no parameter of this endpoint, which takes none";
  return `is no parameter of this endpoint; the nearest is ${nearest.one}, and all are ${known.join(", ")}`;
}

/** The number of letters to insert, delete or replace (Levenshtein, 1966). */
function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...one.slice(0, NAME_CHARS_MAX)].entries()) {
    let before = index;
    const next = [index + 1];
    for (const [column, wanted] of [...other].entries()) {
      const above = row[column + 1] ?? 0;
      const replaced = before + (letter === wanted ? 0 : 1);
      next.push(Math.min(replaced, above + 1, (next[column] ?? 0) + 1));
      before = above;
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** Longer names are near to none. */
const NAME_CHARS_MAX = 40;
