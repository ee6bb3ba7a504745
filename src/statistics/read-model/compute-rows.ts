import type { Queryable } from "../../platform/postgres/database.ts";
import { findCountry } from "../facts/countries.ts";
import { FIELDS } from "../facts/fields.ts";
import { isUnstable, PUBLICATIONS_MIN, type Rankable, rankByRate } from "../rates/ranking.ts";
import { RATE_BASE, ratePer100k } from "../rates/rate.ts";
import { withSmallNumbers } from "../rates/small-numbers.ts";
import type { Dimension } from "../sources/publications/publication-counts.ts";

/** Years, both included. */
export type Span = { readonly from: number; readonly to: number };

/**
 * The keys that each paper counts for: its known countries, the institutions of its work after the succession of withdrawn
 * ones, and its field. `parts` is the number of keys that share a paper. Papers without a year are in no window and left out.
 */
const ATTRIBUTIONS: Readonly<Record<Dimension, string>> = {
  country: `
    select paper_key, year, code as key, cardinality(countries) as parts
      from statistics_papers cross join unnest(countries) as code
     where year is not null`,
  institution: `
    select paper_key, year, key, count(*) over (partition by paper_key) as parts
      from (select distinct paper_key, papers.year, coalesce(successor, institution) as key
              from statistics_papers as papers
                   join statistics_works on paper_key = 'doi:' || doi
                   cross join unnest(institutions) as institution
                   left join statistics_successions on ror = institution
             where papers.year is not null) as resolved`,
  discipline: `
    select paper_key, papers.year, field_id::text as key, 1 as parts
      from statistics_papers as papers join statistics_works on paper_key = 'doi:' || doi
     where papers.year is not null and field_id is not null`,
};

/** The counts of one key in one window. */
type CountedKey = {
  readonly key: string;
  /** Of institutions: as ROR has it, else as OpenAlex does. */
  readonly name: string | null;
  readonly country_code: string | null;
  readonly papers: number;
  readonly papers_fractional: number;
  readonly publications: number;
  readonly publications_fractional: number | null;
};

/**
 * Every key with publications or papers in some years, with its rates and ranks; of the disciplines all 26. The ranked rows
 * come first, by rank and key. 120,000 institutions, all there are, take about 100 MB.
 */
export async function computeRows(db: Queryable, { from, to }: Span, dimension: Dimension) {
  const always = dimension === "discipline" ? FIELDS.map(({ fieldId }) => String(fieldId)) : [];
  const counted = await db.query<CountedKey>(counting(dimension), [dimension, from, to, always]);
  const rows = withSmallNumbers(rankByRate(counted.map(withRates), PUBLICATIONS_MIN[dimension]));
  const ranked = rows.filter(({ below }) => !below);
  const inRegion = ranksWithin(ranked, (code) => findCountry(code)?.region);
  const inSubregion = ranksWithin(ranked, (code) => findCountry(code)?.subregion);
  return rows.map((row) => ({
    ...row,
    rank_in_region: inRegion.get(row.code) ?? null,
    rank_in_subregion: inSubregion.get(row.code) ?? null,
  }));
}

/**
 * Parameters: dimension, first and last year, keys that are there in any case. Fractions are added as decimal numbers of 20
 * digits, so that the sum does not depend on the order.
 */
function counting(dimension: Dimension): string {
  return `
  with attributions as (${ATTRIBUTIONS[dimension]}),
  papers as (
    select key collate "C" as key, count(*) as whole, sum(1::numeric / parts) as fractional
      from attributions where year between $2 and $3 group by 1),
  publications as (
    select coalesce(successor, key) as key, sum(publications) as whole,
           case when bool_and(publications_fractional is not null) then sum(publications_fractional) end as fractional
      from statistics_publications
           left join statistics_successions on $1 = 'institution' and ror = key
     where dimension = $1 and year between $2 and $3
     group by 1)
  select key, coalesce(organisations.name, linked.name) as name,
         coalesce(organisations.country_code, linked.country_code) as country_code,
         coalesce(papers.whole, 0)::integer as papers,
         coalesce(papers.fractional, 0)::double precision as papers_fractional,
         coalesce(publications.whole, 0)::bigint as publications,
         case when publications.key is null then 0 else publications.fractional end::double precision as publications_fractional
    from papers
         full join publications using (key)
         full join unnest($4::text[]) as always (key) using (key)
         left join statistics_organisations as organisations on organisations.ror = key
         left join statistics_work_institutions as linked on linked.ror = key
   where papers.whole > 0 or publications.whole > 0 or always.key is not null`;
}

function withRates(counted: CountedKey) {
  const fractional = counted.publications_fractional ?? 0;
  return {
    ...counted,
    code: counted.key,
    ...ratePer100k(counted.papers, counted.publications),
    rate_fractional: fractional > 0 ? (counted.papers_fractional * RATE_BASE) / fractional : null,
    unstable: isUnstable(counted.papers),
  };
}

/** The ranks of countries within their region or sub-region. Rows that are not countries have no rank. */
function ranksWithin(
  ranked: readonly Rankable[],
  groupOf: (code: string) => string | null | undefined,
): Map<string, number | null> {
  const groups = Map.groupBy(ranked, ({ code }) => groupOf(code) ?? undefined);
  groups.delete(undefined);
  const ranks = [...groups.values()].flatMap((group) => rankByRate(group, 0));
  return new Map(ranks.map(({ code, rank }) => [code, rank]));
}

/** The papers of some years that no key of a dimension has. */
export async function countUnattributed(
  db: Queryable,
  { from, to }: Span,
  dimension: Dimension,
): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `with attributions as materialized (${ATTRIBUTIONS[dimension]})
     select count(*) as count from statistics_papers as papers
      where year between $1 and $2
        and not exists (select from attributions where attributions.paper_key = papers.paper_key)`,
    [from, to],
  );
  return row?.count ?? 0;
}

/** Each year, with or without papers, of one key. The rate is null without publications. */
export async function computeYears(db: Queryable, { from, to }: Span, dimension: Dimension, key: string) {
  const years = await db.query<{ year: number; papers: number; publications: number }>(
    `with papers as (select year, count(*) as papers from (${ATTRIBUTIONS[dimension]}) as attributions where key = $3 group by year),
     publications as (
       select year, sum(publications) as publications
         from statistics_publications left join statistics_successions on $4 = 'institution' and ror = key
        where dimension = $4 and coalesce(successor, key) = $3
        group by year)
     select year, coalesce(papers, 0) as papers, coalesce(publications, 0) as publications
       from generate_series($1::integer, $2::integer) as year
            left join papers using (year) left join publications using (year)
      order by year`,
    [from, to, key, dimension],
  );
  return years.map((each) => ({ ...each, rate: ratePer100k(each.papers, each.publications).rate }));
}
