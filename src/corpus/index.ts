// The part of the corpus that other features use. The service imports the files themselves.
export { IndexedWords } from "./corpus-set.ts";
export { type CorpusSelection, readChunkSpans } from "./documents/document-store.ts";
export { type MeaningStore, readSectionsIn, readSectionsOf } from "./documents/meaning-store.ts";
export type { CleanUpTombstones, Tombstones } from "./documents/tombstones.ts";
export type { ChunkIndex } from "./index/chunk-index.ts";
export type { CorpusStores } from "./index/corpus-stores.ts";
export type { FrequentShingles } from "./index/frequent-shingle-store.ts";
export type { IndexedDocument } from "./index/indexed-document.ts";
export type { IngestDocuments } from "./ingest/ingest-documents.ts";
export type { EncoderModels } from "./meaning/encoder-models.ts";
export type { ReadExcerpt } from "./read-excerpt.ts";
