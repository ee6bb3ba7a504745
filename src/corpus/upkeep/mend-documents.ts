import { DomainError } from "../../core/domain-error.ts";
import type { Logger } from "../../platform/logger.ts";
import type { OpenSearch } from "../../platform/opensearch/opensearch.ts";
import type { Database } from "../../platform/postgres/database.ts";
import type { ChunkIndex } from "../chunk-index.ts";
import type { Document } from "../document.ts";
import type { DocumentStore } from "../document-store.ts";
import type { FingerprintDocuments } from "../feeding/fingerprint-documents.ts";
import { countChunksOf } from "./chunk-counts.ts";
import { removeSurplusChunks } from "./surplus-chunks.ts";

/**
 * Documents that are mended together, at most: one bulk request, one refresh. Their texts and narrow forms are what
 * is held in memory, about 10 bytes a character.
 */
const BATCH_DOCUMENTS = 100;
const BATCH_CHARS = 4_000_000;

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
    const failed: string[] = [];
    let mended = 0;
    for (const group of inBatches(await findAll(documentIds))) {
      signal?.throwIfAborted();
      const done = await mend(group);
      mended += done.length;
      failed.push(...group.filter((id) => !done.includes(id)));
    }
    return { mended, failed };
  };

  function findAll(documentIds: readonly string[]): Promise<Document[]> {
    return documents.findAll(database, documentIds);
  }

  /** Gives the documents that were mended; where that fails for all together, each is tried alone. */
  async function mend(group: readonly string[]): Promise<readonly string[]> {
    try {
      await fingerprintDocuments(group);
    } catch (error) {
      if (error instanceof DomainError && error.code === "store_unavailable") throw error;
      if (group.length === 1) {
        log.error({ documentId: group[0], err: error }, "a document can't be fingerprinted");
        return [];
      }
      const done: string[] = [];
      for (const id of group) done.push(...(await mend([id])));
      return done;
    }
    await removeSurplus(group);
    return group;
  }

  async function removeSurplus(group: readonly string[]): Promise<void> {
    const index = chunkIndex.readAlias;
    const counts = await countChunksOf(opensearch, index, group);
    for (const { documentId, chunkCount } of await findAll(group)) {
      if ((counts.get(documentId) ?? 0) > chunkCount)
        await removeSurplusChunks(opensearch, index, documentId, chunkCount);
    }
  }
}

function* inBatches(documents: readonly Document[]): Generator<readonly string[]> {
  let batch: string[] = [];
  let chars = 0;
  for (const { documentId, charCount } of documents) {
    if (batch.length === BATCH_DOCUMENTS || (batch.length > 0 && chars + charCount > BATCH_CHARS)) {
      yield batch;
      batch = [];
      chars = 0;
    }
    batch.push(documentId);
    chars += charCount;
  }
  if (batch.length > 0) yield batch;
}
