import type { Queryable } from "../../platform/postgres/database.ts";
import { insertRows, rowsAsJson } from "../../platform/postgres/sql.ts";
import type { InspectedFile } from "../sources/input/inspect-file.ts";
import { refusedFile } from "../sources/input/refused-file.ts";
import { type Organisation, organisations } from "../sources/ror/organisations.ts";
import { followSuccessors } from "../sources/ror/successions.ts";
import { inBatches } from "./in-batches.ts";
import { counted, type LoadPart } from "./part.ts";

/** A record may be repeated; one that contradicts another is refused, as nobody can say which is right. */
export const loadOrganisations: LoadPart = async (db, input, onBytes) => {
  await db.query("delete from statistics_organisations");
  let newestRecord: string | undefined;
  for await (const batch of inBatches(organisations(input, onBytes))) {
    const inserted = await insertRows(
      db,
      "statistics_organisations",
      batch.map(toColumns),
      "on conflict do nothing",
    );
    if (inserted < batch.length) await refuseContradiction(db, input, batch);
    for (const { modifiedOn } of batch) {
      if (modifiedOn !== undefined && (newestRecord === undefined || modifiedOn > newestRecord))
        newestRecord = modifiedOn;
    }
  }
  await db.query("analyze statistics_organisations");
  const successions = await storeSuccessions(db);
  const [found] = await db.query<{ count: number }>("select count(*) as count from statistics_organisations");
  return {
    newestRecord,
    notes: [
      `${counted(found?.count ?? 0, "organisation")}, ${counted(successions, "withdrawn one")} with one successor`,
    ],
  };
};

function toColumns({ ror, name, countryCode, successor }: Organisation) {
  return { ror, name, country_code: countryCode, successor };
}

/** @returns how many organisations have one. */
async function storeSuccessions(db: Queryable): Promise<number> {
  const direct = await db.query<{ ror: string; successor: string }>(
    "select ror, successor from statistics_organisations where successor is not null",
  );
  const followed = followSuccessors(new Map(direct.map(({ ror, successor }) => [ror, successor])));
  await db.query("delete from statistics_successions");
  const rows = [...followed].map(([ror, successor]) => ({ ror, successor }));
  return insertRows(db, "statistics_successions", rows);
}

async function refuseContradiction(
  db: Queryable,
  input: InspectedFile,
  batch: readonly Organisation[],
): Promise<void> {
  const [contradiction] = await db.query<{ row: number; ror: string }>(
    `select row, given.ror
       from json_to_recordset($1) as given (row integer, ror text, name text, country_code text, successor text)
            join statistics_organisations as stored using (ror)
      where (given.name, given.country_code, given.successor)
              is distinct from (stored.name, stored.country_code, stored.successor)
      order by row limit 1`,
    [rowsAsJson(batch.map((one) => ({ row: one.row, ...toColumns(one) })))],
  );
  if (contradiction === undefined) return;
  const { row, ror } = contradiction;
  throw refusedFile(
    { file: input.file, row, column: "id" },
    `an earlier record of ${ror} says something else.`,
  );
}
