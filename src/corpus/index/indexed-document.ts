import type { MeaningTerms } from "../../matching/meaning/meaning-terms.ts";
import type { BulkItem } from "../../platform/opensearch/bulk-writer.ts";
import type { FingerprintedChunk } from "../../text/fingerprint-text.ts";
import type { Document } from "../documents/document.ts";
import { chunkId } from "./chunk-search.ts";

export type IndexedDocument = {
  readonly document: IndexedFacts;
  readonly chunks: readonly FingerprintedChunk[];
  /** The semantic terms of those chunks that have some, by number. */
  readonly meaningTerms: MeaningTerms;
  /** Only for a member of a batch: the filter of its searches. */
  readonly member?: IndexedMember;
};

/** The place of a text in its batch. Members of one group are not compared. */
type IndexedMember = {
  readonly batchId: string;
  readonly ordinal: number;
  readonly group: string | null;
};

/** The data of a text that is stored with its chunks. */
type IndexedFacts = Pick<
  Document,
  "documentId" | "title" | "language" | "mediaType" | "sourceUrl" | "createdAt"
> &
  Partial<Pick<Document, "collection" | "group" | "owner">> & {
    readonly scope: Document["scope"] | "member";
  };

/** The chunks of a document as the index stores them. */
export function toItems({ document, chunks, meaningTerms, member }: IndexedDocument): BulkItem[] {
  return chunks.map((chunk) => ({
    id: chunkId({ documentId: document.documentId, chunkIndex: chunk.index }),
    routing: document.documentId,
    body: {
      document_id: document.documentId,
      chunk_index: chunk.index,
      scope: document.scope,
      ...optionalFields(document),
      title: document.title,
      language: document.language,
      media_type: document.mediaType,
      source_url: document.sourceUrl,
      ingested_at: document.createdAt.toISOString(),
      word_count: chunk.wordCount,
      char_count: chunk.charCount,
      fingerprint: chunk.form,
      ...(meaningTerms.has(chunk.index) && { semantic_terms: meaningTerms.get(chunk.index) }),
      ...(member && { batch_id: member.batchId, member_ordinal: member.ordinal, member_group: member.group }),
    },
  }));
}

/** The fields that `selectedChunks` filters by, as far as the document has them. */
function optionalFields({ collection, group, owner }: IndexedFacts): Readonly<Record<string, string>> {
  return {
    ...(collection && { collection }),
    ...(group && { group }),
    ...(owner && { owner }),
  };
}
