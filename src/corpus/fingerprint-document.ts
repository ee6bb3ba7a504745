import type { Metrics } from "../platform/metrics.ts";
import type { Database } from "../platform/postgres/database.ts";
import type { ComputePool } from "../platform/workers/compute-pool.ts";
import type { ChunkIndex, IndexedDocument } from "./chunk-index.ts";
import type { DocumentStore } from "./document-store.ts";

export type FingerprintParts = {
  readonly database: Database;
  readonly documents: DocumentStore;
  readonly chunkIndex: ChunkIndex;
  readonly compute: ComputePool;
  readonly metrics: Metrics;
};

/** Makes documents matchable: their chunks are findable when it returns. */
export type FingerprintDocuments = (documentIds: readonly string[]) => Promise<void>;

/**
 * Makes the use case. It may be repeated at any point: chunks have fixed ids, and a document counts as fingerprinted
 * only after its chunks are findable. One that was deleted meanwhile loses its chunks again.
 */
export function createFingerprintDocuments(parts: FingerprintParts): FingerprintDocuments {
  const { database, documents, chunkIndex, compute, metrics } = parts;

  return async (documentIds) => {
    const indexed = await Promise.all(documentIds.map(chunked));
    const found = indexed.filter((one) => one !== undefined);
    if (found.length === 0) return;
    await chunkIndex.write(found);
    await chunkIndex.refresh();
    for (const { document, chunks } of found) {
      const stillThere = await documents.markFingerprinted(database, document.documentId, chunks.length);
      if (stillThere) metrics.documentsFingerprinted.inc();
      else await chunkIndex.remove(document.documentId);
    }
  };

  async function chunked(documentId: string): Promise<IndexedDocument | undefined> {
    const document = await documents.findWithText(database, documentId);
    if (document === undefined) {
      // An earlier run of this job may have written chunks after the document was deleted.
      await chunkIndex.remove(documentId);
      return undefined;
    }
    const { extractedText: text, language } = document;
    return { document, chunks: await compute.run("fingerprint", { text, language }) };
  }
}
