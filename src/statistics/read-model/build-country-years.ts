import type { Queryable } from "../../platform/postgres/database.ts";
import { insertRows } from "../../platform/postgres/sql.ts";
import { ratePer100k } from "../rates/rate.ts";

/** The rates of each country year by year, of all years in which it has papers or publications. Needs the table of `attributePapers`. */
export async function buildCountryYears(db: Queryable): Promise<void> {
  const counted = await db.query<{ code: string; year: number; papers: number; publications: number }>(
    `select key as code, year, coalesce(papers, 0) as papers, coalesce(publications, 0) as publications
       from (select key, year, count(*) as papers
               from paper_attributions where dimension = 'country' group by key, year) as papers
            full join (select key, year, publications
                         from statistics_publications where dimension = 'country') as publications
            using (key, year)`,
  );
  const rows = counted.map((row) => ({
    ...row,
    rate: ratePer100k(row.papers, row.publications)?.rate ?? null,
  }));
  await insertRows(db, "statistics_country_years", rows);
}
