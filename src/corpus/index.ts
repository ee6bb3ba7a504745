export { corpusOperations } from "./api/operations.ts";
export { corpusRouter } from "./api/routes.ts";
export { ChunkIndex, type ChunkIndexState, OUTDATED_INDEX } from "./chunk-index/chunk-index.ts";
export type { ChunkHit, ChunkSearch } from "./chunk-index/chunk-search.ts";
export { DEFAULT_LAYOUT, type IndexLayout } from "./chunk-index/index-layout.ts";
export { IndexVersions } from "./chunk-index/index-versions.ts";
export { createCorpusMetrics } from "./corpus-metrics.ts";
export { type Document, FINGERPRINT_QUEUE, type Origin, type SourceDocument } from "./document.ts";
export { DocumentStore, type MatchableDocument } from "./document-store.ts";
export { folderCollection, realFolder } from "./folder/folder-root.ts";
export { createIngestFolder, GOES_ON } from "./folder/ingest-folder.ts";
export type { FolderIngest } from "./folder/ingest-tally.ts";
export { FrequentShingleStore } from "./frequencies/frequent-shingle-store.ts";
export { FrequentShingles } from "./frequencies/frequent-shingles.ts";
export { createListFrequentShingles } from "./frequencies/list-frequent-shingles.ts";
export { createMeasureFrequencies, type MeasureFrequencies } from "./frequencies/measure-frequencies.ts";
export { createMeasureSaving } from "./frequencies/measure-saving.ts";
export { createDeleteDocument } from "./ingest/delete-document.ts";
export { createFingerprintDocuments, type FingerprintDocuments } from "./ingest/fingerprint-documents.ts";
export { createIngestDocuments, type IngestDocuments, type Ingested } from "./ingest/ingest-documents.ts";
export { createPipeline, type Pipeline, type PipelineDocument } from "./ingest/pipeline.ts";
export { createUploadDocument } from "./ingest/upload-document.ts";
export { createReadDocument } from "./read-document.ts";
export { createReadExcerpt, type ReadExcerpt } from "./read-excerpt.ts";
export {
  createRebuildIndex,
  type RebuildIndex,
  type RebuildInput,
  type RebuildOutcome,
} from "./rebuild/rebuild-index.ts";
export { createRestoreIndex } from "./rebuild/restore-index.ts";
export { createReconcile, type Reconcile } from "./reconciliation/reconcile.ts";
export { createSweepRemoved, type SweepRemoved } from "./reconciliation/sweep-removed.ts";
export { Upkeep } from "./reconciliation/upkeep.ts";
export { RemovedDocuments } from "./removed-documents.ts";
export { createSampleCorpusLoader, type SampleCorpusLoader } from "./sample-corpus/load-sample-corpus.ts";
export {
  type CorpusStatistics,
  createRefreshStatistics,
  type RefreshStatistics,
} from "./statistics/refresh-statistics.ts";
export { type TextRange, TextStore } from "./text-store.ts";
