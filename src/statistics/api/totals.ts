import { REGIONS } from "../facts/countries.ts";
import { RATE_BASE, ratePer100k } from "../rates/rate.ts";
import type { CountryRow, PaperRow, ReasonRow, TotalRow } from "../read-model/rows.ts";
import { isCoreReason } from "../sources/retractions.ts";

/**
 * The world, and each region and sub-region in the order of the index.
 * @param rows of all countries, also those below
 * @param papers of the same window
 */
export function totalsOf(
  rows: readonly CountryRow[],
  papers: readonly Pick<PaperRow, "countries">[],
): readonly TotalRow[] {
  const counted = rows.filter(({ publications }) => publications > 0);
  const places = papers.map(({ countries }) => countries.split(";"));
  const regions = REGIONS.map(({ slug, name }) => {
    const members = counted.filter((row) => [row.region, row.subregion].includes(slug));
    return totalOf(slug, name, members, places);
  });
  return [totalOf("world", "World", counted, places), ...regions];
}

function totalOf(
  region: string,
  name: string,
  members: readonly CountryRow[],
  places: readonly (readonly string[])[],
): TotalRow {
  const codes = new Set(members.map(({ code }) => code));
  const sum = (of: (row: CountryRow) => number) => members.reduce((total, row) => total + of(row), 0);
  const papersByCountry = sum((row) => row.papers);
  const publications = sum((row) => row.publications);
  const papersFractional = sum((row) => row.papers_fractional);
  const publicationsFractional = fractionalPublications(members);
  return {
    ...{ region, name, countries: codes.size },
    papers: places.filter((countries) => countries.some((code) => codes.has(code))).length,
    papers_by_country: papersByCountry,
    publications_by_country: publications,
    pooled_rate: publications === 0 ? null : (papersByCountry * RATE_BASE) / publications,
    papers_fractional: papersFractional,
    publications_fractional: publicationsFractional,
    rate_fractional: publicationsFractional ? (papersFractional * RATE_BASE) / publicationsFractional : null,
  };
}

/** Each publication once, over all countries; null where one has whole counts only. */
export function fractionalPublications(
  rows: readonly Pick<CountryRow, "publications_fractional">[],
): number | null {
  return rows.reduce<number | null>(
    (sum, row) =>
      sum === null || row.publications_fractional === null ? null : sum + row.publications_fractional,
    0,
  );
}

/**
 * The core reasons of the papers by descending number of papers, then by name. Spellings that differ in case are one reason.
 * @param publications of the place of the papers; null when they are not known
 */
export function reasonsOf(
  papers: readonly Pick<PaperRow, "reasons">[],
  publications: number | null,
): readonly ReasonRow[] {
  const named = papers.flatMap(({ reasons }) => {
    const spellings = new Map(reasons.split(";").map((reason) => [reason.toLowerCase(), reason]));
    return [...spellings].filter(([reason]) => isCoreReason(reason));
  });
  return [...Map.groupBy(named, ([reason]) => reason).values()]
    .map((group) => {
      const [reason = ""] = group.map(([, spelling]) => spelling).toSorted();
      const share = group.length / papers.length;
      return {
        reason,
        papers: group.length,
        share,
        publications,
        ...ratePer100k(group.length, publications ?? 0),
      };
    })
    .toSorted((a, b) => b.papers - a.papers || (a.reason < b.reason ? -1 : 1));
}
