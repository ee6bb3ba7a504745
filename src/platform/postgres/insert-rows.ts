import type { Queryable } from "./database.ts";

/**
 * Inserts rows, given as objects with the columns' names, by one statement; a column that is left out is null. Numbers go over as JSON,
 * from which PostgreSQL reads the same double.
 * @returns how many were inserted; fewer when `onConflict` leaves some out.
 */
export async function insertRows(
  db: Queryable,
  table: string,
  rows: readonly object[],
  onConflict = "",
): Promise<number> {
  if (rows.length === 0) return 0;
  const [counted] = await db.query<{ inserted: number }>(
    `with inserted as (
       insert into ${table} select * from json_populate_recordset(null::${table}, $1) ${onConflict} returning 1)
     select count(*) as inserted from inserted`,
    [JSON.stringify(rows)],
  );
  return counted?.inserted ?? 0;
}
