import type { MediaType } from "../extract/text/extracted-text.ts";
import type { PackedDocument } from "../matching/tasks.ts";
import type { TextLanguage } from "../platform/detect-language.ts";

/** The only tenant. Documents without a tenant belong to the platform: the sample corpus and bulk loads. */
export const TENANT = "default";

/** Most code points of a document: a book of 5,000 pages, which is cut into chunks in about 10 s. */
export const DOCUMENT_CHARS_MAX = 20_000_000;

/** So many documents are counted exactly, in about 15 ms; beyond, the planner's estimate is close enough. */
export const COUNTED_EXACTLY_MAX = 100_000;

export const FINGERPRINT_QUEUE = "fingerprint-document";

export const FINGERPRINT_STATUSES = ["pending", "fingerprinted"] as const;
export type FingerprintStatus = (typeof FINGERPRINT_STATUSES)[number];

/** How a document was added: through the API, or in bulk, identified by its path in a collection. */
export type Origin =
  | { readonly scope: "uploaded" }
  | { readonly scope: "platform"; readonly collection: string; readonly path: string };

type DocumentFacts = {
  readonly filename: string;
  readonly title: string;
  readonly sourceUrl: string | null;
  readonly sizeBytes: number;
  /** Of the file's bytes, in hexadecimal. */
  readonly sha256: string;
};

/** A document with its extracted text, before it is stored. */
export type SourceDocument = DocumentFacts & {
  readonly origin: Origin;
  readonly mediaType: MediaType;
  /** Detected when it is undefined. */
  readonly language: string | undefined;
  readonly text: string;
};

/** A document to be stored, its text measured and compressed. */
export type NewDocument = Omit<SourceDocument, "text" | "language"> & PackedDocument;

/** A document of the corpus without its text. */
export type Document = DocumentFacts &
  TextLanguage & {
    readonly documentId: string;
    readonly scope: Origin["scope"];
    readonly mediaType: string;
    readonly charCount: number;
    readonly wordCount: number;
    /** 0 while it is pending. */
    readonly chunkCount: number;
    readonly fingerprintStatus: FingerprintStatus;
    /** `encoded` once it can be matched by its meaning too. */
    readonly semanticStatus: "pending" | "encoded";
    readonly createdAt: Date;
    readonly fingerprintedAt: Date | null;
  };
