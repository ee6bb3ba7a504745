import type { Database } from "../../platform/postgres/database.ts";
import type { ChunkIndex } from "../chunk-index/chunk-index.ts";
import type { RemovedDocuments } from "../removed-documents.ts";
import { isUuid } from "./compare-index.ts";
import type { SweepRemoved } from "./sweep-removed.ts";

type Parts = {
  readonly database: Database;
  readonly removed: RemovedDocuments;
  readonly chunkIndex: ChunkIndex;
};

/**
 * Removes chunks whose document has no row: it was deleted unnoticed, or somebody else has put them there.
 * @throws DomainError `store_unavailable`; what was not removed is noted, or found again.
 */
export async function removeExtraChunks(
  { database, removed, chunkIndex }: Parts,
  documentIds: readonly string[],
  sweep: SweepRemoved,
): Promise<void> {
  await removed.note(database, documentIds.filter(isUuid));
  await sweep();
  // What is of another making has no place among the notes, which hold UUIDs, and may lie on any shard.
  await chunkIndex.removeStray(documentIds);
}
