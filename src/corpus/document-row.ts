import type { Document } from "./document.ts";

export const DOCUMENT_COLUMNS = `documents.document_id, tenant, filename, title, media_type, language, source_url, size_bytes,
  encode(sha256, 'hex') as sha256, char_count, word_count, created_at, coalesce(chunk_count, 0) as chunk_count, fingerprinted_at`;
export const DOCUMENT_TABLES = "documents left join document_chunks using (document_id)";

export type DocumentRow = {
  document_id: string;
  tenant: string | null;
  filename: string;
  title: string;
  media_type: string;
  language: string;
  source_url: string | null;
  size_bytes: number;
  sha256: string;
  char_count: number;
  word_count: number;
  chunk_count: number;
  created_at: Date;
  fingerprinted_at: Date | null;
};

export function toDocument(row: DocumentRow): Document {
  return {
    documentId: row.document_id,
    scope: row.tenant === null ? "platform" : "uploaded",
    filename: row.filename,
    title: row.title,
    mediaType: row.media_type,
    language: row.language,
    sourceUrl: row.source_url,
    sizeBytes: row.size_bytes,
    sha256: row.sha256,
    charCount: row.char_count,
    wordCount: row.word_count,
    chunkCount: row.chunk_count,
    fingerprintStatus: row.fingerprinted_at === null ? "pending" : "fingerprinted",
    createdAt: row.created_at,
    fingerprintedAt: row.fingerprinted_at,
  };
}
