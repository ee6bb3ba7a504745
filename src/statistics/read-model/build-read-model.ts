import type { Queryable } from "../../platform/postgres/database.ts";
import { insertRows } from "../../platform/postgres/sql.ts";
import { ratePer100k } from "../rates/rate.ts";
import { listWindows, type Window } from "../rates/windows.ts";
import { DIMENSIONS } from "../sources/publications/publication-counts.ts";
import { buildRows } from "./build-rows.ts";

/** Raise this number with every change to the counting: the same input then gets another `dataset_version`. */
export const READ_MODEL_VERSION = 2;

const TABLES = ["statistics_windows", "statistics_rows", "statistics_counts", "statistics_country_years"];

/**
 * Recomputes all figures from the loaded parts within the transaction of the load: readers see the old ones until it ends.
 * Without publications there are no windows, and nothing to compute.
 */
export async function buildReadModel(db: Queryable): Promise<void> {
  for (const table of TABLES) await db.query(`delete from ${table}`);
  const windows = await loadedWindows(db);
  const windowRows = windows.map(({ id, from, to, provisional, default: isDefault }, position) => ({
    ...{ window_id: id, position, from_year: from, to_year: to, provisional, is_default: isDefault },
  }));
  await insertRows(db, "statistics_windows", windowRows);
  await attributePapers(db);
  for (const window of windows) {
    for (const dimension of DIMENSIONS) await buildRows(db, window, dimension);
  }
  await buildCountryYears(db);
  for (const table of TABLES) await db.query(`analyze ${table}`);
}

async function loadedWindows(db: Queryable): Promise<readonly Window[]> {
  const [span] = await db.query<{ first: number | null; last: number | null; newest: string | null }>(
    `select min(year) as first, max(year) as last,
            (select newest_record from statistics_parts where source = 'retraction-watch') as newest
       from statistics_publications`,
  );
  if (span === undefined || span.first === null || span.last === null) return [];
  const newestYear = span.newest === null ? undefined : Number(span.newest.slice(0, "YYYY".length));
  return listWindows(span.first, span.last, newestYear);
}

/**
 * Fills a temporary table with the keys that each paper counts for: its known countries, the institutions of its work after
 * the succession of withdrawn ones, and its field. `parts` is the number of keys that share a paper in a dimension. Papers
 * without a year are in no window and left out.
 */
async function attributePapers(db: Queryable): Promise<void> {
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

/** The rates of each country in every year with papers or publications. */
async function buildCountryYears(db: Queryable): Promise<void> {
  const counted = await db.query<{ code: string; year: number; papers: number; publications: number }>(
    `select key as code, year, coalesce(papers, 0) as papers, coalesce(publications, 0) as publications
       from (select key, year, count(*) as papers
               from paper_attributions where dimension = 'country' group by key, year) as papers
            full join (select key, year, publications
                         from statistics_publications where dimension = 'country') as publications
            using (key, year)`,
  );
  const rows = counted.map((row) => ({ ...row, ...ratePer100k(row.papers, row.publications) }));
  await insertRows(db, "statistics_country_years", rows);
}
