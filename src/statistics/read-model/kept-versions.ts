import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { DATABASE_SCHEMA, type Queryable } from "../../platform/postgres/database.ts";

/** A replaced version of the data can be requested for so long. */
const VERSIONS_KEPT_DAYS = 400;

export const NOT_KEPT = `must be the version of the loaded data, or one that was replaced less than ${VERSIONS_KEPT_DAYS} days ago`;

/** Everything that answers are read from, apart from the rows of the lists, which are kept by their windows. */
const TABLES = [
  "statistics_dataset",
  "statistics_parts",
  "statistics_windows",
  "statistics_counts",
  "statistics_cases",
  "statistics_news_articles",
  "statistics_news_timeline",
  "statistics_papers",
  "statistics_works",
  "statistics_successions",
  "statistics_publications",
];
const ROWS = "statistics_rows";

/** The publications of institutions are most of the data, and their rows are kept. */
const CONDITIONS: Readonly<Record<string, string>> = {
  statistics_publications: "dimension <> 'institution'",
};

/**
 * Keeps a copy of the loaded version, if it is real and not kept yet: to be called before anything of it changes. Equal contents of
 * several versions are stored once. Versions that were replaced long ago are deleted.
 */
export async function keepVersion(db: Queryable, now: Date): Promise<void> {
  const oldest = new Date(now.getTime() - VERSIONS_KEPT_DAYS * 86_400_000);
  await db.query("delete from statistics_versions where replaced_at < $1", [oldest]);
  await db.query(
    "delete from statistics_kept_contents where sha256 not in (select sha256 from statistics_kept_tables)",
  );
  const [kept] = await db.query<{ version: string; isNew: boolean }>(
    `insert into statistics_versions (dataset_version, replaced_at)
     select dataset_version, $1::timestamptz from statistics_dataset where not is_synthetic
         on conflict (dataset_version) do update set replaced_at = excluded.replaced_at
     returning dataset_version as version, xmax = 0 as "isNew"`,
    [now],
  );
  if (kept?.isNew !== true) return;
  for (const table of TABLES) await keepPieces(db, kept.version, table, "''");
  await keepPieces(db, kept.version, ROWS, "window_id");
}

/** @param piece SQL that names the piece that a row belongs to */
async function keepPieces(db: Queryable, version: string, table: string, piece: string): Promise<void> {
  const condition = CONDITIONS[table] ?? "true";
  const names = await db.query<{ piece: string }>(`select distinct ${piece} as piece from ${table}`);
  for (const { piece: name } of names) {
    const [content] = await db.query<{ rows: string }>(
      `select json_agg(kept order by kept::text collate "C")::text as rows from ${table} as kept where ${piece} = $1 and ${condition}`,
      [name],
    );
    const rows = content?.rows ?? "[]";
    const sha256 = createHash("sha256").update(rows).digest("hex");
    await db.query(
      "insert into statistics_kept_contents (sha256, content) values ($1, $2) on conflict (sha256) do nothing",
      [sha256, await compress(rows)],
    );
    await db.query(
      "insert into statistics_kept_tables (dataset_version, table_name, piece, sha256) values ($1, $2, $3, $4)",
      [version, table, name, sha256],
    );
  }
}

/**
 * Shows a kept version to the statements of a transaction: temporary tables of the same names, which PostgreSQL looks up first, take
 * the places of the tables. @returns false when the version is not kept.
 */
export async function showVersion(transaction: Queryable, version: string): Promise<boolean> {
  await transaction.query("set transaction isolation level repeatable read");
  const found = await transaction.query("select 1 from statistics_versions where dataset_version = $1", [
    version,
  ]);
  if (found.length === 0) return false;
  for (const table of [...TABLES, ROWS]) {
    await transaction.query(
      `create temporary table ${table} on commit drop as table ${DATABASE_SCHEMA}.${table} with no data`,
    );
    if (table !== ROWS) await showPiece(transaction, version, table, "");
  }
  return true;
}

/** Adds the rows of one window, after `showVersion`. */
export async function showRows(transaction: Queryable, version: string, windowId: string): Promise<void> {
  await showPiece(transaction, version, ROWS, windowId);
}

async function showPiece(db: Queryable, version: string, table: string, piece: string): Promise<void> {
  const [kept] = await db.query<{ content: Buffer }>(
    `select content from statistics_kept_tables join statistics_kept_contents using (sha256)
      where dataset_version = $1 and table_name = $2 and piece = $3`,
    [version, table, piece],
  );
  if (kept === undefined) return;
  const rows = (await decompress(kept.content)).toString();
  await db.query(
    `insert into pg_temp.${table} select * from json_populate_recordset(null::pg_temp.${table}, $1)`,
    [rows],
  );
}

const compress = promisify(gzip);
const decompress = promisify(gunzip);
