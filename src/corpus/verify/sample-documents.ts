import type { Database } from "../../platform/postgres/database.ts";

/** A table of up to so many rows is drawn from in whole, in 25 ms; of a larger one some pages are. */
const DRAWN_IN_WHOLE = 200_000;

/** Rows that are read for each that is drawn, so that the drawn ones lie on many pages. */
const READ_PER_DRAWN = 200;

/** Random fingerprinted documents, `count` at most; each call draws anew. */
export async function sampleDocuments(database: Database, count: number): Promise<string[]> {
  const [size] = await database.query<{ rows: number }>(
    "select greatest(reltuples, 0)::bigint as rows from pg_class where oid = 'document_chunks'::regclass",
  );
  const rows = size?.rows ?? 0;
  const wanted = Math.max(DRAWN_IN_WHOLE, count * READ_PER_DRAWN);
  const percent = rows <= wanted ? 100 : (100 * wanted) / rows;
  const drawn = await database.query<{ document_id: string }>(
    `select document_id from document_chunks tablesample system ($1) order by random() limit $2`,
    [percent, count],
  );
  return drawn.map((row) => row.document_id);
}
