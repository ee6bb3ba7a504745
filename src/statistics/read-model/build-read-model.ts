import type { Queryable } from "../../platform/postgres/database.ts";
import { insertRows } from "../../platform/postgres/sql.ts";
import { listWindows, newestSettled, settledUntil, type Window } from "../rates/windows.ts";
import { DIMENSIONS, type Dimension } from "../sources/publications/publication-counts.ts";
import { computeRows, countUnattributed, type Span } from "./compute-rows.ts";

/** Raise this number with every change to the counting: the same input then gets another `dataset_version`. */
export const READ_MODEL_VERSION = 4;

const TABLES = ["statistics_windows", "statistics_rows", "statistics_counts"];

/**
 * Recomputes all figures from the loaded parts within the transaction of the load: readers see the old ones until it ends.
 * Without publications there are no windows, and nothing to compute.
 */
export async function buildReadModel(db: Queryable): Promise<void> {
  for (const table of TABLES) await db.query(`delete from ${table}`);
  const { windows, shownFirst } = await loadedYears(db);
  const windowRows = windows.map(({ id, from, to, provisional, default: isDefault }, position) => ({
    ...{ window_id: id, position, from_year: from, to_year: to, provisional, is_default: isDefault },
  }));
  await insertRows(db, "statistics_windows", windowRows);
  for (const span of [...windows, ...shownFirst]) {
    for (const dimension of DIMENSIONS) await buildRows(db, span, dimension);
  }
  for (const table of TABLES) await db.query(`analyze ${table}`);
}

type StoredSpan = Span & Pick<Window, "id">;

/** The listed windows, and the years that the pages show first where these are not listed: computing them takes seconds. */
async function loadedYears(
  db: Queryable,
): Promise<{ readonly windows: readonly Window[]; readonly shownFirst: readonly StoredSpan[] }> {
  const [span] = await db.query<{ first: number | null; last: number | null; newest: string | null }>(
    `select min(year) as first, max(year) as last,
            (select newest_record from statistics_parts where source = 'retraction-watch') as newest
       from statistics_publications`,
  );
  if (span === undefined || span.first === null || span.last === null) return { windows: [], shownFirst: [] };
  const newestYear = span.newest === null ? undefined : Number(span.newest.slice(0, "YYYY".length));
  const windows = listWindows(span.first, span.last, newestYear);
  const id = newestSettled(span.first, span.last, settledUntil(span.newest ?? undefined));
  const [from = 0, to = 0] = id?.split("-").map(Number) ?? [];
  const isListed = id === null || windows.some((window) => window.id === id);
  return { windows, shownFirst: isListed ? [] : [{ id, from, to }] };
}

/** Writes the rows of one list in one window, and how many there are. */
async function buildRows(db: Queryable, window: StoredSpan, dimension: Dimension): Promise<void> {
  const rows = await computeRows(db, window, dimension);
  for (let start = 0; start < rows.length; start += STORED_ROWS_MAX) {
    const positioned = rows.slice(start, start + STORED_ROWS_MAX).map((row, index) => ({
      ...row,
      ...{ window_id: window.id, dimension, position: start + index },
    }));
    await insertRows(db, "statistics_rows", positioned);
  }
  const below = rows.filter((row) => row.below).length;
  const unattributed = await countUnattributed(db, window, dimension);
  const counts = { total: rows.length, ranked: rows.length - below, below, unattributed };
  await insertRows(db, "statistics_counts", [{ window_id: window.id, dimension, ...counts }]);
}

/** Rows in one statement. */
const STORED_ROWS_MAX = 5_000;
