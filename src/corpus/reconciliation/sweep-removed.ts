import type { Database } from "../../platform/postgres/database.ts";
import type { ChunkIndex } from "../chunk-index/chunk-index.ts";
import type { RemovedDocuments } from "../removed-documents.ts";

/** Documents whose chunks are removed together: one request of OpenSearch. */
const BATCH = 500;

/**
 * Removes the chunks of documents that are gone; gives the number of those documents.
 * @param options.signal ends it between two batches, with the signal's reason.
 */
export type SweepRemoved = (options?: { readonly signal?: AbortSignal | undefined }) => Promise<number>;

type Parts = {
  readonly database: Database;
  readonly removed: RemovedDocuments;
  readonly chunkIndex: ChunkIndex;
};

/**
 * Makes the use case. A document is forgotten in the transaction in which its chunks were removed, so a sweep that is cut
 * off is done again; several at once share the work.
 * @throws DomainError `store_unavailable`; what was not removed stays noted.
 */
export function createSweepRemoved({ database, removed, chunkIndex }: Parts): SweepRemoved {
  return async ({ signal } = {}) => {
    for (let swept = 0; ; ) {
      signal?.throwIfAborted();
      const count = await database.transaction(async (transaction) => {
        const notes = await removed.take(transaction, BATCH);
        const documentIds = new Set(notes.map(({ documentId }) => documentId));
        if (documentIds.size === 0) return 0;
        await chunkIndex.remove([...documentIds]);
        await removed.forget(transaction, notes);
        return documentIds.size;
      });
      if (count === 0) return swept;
      swept += count;
    }
  };
}
