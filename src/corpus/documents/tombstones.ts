import type { Database, Queryable } from "../../platform/postgres/database.ts";

/** Records that chunks of a deleted document may remain; one document may have several. */
type Tombstone = { readonly tombstoneId: number; readonly documentId: string };

/** The tables of tombstones and their columns: of documents, and of members of batches. */
const TABLES = {
  removed_documents: "document_id",
  removed_members: "member_id",
} as const;

/** Deleted documents whose chunks the index may still hold; a trigger and writers of chunks add them. */
export class Tombstones {
  readonly #table: keyof typeof TABLES;

  constructor(table: keyof typeof TABLES = "removed_documents") {
    this.#table = table;
  }

  async add(db: Queryable, documentIds: readonly string[]): Promise<void> {
    if (documentIds.length === 0) return;
    await db.query(`insert into ${this.#table} (${TABLES[this.#table]}) select unnest($1::uuid[])`, [
      documentIds,
    ]);
  }

  /** The oldest tombstones, locked: nobody else gets them until the transaction ends. */
  async take(transaction: Queryable, limit: number): Promise<Tombstone[]> {
    return transaction.query<Tombstone>(
      `select note_id as "tombstoneId", ${TABLES[this.#table]} as "documentId" from ${this.#table}
        order by note_id limit $1 for update skip locked`,
      [limit],
    );
  }

  /** Newer tombstones of the same documents stay: their chunks may have been written since. */
  async delete(transaction: Queryable, tombstones: readonly Tombstone[]): Promise<void> {
    await transaction.query(`delete from ${this.#table} where note_id = any($1::bigint[])`, [
      tombstones.map(({ tombstoneId }) => tombstoneId),
    ]);
  }
}

/** Documents whose chunks are removed in one request to OpenSearch. */
const BATCH = 500;

/** Removes the chunks of deleted documents; returns their number. */
export type CleanUpTombstones = (options?: { readonly signal?: AbortSignal | undefined }) => Promise<number>;

type CleanUpStores = {
  readonly database: Database;
  readonly tombstones: Tombstones;
  readonly chunkIndex: { remove(documentIds: readonly string[]): Promise<void> };
};

/** A tombstone goes in the transaction in which the chunks were removed, so an interrupted cleanup is done again. */
export function createCleanUpTombstones({
  database,
  tombstones,
  chunkIndex,
}: CleanUpStores): CleanUpTombstones {
  return async ({ signal } = {}) => {
    for (let cleaned = 0; ; ) {
      signal?.throwIfAborted();
      const count = await database.transaction(async (transaction) => {
        const taken = await tombstones.take(transaction, BATCH);
        const documentIds = new Set(taken.map(({ documentId }) => documentId));
        if (documentIds.size === 0) return 0;
        await chunkIndex.remove([...documentIds]);
        await tombstones.delete(transaction, taken);
        return documentIds.size;
      });
      if (count === 0) return cleaned;
      cleaned += count;
    }
  };
}
