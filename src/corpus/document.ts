import type { MediaType } from "../platform/extract/extracted-text.ts";
import type { PackedSection } from "../platform/packed-text.ts";

/**
 * The tenant that uploaded documents belong to. There is one; documents without a tenant are the platform's: the
 * sample corpus and what came in bulk.
 */
export const TENANT = "default";

/** The queue whose jobs fingerprint uploaded documents. */
export const FINGERPRINT_QUEUE = "fingerprint-document";

/** The longest text of a document, in code points: a book of 5,000 pages. It is cut into chunks in about 10 s. */
export const DOCUMENT_CHARS_MAX = 20_000_000;

export type FingerprintStatus = "pending" | "fingerprinted";

/** Where a document came from: through the API, or in bulk, known there by its path in a collection. */
export type Origin =
  | { readonly scope: "uploaded" }
  | { readonly scope: "platform"; readonly collection: string; readonly path: string };

/** What is known of a document beside its text. */
type DocumentFacts = {
  readonly filename: string;
  readonly title: string;
  readonly language: string;
  readonly sourceUrl: string | null;
  readonly sizeBytes: number;
  /** Of the file's bytes, in hexadecimal. */
  readonly sha256: string;
};

/** A document as a source gives it, its text extracted. */
export type SourceDocument = DocumentFacts & {
  readonly origin: Origin;
  readonly mediaType: MediaType;
  readonly text: string;
};

/** A document that is to be stored, its text measured and compressed. */
export type NewDocument = Omit<SourceDocument, "text"> & {
  /** In code points. */
  readonly charCount: number;
  readonly wordCount: number;
  /** In UTF-8. */
  readonly textBytes: number;
  readonly sections: readonly PackedSection[];
};

/** A document of the corpus without its text. */
export type Document = DocumentFacts & {
  readonly documentId: string;
  readonly scope: Origin["scope"];
  readonly mediaType: string;
  readonly charCount: number;
  readonly wordCount: number;
  /** 0 while it is pending. */
  readonly chunkCount: number;
  readonly fingerprintStatus: FingerprintStatus;
  readonly createdAt: Date;
  readonly fingerprintedAt: Date | null;
};

/** How a text is cut: where each chunk begins, and the text's end. */
export type ChunkBorders = {
  /** In UTF-16 units: one more than there are chunks. */
  readonly utf16: readonly number[];
  /** The same in code points. */
  readonly codePoints: readonly number[];
};
