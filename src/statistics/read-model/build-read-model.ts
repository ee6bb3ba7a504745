import type { Queryable } from "../../platform/postgres/database.ts";
import { insertRows } from "../../platform/postgres/sql.ts";
import { listWindows, type Window } from "../rates/windows.ts";
import { DIMENSIONS } from "../sources/publications/publication-counts.ts";
import { attributePapers } from "./attribute-papers.ts";
import { buildComparisons } from "./build-comparisons.ts";
import { buildCountryYears } from "./build-country-years.ts";
import { buildRows } from "./build-rows.ts";
import { StatisticsStore } from "./statistics-store.ts";

/** Raise it with every change of what is counted or how: the same input then has another `dataset_version`. */
export const READ_MODEL_VERSION = 2;

const TABLES = [
  "statistics_windows",
  "statistics_rows",
  "statistics_counts",
  "statistics_country_years",
  "statistics_comparisons",
];

/**
 * Computes all figures anew from the parts that are loaded, within the transaction of the load: readers see the old ones
 * until it ends. Without publications there are no windows, and nothing to compute.
 */
export async function buildReadModel(db: Queryable): Promise<void> {
  for (const table of TABLES) await db.query(`delete from ${table}`);
  const windows = await loadedWindows(db);
  await insertRows(db, "statistics_windows", windows.map(toColumns));
  await attributePapers(db);
  const store = new StatisticsStore();
  for (const window of windows) {
    for (const dimension of DIMENSIONS) await buildRows(db, window, dimension);
    await buildComparisons(db, window.id, await store.countries(db, window.id));
  }
  await buildCountryYears(db);
  for (const table of TABLES) await db.query(`analyze ${table}`);
}

async function loadedWindows(db: Queryable): Promise<readonly Window[]> {
  const [span] = await db.query<{ first: number | null; last: number | null; newest: string | null }>(
    `select min(year) as first, max(year) as last,
            (select newest_record from statistics_parts where source = 'retraction-watch') as newest
       from statistics_publications`,
  );
  if (span === undefined || span.first === null || span.last === null) return [];
  const newestYear = span.newest === null ? undefined : Number(span.newest.slice(0, "YYYY".length));
  return listWindows(span.first, span.last, newestYear);
}

function toColumns({ id, from, to, provisional, isDefault }: Window, position: number) {
  return { window_id: id, position, from_year: from, to_year: to, provisional, is_default: isDefault };
}
