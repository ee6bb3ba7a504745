/**
 * Why a parameter that an endpoint lacks is refused: it is a misspelling of one of its parameters, meant for another endpoint, or
 * selects rows in other APIs, so that the answer without it would look like the wanted one. Undefined for any other name, such as
 * a tracker's: the contract has unknown parameters ignored.
 * @param known the parameters of the endpoint
 * @param elsewhere those of the whole API
 */
export function refusalOf(
  name: string,
  known: readonly string[],
  elsewhere: readonly string[],
): string | undefined {
  const taken = known.length === 0 ? "takes none" : `takes ${known.join(", ")}`;
  const nearest = nearestOf(name, known);
  if (nearest !== undefined)
    return `is no parameter of this endpoint; the nearest is ${nearest}, and it ${taken}`;
  const [meant] = SELECTIONS.filter(({ names }) => names.includes(name.toLowerCase()));
  const instead = meant?.instead.filter((one) => known.includes(one)) ?? [];
  if (instead.length > 0)
    return `is no parameter of this endpoint; use ${instead.join(" and ")}: it ${taken}`;
  if (meant !== undefined || nearestOf(name, elsewhere) !== undefined)
    return `is no parameter of this endpoint, which ${taken}`;
  return undefined;
}

/** What selects rows in other APIs of data, and the parameters that do it here. */
const SELECTIONS: readonly { readonly names: readonly string[]; readonly instead: readonly string[] }[] = [
  {
    names: ["year", "years", "date", "dates", "start", "end", "since", "until", "start_year", "end_year"],
    instead: ["from", "to"],
  },
  {
    names: ["page", "pages", "per_page", "page_size", "pagesize", "size", "skip", "top", "rows", "cursor"],
    instead: ["limit", "offset"],
  },
  { names: ["order", "orderby", "order_by", "ordering", "direction"], instead: ["sort"] },
  { names: ["iso", "code", "nation"], instead: ["country"] },
  { names: ["ror", "university"], instead: ["institution"] },
  { names: ["field", "field_id", "subject"], instead: ["discipline"] },
  { names: ["continent", "subregion"], instead: ["region"] },
  { names: ["filter", "search"], instead: [] },
];

/** The known name that a name is likely to mean: in another case, with a wrong letter of three, or cut or continued. */
function nearestOf(name: string, known: readonly string[]): string | undefined {
  const lower = name.toLowerCase();
  const near = known.flatMap((one) => {
    const isPart = Math.min(one.length, lower.length) >= PART_CHARS_MIN;
    if (isPart && (one.startsWith(lower) || lower.startsWith(one))) return [{ one, distance: 0.5 }];
    const distancesMax = Math.floor(one.length / 3);
    if (Math.abs(one.length - lower.length) > distancesMax) return [];
    const distance = editDistance(lower, one);
    return distance > distancesMax ? [] : [{ one, distance }];
  });
  return near.toSorted((a, b) => a.distance - b.distance)[0]?.one;
}

/** `from_year` and `country_code` are meant as `from` and `country`, but `token` is no `to`. */
const PART_CHARS_MIN = 4;

/** Letters to insert, delete, replace or swap with the next one (optimal string alignment). */
function editDistance(one: string, other: string): number {
  let [beforeLast, last] = [[0], Array.from({ length: other.length + 1 }, (_, index) => index)];
  for (let row = 1; row <= one.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      next.push(
        Math.min(
          (last[column] ?? 0) + 1,
          (next[column - 1] ?? 0) + 1,
          (last[column - 1] ?? 0) + (isSame ? 0 : 1),
          isSwapped ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    [beforeLast, last] = [last, next];
  }
  return last[other.length] ?? 0;
}
