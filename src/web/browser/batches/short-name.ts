/**
 * The names of a batch's members, each in up to `charsMax` characters, by the full names. Beginnings and ends that all names have in
 * common, such as the folder of a course or what a learning platform appends, say nothing and are left out, unless all names fit.
 */
export function shortNames(names: readonly string[], charsMax: number): ReadonlyMap<string, string> {
  const distinct = [...new Set(names)];
  const whole = distinct.map((name) => name.replace(/(?<=.)\.\w{1,5}$/, ""));
  const isFitting = whole.every((name) => [...name].length <= charsMax);
  const after = isFitting ? 0 : commonStart(whole);
  const rests = whole.map((name) => name.slice(after));
  const end = isFitting ? 0 : commonEnd(rests);
  const kept = rests.map((rest) => [...rest.slice(0, rest.length - end)]);
  const heads = kept.map((chars) =>
    chars.length <= charsMax ? chars : [...chars.slice(0, charsMax - 1), "…"],
  );
  const tails = kept.map((chars) => (chars.length <= charsMax ? chars : ["…", ...chars.slice(1 - charsMax)]));
  // Students' names are usually at the beginning. In paths of deep folders, only the ends may differ.
  const shown = countOf(heads) >= countOf(tails) ? heads : tails;
  return new Map(distinct.map((name, at) => [name, shown[at]?.join("") ?? name]));
}

/** Where parts of a name end: at folders, underscores and spaces. */
const BOUNDARY = /[/_\s]/;

/** The length of what all names begin with, up to and with a boundary. */
function commonStart(names: readonly string[]): number {
  const [first = "", ...others] = names;
  if (others.length === 0) return 0;
  let end = 0;
  for (let at = 0; others.every((name) => name[at] === first[at]) && at < first.length; at++)
    if (BOUNDARY.test(first[at] ?? "")) end = at + 1;
  // A name that is nothing but the common start has nothing else to be known by.
  return names.some((name) => name.length === end) ? 0 : end;
}

/** The length of what all names end with, from a boundary on. */
function commonEnd(names: readonly string[]): number {
  return commonStart(names.map((name) => [...name].toReversed().join("")));
}

function countOf(names: readonly (readonly string[])[]): number {
  return new Set(names.map((chars) => chars.join(""))).size;
}
