import type { ComputePool } from "../../compute/compute-pool.ts";
import type { FingerprintedChunk } from "../../core/fingerprint/fingerprint-text.ts";
import { groupItems, mapConcurrently } from "../../platform/flow/concurrency.ts";
import type { Database } from "../../platform/postgres/database.ts";
import type { ChunkIndex } from "../chunk-index/chunk-index.ts";
import type { IndexedDocument } from "../chunk-index/chunk-items.ts";
import { enterIndexGate } from "../chunk-index/index-gate.ts";
import type { CorpusMetrics } from "../corpus-metrics.ts";
import type { ChunkBorders, Document } from "../document.ts";
import type { DocumentStore } from "../document-store.ts";
import type { RemovedDocuments } from "../removed-documents.ts";
import type { TextStore } from "../text-store.ts";

export type FingerprintParts = {
  readonly database: Database;
  readonly documents: DocumentStore;
  readonly texts: TextStore;
  readonly removed: RemovedDocuments;
  readonly chunkIndex: ChunkIndex;
  readonly compute: ComputePool;
  readonly metrics: CorpusMetrics;
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
    // Cut before the gate is entered, which so is open while the chunks of a few documents are made.
    const first = await cutDocuments(parts, documentIds.slice(0, GROUP_DOCUMENTS));
    const { marked, chunks } = await database.transaction(async (transaction) => {
      await enterIndexGate(transaction);
      const written: ReturnType<typeof withBorders>[] = [];
      const rest = cutInGroups(parts, documentIds.slice(GROUP_DOCUMENTS));
      await chunkIndex.write(noted(first, rest, (cut) => written.push(...cut.map(withBorders))));
      const existing = await documents.markFingerprinted(transaction, written.toSorted(byDocument));
      // Those that were gone before as well: an earlier call that was cut off may have written chunks of them.
      await removed.note(transaction, [...new Set(documentIds.filter((id) => !existing.has(id)))]);
      return {
        marked: existing.size,
        chunks: written.reduce((sum, { borders }) => sum + borders.utf16.length - 1, 0),
      };
    });
    metrics.documentsFingerprinted.inc(marked);
    return chunks;
  };
}

/** Documents that are cut together: while their chunks are written, the next are cut. */
const GROUP_DOCUMENTS = 100;
const GROUPS_AHEAD = 1;

function cutInGroups(
  parts: FingerprintParts,
  documentIds: readonly string[],
): AsyncIterable<readonly IndexedDocument[]> {
  const limits = { countMax: GROUP_DOCUMENTS, sizeMax: Number.POSITIVE_INFINITY, sizeOf: () => 0 };
  return mapConcurrently(groupItems(documentIds, limits), 1 + GROUPS_AHEAD, (ids) =>
    cutDocuments(parts, ids),
  );
}

/** Both, one group after the other; `note` is told of each. */
async function* noted<T>(first: T, rest: AsyncIterable<T>, note: (group: T) => void): AsyncGenerator<T> {
  note(first);
  yield first;
  for await (const group of rest) {
    note(group);
    yield group;
  }
}

type Marked = { readonly documentId: string };

/** In a fixed order: two that mark the same documents wait for each other in no circle. */
function byDocument(a: Marked, b: Marked): number {
  return a.documentId < b.documentId ? -1 : 1;
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
