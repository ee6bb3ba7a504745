export { corpusOperations } from "./api/operations.ts";
export { corpusRouter } from "./api/routes.ts";
export { createCorpusMetrics } from "./corpus-metrics.ts";
export type { CorpusParts } from "./corpus-parts.ts";
export { corpusSet, IndexedWords } from "./corpus-set.ts";
export { type Document, FINGERPRINT_QUEUE, type Origin, type SourceDocument } from "./document.ts";
export { DocumentStore, readChunkSpans } from "./document-store.ts";
export { FrequentShingleStore, FrequentShingles } from "./frequencies/frequent-shingle-store.ts";
export {
  createListFrequentShingles,
  createMeasureFrequencies,
  type MeasureFrequencies,
} from "./frequencies/measure-frequencies.ts";
export {
  ChunkIndex,
  type IndexedDocument,
  OUTDATED_INDEX,
  type SemanticTerms,
} from "./index/chunk-index.ts";
export {
  COUNT_PAGE,
  countChunks,
  countChunksAfter,
  countChunksOf,
  type MemberChunk,
  memberChunks,
} from "./index/document-chunks.ts";
export {
  DEFAULT_LAYOUT,
  type IndexLayout,
  IndexVersions,
  replicaSettings,
} from "./index/index-versions.ts";
export { GOES_ON, namedCollection } from "./ingest/collection-ingest.ts";
export {
  chunkOffsetsOf,
  createFingerprintDocuments,
  type FingerprintDocuments,
} from "./ingest/fingerprint-documents.ts";
export { createIngestFolder } from "./ingest/folder/ingest-folder.ts";
export { folderCollection, realFolder } from "./ingest/folder/walk-folder.ts";
export { createIngestDocuments, type IngestDocuments, type Ingested } from "./ingest/ingest-documents.ts";
export type { IngestResult } from "./ingest/ingest-tally.ts";
export { createPipeline, type Pipeline, type PipelineDocument } from "./ingest/pipeline.ts";
export {
  createIngestIndex,
  createIngestSql,
  type IngestIndexInput,
  type IngestSqlInput,
} from "./ingest/records/ingest-sources.ts";
export {
  type Calibrated,
  type CalibrateModel,
  createCalibrateModel,
  type Measured,
  NotCalibrated,
} from "./meaning/calibrate-model.ts";
export { createEncodeDocuments } from "./meaning/encode-documents.ts";
export { createReadCoverage } from "./meaning/read-coverage.ts";
export {
  type NewSemanticModel,
  readSections,
  readSectionsIn,
  SECTION_COLUMNS,
  SemanticStore,
  type StoredSection,
} from "./meaning/semantic-store.ts";
export { semanticTermsOf } from "./meaning/semantic-terms.ts";
export { SemanticWorker } from "./meaning/semantic-worker.ts";
export { type Encoders, Semantics } from "./meaning/semantics.ts";
export { createReadExcerpt, type ReadExcerpt } from "./read-excerpt.ts";
export { createFinishMove } from "./rebuild/changed-documents.ts";
export { createMoveIndex } from "./rebuild/move-index.ts";
export {
  createRebuildIndex,
  createRestoreIndex,
  type RebuildIndex,
  type RebuildInput,
  type RebuildOutcome,
} from "./rebuild/rebuild-index.ts";
export { createReconcile, type Reconcile } from "./reconciliation/reconcile.ts";
export { ReconciliationWorker, RepeatedWork } from "./reconciliation/reconciliation-worker.ts";
export { createSampleCorpusLoader, type SampleCorpusLoader } from "./sample-corpus/load-sample-corpus.ts";
export {
  type CorpusStatistics,
  createRefreshCorpusStatistics,
  type RefreshCorpusStatistics,
} from "./statistics/refresh-corpus-statistics.ts";
export { TextStore } from "./text-store.ts";
export { type CleanUpTombstones, createCleanUpTombstones, Tombstones } from "./tombstones.ts";
export {
  createCorrectLanguage,
  createDeleteDocument,
  createReadDocument,
  createUploadDocument,
} from "./uploaded-documents.ts";
