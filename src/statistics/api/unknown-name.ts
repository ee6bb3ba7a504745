/** Says that an endpoint lacks a parameter, with the nearest of those that it has and all of them. */
export function unknownName(name: string, known: readonly string[]): string {
  const [nearest] = known.toSorted((a, b) => likeness(name, b) - likeness(name, a));
  if (nearest === undefined) return "is no parameter of this endpoint, which takes none";
  return `is no parameter of this endpoint; the nearest is ${nearest}, and all are ${known.join(", ")}`;
}

/** The share of the pairs of neighbouring letters that two names have in common (Dice, 1945). */
function likeness(one: string, other: string): number {
  const [some, others] = [pairs(one), pairs(other)];
  return (2 * [...some].filter((pair) => others.has(pair)).length) / (some.size + others.size);
}

function pairs(name: string): ReadonlySet<string> {
  const letters = [..."^", ...name.toLowerCase(), "$"];
  return new Set(letters.slice(1).map((letter, index) => `${letters[index]}${letter}`));
}
