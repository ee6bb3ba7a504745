import type { Database, Queryable } from "../platform/postgres/database.ts";
import type { JobQueue } from "../platform/queue/job-queue.ts";
import type { Document, NewDocument } from "./document.ts";
import type { DocumentStore } from "./document-store.ts";

export type IngestParts = {
  readonly database: Database;
  readonly documents: DocumentStore;
  readonly queue: JobQueue;
};

/** `document` is the one that the corpus has now; `added` is false when it had it before. */
export type Ingested = { readonly document: Document; readonly added: boolean };

/** Puts a document into the corpus, to be fingerprinted in the background. */
export type IngestDocument = (document: NewDocument) => Promise<Ingested>;

/**
 * Makes the use case. The row and its job come into being together, so no document waits for ever.
 * Of two simultaneous ingests of the same bytes (uploads) or path (bulk), one adds and the other finds.
 */
export function createIngestDocument({ database, documents, queue }: IngestParts): IngestDocument {
  return async (document) => {
    // Twice is only needed when the document that is in the way is deleted before it is looked up.
    for (;;) {
      const added = await database.transaction(async (transaction: Queryable) => {
        const row = await documents.insert(transaction, document);
        if (row !== undefined) await queue.enqueue("fingerprint-document", row.documentId, transaction);
        return row;
      });
      if (added !== undefined) return { document: added, added: true };
      const known = await documents.findTwin(database, document);
      if (known !== undefined) return { document: known, added: false };
    }
  };
}
