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

/**
 * A text that people search titles for, as the parameters of `holdsText`: composed, and with its marks apart, as file
 * names of macOS have them. Null stands for no search.
 */
export function searchForms(text: string | undefined): readonly [string | null, string | null] {
  return [text?.normalize("NFC") ?? null, text?.normalize("NFD") ?? null];
}

/**
 * SQL that is true where one of the columns holds the text of `searchForms`, whatever the case of either; true for all
 * rows where nothing is searched for. No character has a meaning of its own, as `%` would in a pattern. The case is that
 * of all scripts, whatever the database's own locale. 100,000 titles take 70 to 140 ms, so there is no index for it.
 * @param parameters their numbers in the statement, such as `$3`
 */
export function holdsText(columns: readonly string[], parameters: readonly [string, string]): string {
  const tests = columns.flatMap((column) =>
    parameters.map((parameter) => `strpos(${inOneCase(column)}, ${inOneCase(parameter)}) > 0`),
  );
  return `(${parameters[0]}::text is null or ${tests.join(" or ")})`;
}

function inOneCase(text: string): string {
  return `lower(${text} collate pg_c_utf8)`;
}
