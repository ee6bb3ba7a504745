import type { Queryable } from "../../platform/postgres/database.ts";
import { insertRows, rowsAsJson } from "../../platform/postgres/sql.ts";
import { type RetractedWork, retractedWorks } from "../sources/openalex/retracted-works.ts";
import { inBatches } from "./in-batches.ts";
import { counted, type LoadPart } from "./part.ts";

/**
 * Works of one DOI are joined: all institutions, and of several fields the lowest, so that the order of the file does not matter.
 */
export const loadWorks: LoadPart = async (db, input, onBytes) => {
  await db.query(
    `create temporary table staged_works
       (doi text, publication_year integer, institutions text[], field_id integer) on commit drop`,
  );
  await db.query("delete from statistics_work_institutions");
  for await (const batch of inBatches(retractedWorks(input, onBytes))) {
    await insertRows(db, "staged_works", batch.map(toColumns));
    await keepNames(db, batch);
  }
  await db.query("delete from statistics_works");
  await db.query(
    `insert into statistics_works (doi, institutions, field_id)
     select doi, coalesce(array_agg(distinct ror) filter (where ror is not null), '{}'), min(field_id)
       from staged_works left join lateral unnest(institutions) as ror on true
      group by doi`,
  );
  await db.query("analyze statistics_works");
  const [found] = await db.query<{ works: number; newest: number | null }>(
    `select count(distinct doi) as works, max(publication_year) as newest from staged_works`,
  );
  return {
    newestRecord: found?.newest?.toString(),
    notes: [`${counted(found?.works ?? 0, "work")} with a DOI`],
  };
};

function toColumns(work: RetractedWork) {
  return {
    doi: work.doi,
    publication_year: work.publicationYear,
    institutions: work.institutions.map(({ ror }) => ror),
    field_id: work.fieldId,
  };
}

/** Of several names the first by the alphabet is kept, so that the order of the file does not matter. */
async function keepNames(db: Queryable, works: readonly RetractedWork[]): Promise<void> {
  const institutions = works.flatMap((work) => work.institutions);
  await db.query(
    `insert into statistics_work_institutions as kept (ror, name, country_code)
     select ror, min(name collate "C"), min(country_code collate "C")
       from json_to_recordset($1) as given (ror text, name text, country_code text)
      group by ror
         on conflict (ror) do update
        set name = least(kept.name collate "C", excluded.name),
            country_code = least(kept.country_code collate "C", excluded.country_code)`,
    [
      rowsAsJson(
        institutions.map(({ ror, name, countryCode }) => ({ ror, name, country_code: countryCode })),
      ),
    ],
  );
}
