import type { FingerprintedChunk } from "../../core/fingerprint/fingerprint-text.ts";
import type { Metrics } from "../../platform/metrics.ts";
import type { Database } from "../../platform/postgres/database.ts";
import type { ComputePool } from "../../platform/workers/compute-pool.ts";
import type { ChunkIndex, IndexedDocument } from "../chunk-index.ts";
import type { ChunkBorders, Document } from "../document.ts";
import type { DocumentStore } from "../document-store.ts";
import { enterIndexGate } from "../index-gate.ts";
import type { RemovedDocuments } from "../removed-documents.ts";
import type { TextStore } from "../text-store.ts";

export type FingerprintParts = {
  readonly database: Database;
  readonly documents: DocumentStore;
  readonly texts: TextStore;
  readonly removed: RemovedDocuments;
  readonly chunkIndex: ChunkIndex;
  readonly compute: ComputePool;
  readonly metrics: Metrics;
};

/** Makes documents matchable: their chunks are findable when it returns. Gives the number of their chunks. */
export type FingerprintDocuments = (documentIds: readonly string[]) => Promise<number>;

/**
 * Makes the use case. It may be repeated at any point: chunks have fixed ids, and a document counts as fingerprinted
 * only after its chunks are findable. Those of a document that was deleted meanwhile are noted for removal.
 */
export function createFingerprintDocuments(parts: FingerprintParts): FingerprintDocuments {
  const { database, documents, removed, chunkIndex, metrics } = parts;

  return async (documentIds) => {
    if (documentIds.length === 0) return 0;
    // While the index is away nothing is cut in vain, by one attempt after the other.
    await chunkIndex.assertCurrent();
    const cut = await cutDocuments(parts, documentIds);
    const gone = documentIds.filter((id) => !cut.some(({ document }) => document.documentId === id));
    const marked = await database.transaction(async (transaction) => {
      await enterIndexGate(transaction);
      await chunkIndex.write(cut);
      const existing = await documents.markFingerprinted(transaction, cut.map(withBorders));
      const deleted = documentIds.filter((id) => !existing.has(id));
      // An earlier call that was cut off may have written chunks of those that were gone before this one.
      await removed.note(transaction, [...new Set([...gone, ...deleted])]);
      return existing;
    });
    metrics.documentsFingerprinted.inc(marked.size);
    return cut.reduce((sum, { chunks }) => sum + chunks.length, 0);
  };
}

/** Reads documents and cuts them into chunks, in threads. Those that don't exist are left out. */
export async function cutDocuments(
  {
    database,
    documents,
    texts,
    compute,
  }: Pick<FingerprintParts, "database" | "documents" | "texts" | "compute">,
  documentIds: readonly string[],
): Promise<IndexedDocument[]> {
  const [rows, sections] = await Promise.all([
    documents.findAll(database, documentIds),
    texts.findAll(database, documentIds),
  ]);
  return Promise.all(
    rows.map(async (document: Document) => ({
      document,
      chunks: await compute.run("fingerprintPacked", {
        sections: sections.get(document.documentId) ?? [],
        language: document.language,
      }),
    })),
  );
}

function withBorders({ document, chunks }: IndexedDocument) {
  return { documentId: document.documentId, borders: bordersOf(chunks) };
}

/** The borders of chunks that cover their text; of a text without chunks only the one. */
export function bordersOf(chunks: readonly FingerprintedChunk[]): ChunkBorders {
  const last = chunks.at(-1);
  return {
    utf16: [...chunks.map(({ start }) => start), last?.end ?? 0],
    codePoints: [
      ...chunks.map(({ startCodePoint }) => startCodePoint),
      last === undefined ? 0 : last.startCodePoint + last.charCount,
    ],
  };
}
