import type { Queryable } from "../../platform/postgres/database.ts";
import { insertRows, rowsAsJson } from "../../platform/postgres/sql.ts";
import type { InspectedFile } from "../sources/input/inspect-file.ts";
import { refusedFile } from "../sources/input/refused-file.ts";
import { type PublicationCount, publicationCounts } from "../sources/publications/publication-counts.ts";
import { inBatches } from "./in-batches.ts";
import { counted, type LoadPart } from "./part.ts";

/** A row may be repeated; one that contradicts another is refused, as nobody can say which is right. */
export const loadPublications: LoadPart = async (db, input, onBytes) => {
  await db.query("delete from statistics_publications");
  for await (const batch of inBatches(publicationCounts(input, onBytes))) {
    const inserted = await insertRows(
      db,
      "statistics_publications",
      batch.map(toColumns),
      "on conflict do nothing",
    );
    if (inserted < batch.length) await refuseContradiction(db, input, batch);
  }
  await db.query("analyze statistics_publications");
  const [found] = await db.query<{ rows: number; first: number | null; last: number | null }>(
    "select count(*) as rows, min(year) as first, max(year) as last from statistics_publications",
  );
  if (found === undefined || found.first === null) {
    throw refusedFile(input, "there is no row below the header.");
  }
  return {
    newestRecord: String(found.last),
    notes: [`${counted(found.rows, "count")} of publications, of ${found.first} to ${found.last}`],
  };
};

function toColumns(count: PublicationCount) {
  return {
    dimension: count.dimension,
    key: count.key,
    year: count.year,
    publications: count.publications,
    publications_fractional: count.publicationsFractional,
  };
}

async function refuseContradiction(
  db: Queryable,
  input: InspectedFile,
  batch: readonly PublicationCount[],
): Promise<void> {
  const [contradiction] = await db.query<{ row: number; key: string; year: number }>(
    `select row, given.key, given.year
       from json_to_recordset($1) as given
              (row integer, dimension text, key text, year integer, publications bigint, publications_fractional numeric)
            join statistics_publications as stored using (dimension, key, year)
      where (given.publications, given.publications_fractional)
              is distinct from (stored.publications, stored.publications_fractional)
      order by row limit 1`,
    [rowsAsJson(batch.map((count) => ({ row: count.row, ...toColumns(count) })))],
  );
  if (contradiction === undefined) return;
  const { row, key, year } = contradiction;
  const reason = `an earlier row gives other publications for ${key} in ${year}.`;
  throw refusedFile({ file: input.file, row, column: "publications" }, reason);
}
