import { createHash } from "node:crypto";
import type { Queryable } from "../../platform/postgres/database.ts";
import { insertRows } from "../../platform/postgres/sql.ts";
import type { SourceId } from "../facts/sources.ts";
import { READ_MODEL_VERSION } from "../read-model/build-read-model.ts";
import { STATISTICS_LOADED_CHANNEL } from "../read-model/statistics-store.ts";
import type { PartCounts } from "./plausibility.ts";

/** The parts that can be loaded separately, in the order of messages. No part depends on another. */
export const PART_NAMES = ["retractions", "publications", "works", "organisations", "cases", "news"] as const;
export type PartName = (typeof PART_NAMES)[number];

/** The source of each part. */
export const PART_SOURCES = {
  retractions: "retraction-watch",
  publications: "publications",
  works: "openalex",
  organisations: "ror",
  cases: "wikipedia",
  news: "gdelt",
} as const satisfies Record<PartName, SourceId>;

/** A loaded part as answers cite it. */
type Part = {
  readonly source: SourceId;
  /** The hash of the file, which tells whether the part has changed. */
  readonly inputSha256: string;
  readonly isSynthetic: boolean;
  readonly name: string;
  readonly license: string | null;
  readonly url: string | null;
  readonly version: string;
  readonly newestRecord: string | null;
  readonly retrievedAt: Date;
  /** Null for a part that an earlier release loaded. */
  readonly counts: PartCounts | null;
};

/** The version that answers carry, and the number that grows with each change. */
export type StoredDataset = { readonly version: string; readonly revision: number };

/** Makes loads take turns until the transaction ends. */
export async function lockParts(db: Queryable): Promise<void> {
  await db.query("select pg_advisory_xact_lock($1)", [LOAD_LOCK]);
}

/** Any number that no other lock of this database has. */
const LOAD_LOCK = 7_301_942;

export async function findParts(db: Queryable): Promise<readonly Part[]> {
  return db.query<Part>(
    `select source, input_sha256 as "inputSha256", is_synthetic as "isSynthetic", name, license, url, version,
            newest_record as "newestRecord", retrieved_at as "retrievedAt", counts
       from statistics_parts order by source collate "C"`,
  );
}

export async function putPart(db: Queryable, part: Part): Promise<void> {
  await db.query("delete from statistics_parts where source = $1", [part.source]);
  await insertRows(db, "statistics_parts", [part]);
}

export async function setRetrieved(db: Queryable, source: SourceId, retrievedAt: Date): Promise<void> {
  await db.query("update statistics_parts set retrieved_at = $2 where source = $1", [source, retrievedAt]);
}

/** Records when a refresh tried to fetch and load a part, and why that failed, if it did; readers are notified. */
export async function putAttempt(
  db: Queryable,
  part: PartName,
  attemptedAt: Date,
  failure: string | null,
): Promise<void> {
  await db.query(
    `insert into statistics_attempts (source, attempted_at, failure) values ($1, $2, $3)
     on conflict (source) do update set attempted_at = excluded.attempted_at, failure = excluded.failure`,
    [PART_SOURCES[part], attemptedAt, failure],
  );
  await db.query("select pg_notify($1, '')", [STATISTICS_LOADED_CHANNEL]);
}

/** Deletes everything that is loaded. */
export async function clearParts(db: Queryable): Promise<void> {
  for (const table of PART_TABLES) await db.query(`delete from ${table}`);
}

const PART_TABLES = [
  "statistics_parts",
  "statistics_papers",
  "statistics_publications",
  "statistics_works",
  "statistics_work_institutions",
  "statistics_organisations",
  "statistics_successions",
  "statistics_cases",
  "statistics_news_articles",
  "statistics_news_timeline",
];

/** Undefined before the first load. */
export async function findDataset(db: Queryable): Promise<StoredDataset | undefined> {
  const [row] = await db.query<StoredDataset>(
    "select dataset_version as version, revision from statistics_dataset",
  );
  return row;
}

/** Gives the dataset its next revision and returns it. `generatedAt` stays with the version: equal data give equal bytes. */
export async function putDataset(
  db: Queryable,
  version: string,
  isSynthetic: boolean,
  generatedAt: Date,
): Promise<number> {
  const [row] = await db.query<{ revision: number }>(
    `insert into statistics_dataset as dataset (revision, dataset_version, is_synthetic, generated_at)
     values (1, $1, $2, $3)
     on conflict (only_row) do update
       set revision = dataset.revision + 1, dataset_version = excluded.dataset_version, is_synthetic = excluded.is_synthetic,
           generated_at = case when dataset.dataset_version = excluded.dataset_version then dataset.generated_at
                               else excluded.generated_at end
     returning revision`,
    [version, isSynthetic, generatedAt],
  );
  return row?.revision ?? 0;
}

/** A hash of the hashes of all parts and of the way in which figures are computed. The synthetic set's begins with `demo-`. */
export function datasetVersionOf(parts: readonly Part[]): string {
  const inputs = parts.map(({ source, inputSha256 }) => `${source}:${inputSha256}`).toSorted();
  const hash = createHash("sha256").update([`model:${READ_MODEL_VERSION}`, ...inputs].join("\n"));
  const prefix = parts.some(({ isSynthetic }) => isSynthetic) ? "demo-" : "";
  return prefix + hash.digest("hex").slice(0, VERSION_CHARS);
}

const VERSION_CHARS = 16;
