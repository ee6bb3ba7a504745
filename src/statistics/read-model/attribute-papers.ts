import type { Queryable } from "../../platform/postgres/database.ts";

/**
 * Makes a temporary table of what each paper is counted for: its known countries, the institutions of its work after the
 * succession of withdrawn ones, and its field. `parts` is the number of keys that share a paper in a dimension. Papers
 * without a year are in no window and left out.
 */
export async function attributePapers(db: Queryable): Promise<void> {
  await db.query(
    `create temporary table paper_attributions
       (dimension text, paper_key text, year integer, key text collate "C", parts integer) on commit drop`,
  );
  for (const select of [BY_COUNTRY, BY_INSTITUTION, BY_DISCIPLINE]) {
    await db.query(`insert into paper_attributions (dimension, paper_key, year, key, parts) ${select}`);
  }
  await db.query("create index on paper_attributions (dimension, year)");
  await db.query("analyze paper_attributions");
}

const BY_COUNTRY = `
  select 'country', paper_key, year, code, cardinality(countries)
    from statistics_papers cross join unnest(countries) as code
   where year is not null`;

const BY_INSTITUTION = `
  select 'institution', paper_key, year, key, count(*) over (partition by paper_key)
    from (select distinct paper_key, papers.year, coalesce(successor, institution) as key
            from statistics_papers as papers
                 join statistics_works on paper_key = 'doi:' || doi
                 cross join unnest(institutions) as institution
                 left join statistics_successions on ror = institution
           where papers.year is not null) as resolved`;

const BY_DISCIPLINE = `
  select 'discipline', paper_key, papers.year, field_id::text, 1
    from statistics_papers as papers join statistics_works on paper_key = 'doi:' || doi
   where papers.year is not null and field_id is not null`;
