import type { JobQueue } from "../../platform/job-queue.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { FINGERPRINT_QUEUE } from "../document.ts";
import type { DocumentStore } from "../document-store.ts";
import { documentNotFound } from "../read-document.ts";

/** Deletes an uploaded document. @throws DomainError `document_not_found`. */
export type DeleteDocument = (documentId: string) => Promise<void>;

type Parts = { readonly database: Database; readonly documents: DocumentStore; readonly queue: JobQueue };

/**
 * Makes the use case. When it returns, the row is gone and with it every possibility of a match: checks only report
 * documents that have one. The chunks follow in the background, also when OpenSearch is down at the moment: the database
 * has noted them.
 */
export function createDeleteDocument({ database, documents, queue }: Parts): DeleteDocument {
  return (documentId) =>
    database.transaction(async (transaction) => {
      if (!(await documents.deleteUploaded(transaction, documentId))) {
        throw documentNotFound(documentId);
      }
      await queue.forget(FINGERPRINT_QUEUE, documentId, transaction);
    });
}
