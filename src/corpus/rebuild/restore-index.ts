import { askOpenSearch } from "../../platform/opensearch/opensearch.ts";
import type { Database } from "../../platform/postgres/database.ts";
import type { ChunkIndex } from "../chunk-index/chunk-index.ts";
import type { DocumentStore } from "../document-store.ts";
import type { RebuildIndex } from "./rebuild-index.ts";
import { OtherRebuild } from "./rebuild-session.ts";

/**
 * Makes the chunk index where there is none. Nothing is done where it stands, or while another process is at it.
 * @throws as RebuildIndex.
 */
export type RestoreIndex = (options: {
  readonly say: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
}) => Promise<void>;

type Parts = {
  readonly database: Database;
  readonly documents: DocumentStore;
  readonly chunkIndex: ChunkIndex;
  readonly rebuildIndex: RebuildIndex;
};

/**
 * Makes the use case. An index that was lost comes back only when it is whole: with a part of the corpus in it, checks
 * would say of the whole that they have searched it.
 */
export function createRestoreIndex({ database, documents, chunkIndex, rebuildIndex }: Parts): RestoreIndex {
  return async ({ say, signal }) => {
    if (await askOpenSearch(() => chunkIndex.isPresent())) return;
    // An upgrade may have put other templates since this process began: what is made now is for this release.
    await chunkIndex.putTemplates();
    if ((await documents.countMatchable(database)) === 0) return chunkIndex.createFirst();
    say("The chunk index is missing in OpenSearch; making it anew from PostgreSQL.");
    try {
      await rebuildIndex({ dropOld: false, restart: false, say, signal });
    } catch (error) {
      if (!(error instanceof OtherRebuild)) throw error;
    }
  };
}
