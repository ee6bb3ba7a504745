import type { MediaType } from "../platform/extract/extract-text.ts";

/**
 * The tenant that uploaded documents belong to. There is one; documents without a tenant are the platform's: the
 * sample corpus and what came in bulk.
 */
export const TENANT = "default";

export type FingerprintStatus = "pending" | "fingerprinted";

/** Where a document came from: through the API, or in bulk, known there by its path in a collection. */
export type Origin =
  | { readonly scope: "uploaded" }
  | { readonly scope: "platform"; readonly collection: string; readonly path: string };

/** A document that is to enter the corpus, its text extracted and measured. */
export type NewDocument = {
  readonly origin: Origin;
  readonly filename: string;
  readonly title: string;
  readonly mediaType: MediaType;
  readonly language: string;
  readonly sourceUrl: string | null;
  readonly sizeBytes: number;
  /** Of the file's bytes, in hexadecimal. */
  readonly sha256: string;
  /** In code points. */
  readonly charCount: number;
  readonly wordCount: number;
  readonly extractedText: string;
};

/** A document of the corpus without its text. */
export type Document = Omit<NewDocument, "extractedText" | "origin" | "mediaType"> & {
  readonly documentId: string;
  readonly scope: Origin["scope"];
  readonly mediaType: string;
  readonly chunkCount: number;
  readonly fingerprintStatus: FingerprintStatus;
  readonly createdAt: Date;
  readonly fingerprintedAt: Date | null;
};
