import { createHash } from "node:crypto";
import { basename, extname } from "node:path";
import type { Extractor } from "../extract/extractor.ts";
import { MEDIA_TYPES } from "../extract/text/extracted-text.ts";
import { DomainError } from "../platform/domain-error.ts";
import { Slots } from "../platform/flow/slots.ts";
import { unpackSectionAsync } from "../platform/packed-text.ts";
import type { Queryable } from "../platform/postgres/database.ts";
import { withoutMargins } from "../text/margins.ts";
import {
  DOCUMENT_CHARS_MAX,
  type Document,
  documentNotFound,
  FINGERPRINT_QUEUES,
  fingerprintQueueOf,
  type SourceDocument,
} from "./documents/document.ts";
import type { CorpusStores } from "./index/corpus-stores.ts";
import type { IngestDocuments } from "./ingest/ingest-documents.ts";

type UploadInput = {
  readonly file: { readonly filename: string; readonly bytes: Uint8Array };
  readonly title: string | undefined;
  /** Detected when it is undefined. */
  readonly language: string | undefined;
  readonly sourceUrl: string | undefined;
  readonly collection: string | undefined;
  readonly belonging: SourceDocument["belonging"];
  /** Aborted when the client is gone. */
  readonly signal: AbortSignal;
};

/** Adds a file to the corpus. `added` is false when the same bytes were uploaded before. */
export type UploadDocument = (
  input: UploadInput,
) => Promise<{ readonly document: Document; readonly added: boolean }>;

/** Bytes that were uploaded before return their document and are not read again. */
export function createUploadDocument(
  { database, documents }: CorpusStores,
  ingestDocuments: IngestDocuments,
  extractor: Extractor,
): UploadDocument {
  return async ({ file, title, language, sourceUrl, collection, belonging, signal }) => {
    const sha256 = createHash("sha256").update(file.bytes).digest("hex");
    const known = await documents.findDuplicate(database, { scope: "uploaded" }, sha256);
    if (known !== undefined) return { document: known, added: false };

    const options = { filename: file.filename, accept: MEDIA_TYPES, textCharsMax: DOCUMENT_CHARS_MAX };
    const { text, mediaType, margins, pageNotes, properties } = await extractor.extract(
      file.bytes,
      options,
      signal,
    );
    const [ingested] = await ingestDocuments([
      {
        origin: { scope: "uploaded", collection },
        belonging,
        filename: file.filename,
        title:
          title ?? properties?.title ?? (basename(file.filename, extname(file.filename)) || file.filename),
        author: properties?.author,
        mediaType,
        language,
        sourceUrl: sourceUrl ?? null,
        sizeBytes: file.bytes.length,
        sha256,
        text: withoutMargins(text, margins),
        pageNotes,
      },
    ]);
    if (ingested === undefined) throw new Error("the ingest of one document returned none");
    return { document: ingested.document, added: ingested.outcome === "added" };
  };
}

/** An uploaded document and the pieces of its text. @throws `document_not_found`; so do the pieces once it is deleted. */
export type ReadDocument = (
  documentId: string,
) => Promise<{ readonly document: Document; readonly text: AsyncIterable<string> }>;

/** Together they have 0.5 million characters, so that a large document takes 20 to 40 queries of a millisecond each. */
const SECTIONS_READ_TOGETHER = 8;

/** Over all documents: more at a time are no faster, and 150 of them delayed every other request by 135 ms. */
const READ_AT_ONCE = 4;

export function createReadDocument({ database, documents, texts }: CorpusStores): ReadDocument {
  const slots = new Slots(READ_AT_ONCE);

  async function readSections(documentId: string, start: number) {
    const sections = await texts.findFrom(database, documentId, start, SECTIONS_READ_TOGETHER);
    const last = sections.at(-1);
    if (last === undefined) throw documentNotFound(documentId);
    return { pieces: await Promise.all(sections.map(unpackSectionAsync)), end: last.start + last.length };
  }

  async function* piecesOf(documentId: string, length: number): AsyncGenerator<string> {
    for (let start = 0; start < length; ) {
      const { pieces, end } = await slots.run(() => readSections(documentId, start));
      yield* pieces;
      start = end;
    }
  }

  return async (documentId) => {
    const document = await documents.findUploaded(database, documentId);
    const length = await texts.findLength(database, documentId);
    if (document === undefined || length === undefined) throw documentNotFound(documentId);
    return { document, text: piecesOf(documentId, length) };
  };
}

/** Deletes an uploaded document. @throws DomainError `document_not_found`. */
export type DeleteDocument = (documentId: string) => Promise<void>;

/** Checks only report documents that have a row. A tombstone removes the chunks in the background. */
export function createDeleteDocument({ database, documents, queue }: CorpusStores): DeleteDocument {
  return (documentId) =>
    database.transaction(async (transaction) => {
      if (!(await documents.deleteUploaded(transaction, documentId))) throw documentNotFound(documentId);
      await queue.forget(FINGERPRINT_QUEUES, [documentId], transaction);
    });
}

/** States the language of an uploaded document. @throws DomainError `document_not_found`, `document_not_ready`. */
export type CorrectLanguage = (documentId: string, language: string) => Promise<Document>;

/**
 * Words and sentences depend on the language, so a new language makes the document pending until its chunks, fingerprints and
 * sentences are made again. A document whose fingerprints are being made is refused: they would belong to the earlier language.
 */
export function createCorrectLanguage(stores: CorpusStores): CorrectLanguage {
  const { database, documents, texts, meaning, chunkIndex, compute, queue } = stores;

  return async (documentId, language) => {
    if ((await documents.findUploaded(database, documentId)) === undefined)
      throw documentNotFound(documentId);
    const sections = (await texts.findAll(database, [documentId])).get(documentId) ?? [];
    const wordCount = await compute.run("countWords", { sections, language });
    return database.transaction(async (transaction) => {
      const document = await documents.lockUploaded(transaction, documentId);
      if (document === undefined) throw documentNotFound(documentId);
      await documents.setLanguage(transaction, documentId, { language, wordCount });
      if (document.language !== language) await startAnew(transaction, document);
      const corrected = await documents.findUploaded(transaction, documentId);
      if (corrected === undefined) throw documentNotFound(documentId);
      return corrected;
    });
  };

  async function startAnew(transaction: Queryable, document: Document) {
    const { documentId, fingerprintStatus } = document;
    const isReady =
      fingerprintStatus === "fingerprinted" &&
      (await meaning.forget(transaction, documentId)) &&
      (await queue.enqueue(fingerprintQueueOf(document), documentId, transaction));
    if (!isReady) {
      throw new DomainError(
        "document_not_ready",
        "The document is being fingerprinted or encoded. Try again in some seconds.",
      );
    }
    await documents.markPending(transaction, documentId);
    // Another language may give fewer chunks. If the transaction fails now, the reconciliation writes them again.
    await chunkIndex.remove([documentId]);
  }
}
