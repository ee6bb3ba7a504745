import { prepared, type Queryable } from "../../platform/postgres/database.ts";
import { columns, insertRows } from "../../platform/postgres/sql.ts";

/** Rows written in one statement: 100,000 take a second. */
const WRITTEN_AT_ONCE = 10_000;

/** A shingle as a term of the index, and the number of chunks and documents that contain it. */
export type FrequentShingle = { readonly term: string; readonly chunks: number; readonly documents: number };

type FrequencyMeasurement = {
  readonly sampledChunks: number;
  readonly chunks: number;
  /** Fewest chunks and documents that contain a shingle of the table. */
  readonly chunksMin: number;
  readonly documentsMin: number;
};

/** The current table. Every measurement increases `version`. */
export type FrequencyTable = FrequencyMeasurement & {
  readonly version: number;
  readonly measuredAt: Date;
  readonly terms: number;
};

/** The version before the first measurement. */
const NO_VERSION = 0;

const COLUMNS = "version, measured_at, sampled_chunks, chunks, chunks_min, documents_min, terms";

/** The document-frequency table. Every method takes the connection or transaction that it runs on. */
export class FrequentShingleStore {
  /** Replaces the table when the transaction commits. Of two simultaneous replacements the second waits for the first. */
  async replace(
    transaction: Queryable,
    measured: FrequencyMeasurement,
    shingles: readonly FrequentShingle[],
  ): Promise<FrequencyTable> {
    const rows = await transaction.query<FrequencyTable>(
      `insert into frequency_table (${COLUMNS}) values (1, now(), $1, $2, $3, $4, $5)
       on conflict (only_row) do update
         set version = frequency_table.version + 1, measured_at = excluded.measured_at,
             sampled_chunks = excluded.sampled_chunks, chunks = excluded.chunks, chunks_min = excluded.chunks_min,
             documents_min = excluded.documents_min, terms = excluded.terms
       returning ${columns(COLUMNS)}`,
      [measured.sampledChunks, measured.chunks, measured.chunksMin, measured.documentsMin, shingles.length],
    );
    await transaction.query("delete from frequent_shingles");
    for (let from = 0; from < shingles.length; from += WRITTEN_AT_ONCE) {
      await insertRows(transaction, "frequent_shingles", shingles.slice(from, from + WRITTEN_AT_ONCE));
    }
    const [table] = rows;
    if (table === undefined) throw new Error("the row of the frequency table was not written");
    return table;
  }

  /** Undefined before the first measurement. */
  async find(db: Queryable): Promise<FrequencyTable | undefined> {
    const [table] = await db.query<FrequencyTable>(`select ${columns(COLUMNS)} from frequency_table`);
    return table;
  }

  async version(db: Queryable): Promise<number> {
    const [row] = await db.query<{ version: number }>(prepared("select version from frequency_table"));
    return row?.version ?? NO_VERSION;
  }

  async read(db: Queryable): Promise<{ readonly version: number; readonly shingles: ReadonlySet<string> }> {
    const [row] = await db.query<{ version: number; terms: string[] }>(
      "select version, array(select term from frequent_shingles) as terms from frequency_table",
    );
    return { version: row?.version ?? NO_VERSION, shingles: new Set(row?.terms) };
  }

  async listMostFrequent(db: Queryable, limit: number): Promise<FrequentShingle[]> {
    return db.query<FrequentShingle>(
      "select term, chunks, documents from frequent_shingles order by chunks desc, term limit $1",
      [limit],
    );
  }
}

/** The frequent shingles in the memory of a process that checks texts; 100,000 take 7 MB. */
export class FrequentShingles {
  readonly #store: FrequentShingleStore;
  #version: number | undefined;
  #shingles: ReadonlySet<string> = new Set();

  constructor(store: FrequentShingleStore) {
    this.#store = store;
  }

  /** The frequent ones among the given shingles. The table is read again when its version has changed. */
  async among(db: Queryable, shingles: Iterable<string>): Promise<ReadonlySet<string>> {
    if ((await this.#store.version(db)) !== this.#version) {
      const read = await this.#store.read(db);
      this.#version = read.version;
      this.#shingles = read.shingles;
    }
    const known = this.#shingles;
    const frequent = new Set<string>();
    for (const shingle of shingles) if (known.has(shingle)) frequent.add(shingle);
    return frequent;
  }
}
