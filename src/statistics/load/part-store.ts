import { createHash } from "node:crypto";
import type { Queryable } from "../../platform/postgres/database.ts";
import type { SourceId } from "../facts/sources.ts";
import { READ_MODEL_VERSION } from "../read-model/build-read-model.ts";

/** Where a loaded part came from, as answers cite it. */
export type Part = {
  readonly source: SourceId;
  /** The hash of what was read, by which a part that has not changed is known. */
  readonly inputSha256: string;
  readonly isSynthetic: boolean;
  readonly name: string;
  readonly license: string | null;
  readonly url: string | null;
  readonly version: string;
  readonly newestRecord: string | null;
  readonly retrievedAt: Date;
};

/** The version that answers carry, and the number that grows with each change. */
export type StoredDataset = { readonly version: string; readonly revision: number };

/** Any number will do that no other lock of this database has. */
const LOAD_LOCK = 7_301_942;

/** Tables that hold the parts themselves. */
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

/** The records of what is loaded. Each function takes the connection or transaction that it runs on. */
export class PartStore {
  /** Makes loads take turns; the lock goes with the transaction. */
  async lock(db: Queryable): Promise<void> {
    await db.query("select pg_advisory_xact_lock($1)", [LOAD_LOCK]);
  }

  async findAll(db: Queryable): Promise<readonly Part[]> {
    return db.query<Part>(
      `select source, input_sha256 as "inputSha256", is_synthetic as "isSynthetic", name, license, url, version,
              newest_record as "newestRecord", retrieved_at as "retrievedAt"
         from statistics_parts order by source collate "C"`,
    );
  }

  async put(db: Queryable, part: Part): Promise<void> {
    await db.query(
      `insert into statistics_parts
         (source, input_sha256, is_synthetic, name, license, url, version, newest_record, retrieved_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
       on conflict (source) do update
         set input_sha256 = excluded.input_sha256, is_synthetic = excluded.is_synthetic, name = excluded.name,
             license = excluded.license, url = excluded.url, version = excluded.version,
             newest_record = excluded.newest_record, retrieved_at = excluded.retrieved_at`,
      [
        part.source,
        part.inputSha256,
        part.isSynthetic,
        part.name,
        part.license,
        part.url,
        part.version,
        part.newestRecord,
        part.retrievedAt,
      ],
    );
  }

  async setRetrieved(db: Queryable, source: SourceId, retrievedAt: Date): Promise<void> {
    await db.query("update statistics_parts set retrieved_at = $2 where source = $1", [source, retrievedAt]);
  }

  /** Forgets everything that is loaded. */
  async clear(db: Queryable): Promise<void> {
    for (const table of PART_TABLES) await db.query(`delete from ${table}`);
  }

  /** Undefined before the first load. */
  async findDataset(db: Queryable): Promise<StoredDataset | undefined> {
    const [row] = await db.query<StoredDataset>(
      "select dataset_version as version, revision from statistics_dataset",
    );
    return row;
  }

  /**
   * Gives the dataset its next revision. `generatedAt` stays as it is when the version does: the same data are the same bytes.
   * @returns the revision.
   */
  async putDataset(db: Queryable, version: string, isSynthetic: boolean, generatedAt: Date): Promise<number> {
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
}

/** What begins the version of the synthetic set, so that nobody takes it for real. */
const SYNTHETIC_PREFIX = "demo-";

const VERSION_CHARS = 16;

/** A hash over the hashes of all parts, and of the way in which figures are computed. */
export function datasetVersionOf(parts: readonly Part[]): string {
  const inputs = parts.map(({ source, inputSha256 }) => `${source}:${inputSha256}`).toSorted();
  const hash = createHash("sha256").update([`model:${READ_MODEL_VERSION}`, ...inputs].join("\n"));
  const prefix = parts.some(({ isSynthetic }) => isSynthetic) ? SYNTHETIC_PREFIX : "";
  return prefix + hash.digest("hex").slice(0, VERSION_CHARS);
}
