import type { ComputePool } from "../matching/compute-pool.ts";
import type { Logger } from "../platform/logger.ts";
import type { OpenSearch } from "../platform/opensearch/opensearch.ts";
import type { Database } from "../platform/postgres/database.ts";
import type { JobQueue } from "../platform/postgres/job-queue.ts";
import type { Webhooks } from "../platform/webhooks/index.ts";
import type { CorpusMetrics } from "./corpus-metrics.ts";
import type { DocumentStore } from "./document-store.ts";
import type { ChunkIndex } from "./index/chunk-index.ts";
import type { IndexVersions } from "./index/index-versions.ts";
import type { SemanticStore } from "./meaning/semantic-store.ts";
import type { TextStore } from "./text-store.ts";
import type { Tombstones } from "./tombstones.ts";

/** The parts from which the use cases of the corpus are made; each names those that it needs. */
export type CorpusParts = {
  readonly databaseUrl: string;
  readonly database: Database;
  readonly opensearch: OpenSearch;
  readonly queue: JobQueue;
  readonly webhooks: Webhooks;
  readonly compute: ComputePool;
  readonly documents: DocumentStore;
  readonly texts: TextStore;
  readonly semantics: SemanticStore;
  readonly tombstones: Tombstones;
  readonly chunkIndex: ChunkIndex;
  readonly indexVersions: IndexVersions;
  readonly metrics: CorpusMetrics;
  readonly log: Logger;
};

/** Of work that a person follows and may stop. */
export type Told = {
  readonly say: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
};
