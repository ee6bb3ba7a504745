import type { Queryable } from "../../platform/postgres/database.ts";

/** The normalised DOIs of the retracted papers that are loaded and real, in their order. */
export async function retractedDois(db: Queryable): Promise<readonly string[]> {
  const rows = await db.query<{ doi: string }>(
    `select substr(paper_key, 5) as doi from statistics_papers
      where paper_key like 'doi:%' and exists (
              select from statistics_parts where source = 'retraction-watch' and not is_synthetic)
      order by paper_key collate "C"`,
  );
  return rows.map(({ doi }) => doi);
}
