import { createHash } from "node:crypto";
import { basename, extname } from "node:path";
import type { ComputePool } from "../compute/compute-pool.ts";
import { DomainError } from "../core/domain-error.ts";
import { MEDIA_TYPES } from "../platform/extract/extracted-text.ts";
import type { Extractor } from "../platform/extract/extractor.ts";
import type { JobQueue } from "../platform/job-queue.ts";
import type { Database } from "../platform/postgres/database.ts";
import { DOCUMENT_CHARS_MAX, type Document, FINGERPRINT_QUEUE } from "./document.ts";
import type { DocumentStore } from "./document-store.ts";
import type { IngestDocuments } from "./ingest/ingest-documents.ts";
import type { TextStore } from "./text-store.ts";

type UploadInput = {
  readonly file: { readonly filename: string; readonly bytes: Uint8Array };
  readonly title: string | undefined;
  readonly language: string;
  readonly sourceUrl: string | undefined;
  /** Aborted when the client is gone. */
  readonly signal: AbortSignal;
};

/** Adds a file to the corpus. `added` is false when the same bytes were uploaded before. */
export type UploadDocument = (
  input: UploadInput,
) => Promise<{ readonly document: Document; readonly added: boolean }>;

type UploadParts = {
  readonly database: Database;
  readonly documents: DocumentStore;
  readonly extractor: Extractor;
  readonly ingestDocuments: IngestDocuments;
};

/** Bytes that were uploaded before return their document and are not read again. */
export function createUploadDocument(parts: UploadParts): UploadDocument {
  const { database, documents, extractor, ingestDocuments } = parts;
  return async ({ file, title, language, sourceUrl, signal }) => {
    const sha256 = createHash("sha256").update(file.bytes).digest("hex");
    const known = await documents.findTwin(database, { scope: "uploaded" }, sha256);
    if (known !== undefined) return { document: known, added: false };

    const options = { filename: file.filename, accept: MEDIA_TYPES, textCharsMax: DOCUMENT_CHARS_MAX };
    const { text, mediaType } = await extractor.extract(file.bytes, options, signal);
    const [ingested] = await ingestDocuments([
      {
        origin: { scope: "uploaded" },
        filename: file.filename,
        title: title ?? (basename(file.filename, extname(file.filename)) || file.filename),
        mediaType,
        language,
        sourceUrl: sourceUrl ?? null,
        sizeBytes: file.bytes.length,
        sha256,
        text,
      },
    ]);
    if (ingested === undefined) throw new Error("the ingest of one document returned none");
    return { document: ingested.document, added: ingested.outcome === "added" };
  };
}

/** An uploaded document with its text. @throws DomainError `document_not_found`. */
export type ReadDocument = (documentId: string) => Promise<Document & { readonly extractedText: string }>;

type ReadParts = {
  readonly database: Database;
  readonly documents: DocumentStore;
  readonly texts: TextStore;
  readonly compute: ComputePool;
};

export function createReadDocument({ database, documents, texts, compute }: ReadParts): ReadDocument {
  return async (documentId) => {
    const document = await documents.findUploaded(database, documentId);
    const sections = (await texts.findAll(database, [documentId])).get(documentId);
    if (document === undefined || sections === undefined) throw documentNotFound(documentId);
    return { ...document, extractedText: await compute.run("unpackDocument", sections) };
  };
}

/** Deletes an uploaded document. @throws DomainError `document_not_found`. */
export type DeleteDocument = (documentId: string) => Promise<void>;

type DeleteParts = {
  readonly database: Database;
  readonly documents: DocumentStore;
  readonly queue: JobQueue;
};

/** Checks only report documents that have a row. A tombstone removes the chunks in the background. */
export function createDeleteDocument({ database, documents, queue }: DeleteParts): DeleteDocument {
  return (documentId) =>
    database.transaction(async (transaction) => {
      if (!(await documents.deleteUploaded(transaction, documentId))) throw documentNotFound(documentId);
      await queue.forget(FINGERPRINT_QUEUE, documentId, transaction);
    });
}

function documentNotFound(documentId: string): DomainError {
  return new DomainError("document_not_found", `There is no uploaded document ${documentId}.`);
}
