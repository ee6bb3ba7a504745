import type * as tasks from "../../matching/tasks.ts";
import type { Compute } from "../../platform/compute-pool.ts";
import type { Logger } from "../../platform/logger.ts";
import type { OpenSearch } from "../../platform/opensearch/opensearch.ts";
import type { Database } from "../../platform/postgres/database.ts";
import type { JobQueue } from "../../platform/postgres/job-queue.ts";
import type { Webhooks } from "../../platform/webhooks/webhooks.ts";
import type { DocumentStore } from "../documents/document-store.ts";
import type { MeaningStore } from "../documents/meaning-store.ts";
import type { TextStore } from "../documents/text-store.ts";
import type { Tombstones } from "../documents/tombstones.ts";
import type { ChunkIndex } from "./chunk-index.ts";
import type { CorpusMetrics } from "./corpus-metrics.ts";
import type { FrequentShingleStore } from "./frequent-shingle-store.ts";
import type { IndexVersions } from "./index-versions.ts";

/** The stores of the corpus, and the queue, threads, counters and log that its use cases share. */
export type CorpusStores = {
  readonly databaseUrl: string;
  readonly database: Database;
  readonly opensearch: OpenSearch;
  readonly queue: JobQueue;
  readonly webhooks: Webhooks;
  readonly compute: Compute<typeof tasks>;
  readonly documents: DocumentStore;
  readonly texts: TextStore;
  readonly meaning: MeaningStore;
  readonly tombstones: Tombstones;
  readonly chunkIndex: ChunkIndex;
  readonly indexVersions: IndexVersions;
  readonly frequentShingleStore: FrequentShingleStore;
  readonly metrics: CorpusMetrics;
  readonly log: Logger;
};

/** Where a command reports its progress, and the signal that stops it. */
export type CommandOutput = {
  readonly say: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
};
