import { allOrEach, groupItems } from "../../platform/flow/concurrency.ts";
import { isStoreUnavailable } from "../../platform/flow/retry-policy.ts";
import type { Logger } from "../../platform/logger.ts";
import type { OpenSearch } from "../../platform/opensearch/opensearch.ts";
import type { Database } from "../../platform/postgres/database.ts";
import type { ChunkIndex } from "../chunk-index/chunk-index.ts";
import type { DocumentStore } from "../document-store.ts";
import type { FingerprintDocuments } from "../ingest/fingerprint-documents.ts";
import { removeSurplusChunks } from "./surplus-chunks.ts";

/**
 * Documents that are mended together, at most: one bulk request, one refresh. Their texts and narrow forms are what
 * is held in memory, about 10 bytes a character.
 */
const BATCH = { countMax: 100, sizeMax: 4_000_000 } as const;

/** `failed`: what stands in the way of these is in themselves, and not that a store is down. */
export type Mended = { readonly mended: number; readonly failed: readonly string[] };

/** Makes the index hold exactly the chunks of these documents. Those that don't exist any more are neither mended nor failed. */
export type MendDocuments = (documentIds: readonly string[], signal?: AbortSignal) => Promise<Mended>;

export type MendParts = {
  readonly database: Database;
  readonly opensearch: OpenSearch;
  readonly documents: DocumentStore;
  readonly chunkIndex: ChunkIndex;
  readonly fingerprintDocuments: FingerprintDocuments;
  readonly log: Logger;
};

/**
 * Makes the use case. The chunks that a document should have are written before others are removed, so that it is
 * matchable all the while. One that can't be fingerprinted is logged, and the others go on without it.
 * @throws DomainError `store_unavailable`; the signal's reason between two batches.
 */
export function createMendDocuments(parts: MendParts): MendDocuments {
  const { database, opensearch, documents, chunkIndex, fingerprintDocuments, log } = parts;

  return async (documentIds, signal) => {
    const found = await documents.findAll(database, documentIds);
    const failed: string[] = [];
    for await (const group of groupItems(found, { ...BATCH, sizeOf: ({ charCount }) => charCount })) {
      signal?.throwIfAborted();
      await allOrEach(
        group.map(({ documentId }) => documentId),
        {
          work: mend,
          rethrowFatal,
          onFailed: (documentId, err) => {
            log.error({ documentId, err }, "a document can't be fingerprinted");
            failed.push(documentId);
          },
        },
      );
    }
    return { mended: found.length - failed.length, failed };
  };

  async function mend(group: readonly string[]): Promise<void> {
    await fingerprintDocuments(group);
    await removeSurplusChunks(opensearch, chunkIndex.readAlias, await documents.findAll(database, group));
  }
}

function rethrowFatal(error: unknown): void {
  if (isStoreUnavailable(error)) throw error;
}
