import { createHash } from "node:crypto";
import { basename, extname } from "node:path";
import { MEDIA_TYPES } from "../../platform/extract/extracted-text.ts";
import type { Extractor } from "../../platform/extract/extractor.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { DOCUMENT_CHARS_MAX, type Document } from "../document.ts";
import type { DocumentStore } from "../document-store.ts";
import type { IngestDocuments } from "./ingest-documents.ts";

export type UploadedFile = { readonly filename: string; readonly bytes: Uint8Array };

export type UploadDocumentInput = {
  readonly file: UploadedFile;
  readonly title: string | undefined;
  readonly language: string;
  readonly sourceUrl: string | undefined;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
};

/** `added` is false when the corpus had the document before. */
export type UploadDocument = (
  input: UploadDocumentInput,
) => Promise<{ readonly document: Document; readonly added: boolean }>;

type Parts = {
  readonly database: Database;
  readonly documents: DocumentStore;
  readonly extractor: Extractor;
  readonly ingestDocuments: IngestDocuments;
};

/** Makes the use case: bytes that were uploaded before give the document that they gave then, and are not read again. */
export function createUploadDocument(parts: Parts): UploadDocument {
  const { database, documents, extractor, ingestDocuments } = parts;
  return async ({ file, title, language, sourceUrl, signal }) => {
    const sha256 = createHash("sha256").update(file.bytes).digest("hex");
    const known = await documents.findUploadedByHash(database, sha256);
    if (known !== undefined) return { document: known, added: false };

    const options = { filename: file.filename, accept: MEDIA_TYPES, textCharsMax: DOCUMENT_CHARS_MAX };
    const { text, mediaType } = await extractor.extract(file.bytes, options, signal);
    const [ingested] = await ingestDocuments([
      {
        origin: { scope: "uploaded" },
        filename: file.filename,
        title: title ?? titleOf(file.filename),
        mediaType,
        language,
        sourceUrl: sourceUrl ?? null,
        sizeBytes: file.bytes.length,
        sha256,
        text,
      },
    ]);
    if (ingested === undefined) throw new Error("an ingest of one document gave none");
    return { document: ingested.document, added: ingested.outcome === "added" };
  };
}

/** A title for a file that came without one: its name without the ending. */
function titleOf(filename: string): string {
  return basename(filename, extname(filename)) || filename;
}
