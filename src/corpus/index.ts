export { type ChunkHit, ChunkIndex, type ChunkSearch } from "./chunk-index.ts";
export { createDeleteDocument } from "./delete-document.ts";
export { DocumentStore, type MatchableDocument } from "./document-store.ts";
export { createFingerprintDocuments, type FingerprintDocuments } from "./fingerprint-document.ts";
export { createIngestDocument, type IngestDocument } from "./ingest-document.ts";
export { createSampleCorpusLoader, type SampleCorpusLoader } from "./load-sample-corpus.ts";
export { corpusOperations } from "./operations.ts";
export { corpusRouter } from "./routes.ts";
export { createUploadDocument } from "./upload-document.ts";
