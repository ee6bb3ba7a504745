import type { z } from "zod";
import type { Document } from "../documents/document.ts";
import type { CorpusCoverage as Coverage } from "../meaning/read-coverage.ts";
import type { CollectionFigures } from "../read-collections.ts";
import type { CollectionList, CorpusCoverage, DocumentMetadata } from "./schema.ts";

export function presentDocument(document: Document): z.output<typeof DocumentMetadata> {
  return {
    document_id: document.documentId,
    filename: document.filename,
    title: document.title,
    media_type: document.mediaType,
    language: document.language,
    language_origin: document.languageOrigin,
    source_url: document.sourceUrl,
    size_bytes: document.sizeBytes,
    sha256: document.sha256,
    char_count: document.charCount,
    word_count: document.wordCount,
    chunk_count: document.chunkCount,
    fingerprint_status: document.fingerprintStatus,
    semantic_status: document.semanticStatus,
    created_at: document.createdAt.toISOString(),
    fingerprinted_at: document.fingerprintedAt?.toISOString() ?? null,
    ...(document.author !== null && { author: document.author }),
    ...(document.pageNotes !== null &&
      document.pageNotes.length > 0 && {
        page_notes: document.pageNotes.map(({ kind, pages }) => ({ kind, pages: [...pages] })),
      }),
    ...(document.collection !== null && { collection: document.collection }),
    ...(document.group !== null && { group: document.group }),
    ...(document.owner !== null && { owner: document.owner }),
  };
}

/** The columns of the list as a table: members of a document. */
export const DOCUMENT_COLUMNS = [
  "document_id",
  "title",
  "filename",
  "media_type",
  "language",
  "language_origin",
  "word_count",
  "char_count",
  "size_bytes",
  "fingerprint_status",
  "source_url",
  "created_at",
  "sha256",
] as const;

export function presentCollections(
  collections: readonly CollectionFigures[],
): z.output<typeof CollectionList> {
  return {
    items: collections.map(({ uploaded, textBytes, newestAt, languages, ...figures }) => ({
      ...figures,
      uploaded_documents: uploaded,
      text_bytes: textBytes,
      languages: { ...languages },
      newest_at: newestAt.toISOString(),
    })),
  };
}

export function presentCoverage(coverage: Coverage): z.output<typeof CorpusCoverage> {
  const { documents, fingerprinted, encoded, reason } = coverage;
  const isNone = reason === "off" || reason === "unavailable" || (reason === "not_encoded" && encoded === 0);
  return {
    documents,
    fingerprinted,
    encoded,
    semantic_coverage: reason === null ? "full" : isNone ? "none" : "partial",
    semantic_coverage_reason: reason,
  };
}

/** The JSON of `DocumentWithText` in pieces, since a text may have tens of megabytes. */
export async function* presentDocumentWithText(
  document: Document,
  text: AsyncIterable<string>,
): AsyncGenerator<Buffer> {
  yield Buffer.from(`${JSON.stringify(presentDocument(document)).slice(0, -1)},"extracted_text":"`);
  for await (const piece of text) yield Buffer.from(JSON.stringify(piece).slice(1, -1));
  yield Buffer.from('"}');
}
