import type { MediaType } from "../../extract/text/extracted-text.ts";
import type { PackedDocument } from "../../matching/preparation-tasks.ts";
import type { TextLanguage } from "../../platform/detect-language.ts";
import { DomainError } from "../../platform/domain-error.ts";
import type { PageNote } from "../../text/page-notes.ts";

/** The only tenant. Documents without a tenant belong to the platform: the sample corpus and bulk loads. */
export const TENANT = "default";

/** Most code points of a document: a book of 5,000 pages, which is cut into chunks in about 10 s. */
export const DOCUMENT_CHARS_MAX = 20_000_000;

/** Up to this number, documents are counted exactly, in about 15 ms. For more, the planner's estimate is close enough. */
export const COUNTED_EXACTLY_MAX = 100_000;

/** Longer documents, which are cut in several parts, have a queue and a worker of their own, so no other waits until one is done. */
const SHORT_DOCUMENT_CHARS_MAX = 1_000_000;

export const FINGERPRINT_QUEUE = "fingerprint-document";
export const LONG_FINGERPRINT_QUEUE = "fingerprint-long-document";

export const FINGERPRINT_QUEUES: readonly string[] = [FINGERPRINT_QUEUE, LONG_FINGERPRINT_QUEUE];

export function fingerprintQueueOf({ charCount }: Pick<Document, "charCount">): string {
  return charCount > SHORT_DOCUMENT_CHARS_MAX ? LONG_FINGERPRINT_QUEUE : FINGERPRINT_QUEUE;
}

/*
 * The states of a document. They follow from its rows in PostgreSQL, and the content of the index follows them.
 *
 * - pending: the text is stored, and `pending_documents` has a row. Checks do not find the document.
 *   When its chunks are findable in the index, move to fingerprinted: one transaction writes `document_chunks`, deletes the row
 *   of `pending_documents` and adds one to `semantic_backlog`.
 * - fingerprinted: checks find the document by its words.
 *   When its sentences are stored and their terms are in the index, move to encoded: one transaction writes `semantic_documents`
 *   and deletes the row of `semantic_backlog`. When its sentences can't be encoded, stay, and try again after `retry_at`.
 * - encoded: checks find the document by its meaning, too.
 *   When another generation of fingerprints is added, stay, and wait in `semantic_backlog` for that generation as well.
 *
 * From fingerprinted or encoded, when the language of the document is corrected, move to pending: its chunks, sections and marks
 * are deleted. The correction is refused while the document is pending, or a worker encodes it.
 * When its chunks are found to be missing in the index, stay: reconciliation writes them again.
 *
 * From each state, when the document is deleted, its rows are deleted, and a trigger adds a row to `removed_documents`: reports no
 * longer show the document. When no index holds chunks of it, that row is deleted.
 */

export const FINGERPRINT_STATUSES = ["pending", "fingerprinted"] as const;
export type FingerprintStatus = (typeof FINGERPRINT_STATUSES)[number];

/** How a document was added: through the API, or in bulk, identified by its path in a collection. */
export type Origin =
  | { readonly scope: "uploaded"; readonly collection?: string | undefined }
  | { readonly scope: "platform"; readonly collection: string; readonly path: string };

type DocumentFacts = {
  readonly filename: string;
  readonly title: string;
  /** Null where its file names none. */
  readonly author: string | null;
  readonly sourceUrl: string | null;
  readonly sizeBytes: number;
  /** The hash of the file's bytes, in hexadecimal. */
  readonly sha256: string;
};

/** Whose text it is and what it belongs to, such as an assignment: strings of the caller's choice. */
type Belonging = { readonly group: string | null; readonly owner: string | null };

/** A document with its extracted text, before it is stored. */
export type SourceDocument = Omit<DocumentFacts, "author"> & {
  readonly author?: string | null | undefined;
  readonly origin: Origin;
  /** Belongs to nobody when it is undefined. */
  readonly belonging?: Belonging | undefined;
  readonly mediaType: MediaType;
  /** Detected when it is undefined. */
  readonly language: string | undefined;
  readonly text: string;
  readonly pageNotes?: readonly PageNote[];
};

/** A document to be stored, its text measured and compressed. */
export type NewDocument = Omit<SourceDocument, "text" | "language"> & PackedDocument;

/** A document of the corpus without its text. */
export type Document = DocumentFacts &
  Belonging &
  TextLanguage & {
    readonly documentId: string;
    readonly scope: Origin["scope"];
    /** Null for an upload without one. */
    readonly collection: string | null;
    readonly mediaType: string;
    readonly charCount: number;
    readonly wordCount: number;
    /** 0 while it is pending. */
    readonly chunkCount: number;
    readonly fingerprintStatus: FingerprintStatus;
    /** `encoded` once it can be matched by its meaning too. */
    readonly semanticStatus: "pending" | "encoded";
    readonly pageNotes: readonly PageNote[] | null;
    readonly createdAt: Date;
    readonly fingerprintedAt: Date | null;
  };

export function documentNotFound(documentId = "with this identifier"): DomainError {
  return new DomainError("document_not_found", `There is no uploaded document ${documentId}.`);
}
