import { Counter, type Registry } from "prom-client";
import type * as tasks from "../../matching/preparation-tasks.ts";
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

type CorpusMetrics = ReturnType<typeof createCorpusMetrics>;

/** Counters that alerts use start at 0: Prometheus sees no increase in a series that its first event creates. */
export function createCorpusMetrics(registry: Registry) {
  const registers = [registry];
  const incompleteSearches = new Counter({
    name: "similarity_incomplete_searches_total",
    help: "Searches of the corpus with an incomplete answer, by reason: timed_out, shards_missing or refused",
    labelNames: ["reason"],
    registers,
  });
  for (const reason of ["timed_out", "shards_missing", "refused"]) incompleteSearches.inc({ reason }, 0);
  return {
    incompleteSearches,
    documentsFingerprinted: new Counter({
      name: "similarity_documents_fingerprinted_total",
      help: "Corpus documents that became matchable",
      registers,
    }),
    documentsEncoded: new Counter({
      name: "similarity_documents_encoded_total",
      help: "Corpus documents that became matchable by meaning",
      registers,
    }),
    sentencesEncoded: new Counter({
      name: "similarity_sentences_encoded_total",
      help: "Sentences of corpus documents that were encoded",
      registers,
    }),
    documentsMended: new Counter({
      name: "similarity_documents_mended_total",
      help: "Corpus documents whose index and rows disagreed and were reconciled, by kind",
      labelNames: ["kind"],
      registers,
    }),
  };
}

/** Where a command reports its progress, and the signal that stops it. */
export type CommandOutput = {
  readonly say: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
};
