import type { OpenSearch } from "../../platform/opensearch/opensearch.ts";
import { removeChunks } from "../chunk-index/remove-chunks.ts";
import { countChunksOf } from "./chunk-counts.ts";

/** A document with the number of chunks that it should have. */
export type CountedDocument = { readonly documentId: string; readonly chunkCount: number };

/**
 * Removes what an index holds of these documents, `COUNT_PAGE` of them at most, beside their chunks 0 to `chunkCount` - 1,
 * which stay findable all the while.
 * @throws DomainError `store_unavailable`, also when something of it was written to meanwhile and is still there.
 */
export async function removeSurplusChunks(
  opensearch: OpenSearch,
  index: string,
  documents: readonly CountedDocument[],
): Promise<void> {
  const ids = documents.map(({ documentId }) => documentId);
  const counts = await countChunksOf(opensearch, index, ids);
  for (const { documentId, chunkCount } of documents) {
    if ((counts.get(documentId) ?? 0) <= chunkCount) continue;
    const keptIds = Array.from({ length: chunkCount }, (_, position) => `${documentId}:${position}`);
    await removeChunks(opensearch, { index, documentIds: [documentId], isRouted: false, keptIds });
  }
}
