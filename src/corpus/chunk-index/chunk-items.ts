import type { FingerprintedChunk } from "../../core/fingerprint/fingerprint-text.ts";
import type { BulkItem } from "../../platform/opensearch/bulk-writer.ts";
import type { Document } from "../document.ts";

/** A document with the chunks it was cut into. */
export type IndexedDocument = {
  readonly document: Document;
  readonly chunks: readonly FingerprintedChunk[];
};

/** A document's chunks as the index has them. Their ids are made of document and chunk, so that writing them again changes nothing. */
export function toItems({ document, chunks }: IndexedDocument): BulkItem[] {
  return chunks.map((chunk) => ({
    id: `${document.documentId}:${chunk.index}`,
    routing: document.documentId,
    body: {
      document_id: document.documentId,
      chunk_index: chunk.index,
      scope: document.scope,
      title: document.title,
      language: document.language,
      media_type: document.mediaType,
      source_url: document.sourceUrl,
      ingested_at: document.createdAt.toISOString(),
      word_count: chunk.wordCount,
      char_count: chunk.charCount,
      fingerprint: chunk.form,
    },
  }));
}
