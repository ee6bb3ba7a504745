import type { ComputePool } from "../../compute/compute-pool.ts";
import type { RetryPolicy } from "../../platform/flow/retry-policy.ts";
import type { Logger } from "../../platform/logger.ts";
import type { OpenSearch } from "../../platform/opensearch/opensearch.ts";
import type { Database } from "../../platform/postgres/database.ts";
import type { ChunkIndex } from "../chunk-index/chunk-index.ts";
import type { IndexVersion, IndexVersions } from "../chunk-index/index-versions.ts";
import type { DocumentStore } from "../document-store.ts";
import type { SweepRemoved } from "../reconciliation/sweep-removed.ts";
import type { RemovedDocuments } from "../removed-documents.ts";
import type { TextStore } from "../text-store.ts";
import type { RebuildSession } from "./rebuild-session.ts";

export type FillParts = {
  readonly database: Database;
  readonly opensearch: OpenSearch;
  readonly documents: DocumentStore;
  readonly texts: TextStore;
  readonly removed: RemovedDocuments;
  readonly compute: ComputePool;
  readonly chunkIndex: ChunkIndex;
  readonly indexVersions: IndexVersions;
  readonly sweepRemoved: SweepRemoved;
  readonly log: Logger;
};

/** One run of a rebuild, as far as it fills an index. */
export type Filling = {
  readonly parts: FillParts;
  readonly session: RebuildSession;
  /** The index that is filled. */
  readonly target: IndexVersion;
  /** Whether the standing index can't be searched: then pending documents are waiting for this rebuild as well. */
  readonly includesPending: boolean;
  readonly withPatience: RetryPolicy;
  /** Told the number of chunks that were written. */
  readonly onCopied: (chunks: number) => void;
  readonly say: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
};
