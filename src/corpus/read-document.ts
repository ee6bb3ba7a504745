import type { ComputePool } from "../compute/compute-pool.ts";
import { DomainError } from "../core/domain-error.ts";
import type { Database } from "../platform/postgres/database.ts";
import type { Document } from "./document.ts";
import type { DocumentStore } from "./document-store.ts";
import type { TextStore } from "./text-store.ts";

/** An uploaded document with its text. @throws DomainError `document_not_found`. */
export type ReadDocument = (documentId: string) => Promise<Document & { readonly extractedText: string }>;

type Parts = {
  readonly database: Database;
  readonly documents: DocumentStore;
  readonly texts: TextStore;
  readonly compute: ComputePool;
};

export function createReadDocument({ database, documents, texts, compute }: Parts): ReadDocument {
  return async (documentId) => {
    const document = await documents.findUploaded(database, documentId);
    const sections = (await texts.findAll(database, [documentId])).get(documentId);
    if (document === undefined || sections === undefined) throw documentNotFound(documentId);
    return { ...document, extractedText: await compute.run("unpackDocument", sections) };
  };
}

export function documentNotFound(documentId: string): DomainError {
  return new DomainError("document_not_found", `There is no uploaded document ${documentId}.`);
}
