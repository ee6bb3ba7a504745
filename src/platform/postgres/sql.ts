import type { Queryable } from "./database.ts";

/**
 * Inserts rows in one statement. The member `paperKey` fills the column `paper_key`. Missing columns are null and other
 * members are ignored. Numbers are sent as JSON, from which PostgreSQL reads the same double.
 * @returns the number of inserted rows, which `onConflict` may reduce.
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

/** Columns under the names that the program uses, so that rows need no mapping: `created_at as "createdAt"`. */
export function columns(names: string): string {
  return names
    .split(/,\s*/)
    .map(
      (name) =>
        `${name} as "${name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())}"`,
    )
    .join(", ");
}

/** Rows as JSON with the names of columns. */
export function rowsAsJson(rows: readonly object[]): string {
  return asJson(
    rows.map((row) =>
      Object.fromEntries(Object.entries(row).map(([member, value]) => [columnOf(member), value])),
    ),
  );
}

/** JSON for PostgreSQL, which accepts neither U+0000 nor half a surrogate pair. */
export function asJson(value: object): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === "string" ? member.replaceAll("\0", "\ufffd").toWellFormed() : member,
  );
}

function columnOf(member: string): string {
  return member.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The parameters of `holdsText`: a search text in NFC and, as in file names of macOS, in NFD; null for no search. */
export function searchForms(text: string | undefined): readonly [string | null, string | null] {
  return [text?.normalize("NFC") ?? null, text?.normalize("NFD") ?? null];
}

/**
 * SQL that is true if a column holds the text of `searchForms`, ignoring case, or without a search. No character is a wildcard.
 * 100,000 titles take 70 to 140 ms, so there is no index. @param parameters their placeholders, such as `$3`
 */
export function holdsText(columns: readonly string[], parameters: readonly [string, string]): string {
  const tests = columns.flatMap((column) =>
    parameters.map((parameter) => `strpos(lower_case(${column}), lower_case(${parameter})) > 0`),
  );
  return `(${parameters[0]}::text is null or ${tests.join(" or ")})`;
}

/** The rows of a list in its order, a batch at a time. Rows that are deleted meanwhile are missing, and none comes twice. */
export async function* inBatches<Row>(
  ids: readonly string[],
  find: (ids: readonly string[]) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  for (let start = 0; start < ids.length; start += BATCH_ROWS)
    yield find(ids.slice(start, start + BATCH_ROWS));
}

/** About 200 KB of JSON from PostgreSQL. */
const BATCH_ROWS = 500;
