import type { Queryable } from "./database.ts";

/**
 * Inserts rows, given as objects with the columns' names, by one statement; a column that is left out is null, and members
 * that are no columns are passed over. Numbers go over as JSON, from which PostgreSQL reads the same double.
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
    [rowsAsJson(rows)],
  );
  return counted?.inserted ?? 0;
}

/** Rows as JSON that PostgreSQL takes: it has neither U+0000 nor half a surrogate pair. */
export function rowsAsJson(rows: readonly object[]): string {
  return JSON.stringify(rows, (_, value: unknown) =>
    typeof value === "string" ? value.replaceAll("\0", "\ufffd").toWellFormed() : value,
  );
}
