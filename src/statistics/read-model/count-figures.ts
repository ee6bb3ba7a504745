import type { Queryable } from "../../platform/postgres/database.ts";
import { FIELDS } from "../facts/fields.ts";
import type { Window } from "../rates/windows.ts";
import type { Dimension } from "../sources/publications/publication-counts.ts";

/** What is counted of one key in one window. */
export type CountedKey = {
  readonly key: string;
  /** Of institutions: as ROR has it, else as OpenAlex does. */
  readonly name: string | null;
  readonly country_code: string | null;
  readonly papers: number;
  readonly papers_fractional: number;
  readonly publications: number;
  readonly publications_fractional: number | null;
};

/** Keys that are read at a time: there may be hundreds of thousands of institutions. */
const PAGE_ROWS = 5_000;

/**
 * Every key with publications or papers in the window, page by page, in the order of the keys; of the disciplines all 26.
 * Needs the table of `attributePapers`. Fractions are added up as decimal numbers of 20 digits, so that the sum does not depend on the order.
 */
export async function* countFigures(
  db: Queryable,
  window: Window,
  dimension: Dimension,
): AsyncGenerator<readonly CountedKey[]> {
  await db.query("drop table if exists pg_temp.counted_keys");
  await db.query(
    `create temporary table counted_keys
       (key text collate "C" primary key, papers integer, papers_fractional double precision, publications bigint,
        publications_fractional double precision) on commit drop`,
  );
  const always = dimension === "discipline" ? FIELDS.map(({ fieldId }) => String(fieldId)) : [];
  await db.query(`insert into counted_keys ${COUNTED}`, [dimension, window.from, window.to, always]);
  for (let after = ""; ; ) {
    const page = await db.query<CountedKey>(
      `select key, coalesce(organisations.name, linked.name) as name,
              coalesce(organisations.country_code, linked.country_code) as country_code,
              papers, papers_fractional, publications, publications_fractional
         from counted_keys
              left join statistics_organisations as organisations on organisations.ror = key
              left join statistics_work_institutions as linked on linked.ror = key
        where key > $1 order by key limit ${PAGE_ROWS}`,
      [after],
    );
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    after = last.key;
  }
}

/** Parameters: dimension, first and last year, keys that are there in any case. */
const COUNTED = `
  with papers as (
    select key, count(*) as whole, sum(1::numeric / parts) as fractional
      from paper_attributions
     where dimension = $1 and year between $2 and $3
     group by key),
  publications as (
    select coalesce(successor, key) as key, sum(publications) as whole,
           case when bool_and(publications_fractional is not null) then sum(publications_fractional) end as fractional
      from statistics_publications
           left join statistics_successions on $1 = 'institution' and ror = key
     where dimension = $1 and year between $2 and $3
     group by 1)
  select key, coalesce(papers.whole, 0), coalesce(papers.fractional, 0), coalesce(publications.whole, 0),
         case when publications.key is null then 0 else publications.fractional end
    from papers
         full join publications using (key)
         full join unnest($4::text[]) as always (key) using (key)
   where papers.whole > 0 or publications.whole > 0 or always.key is not null`;
