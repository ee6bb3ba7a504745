import { createHash } from "node:crypto";
import { z } from "zod";
import { parse } from "../../http/input/parse.ts";
import { Language, storableText } from "../../http/input/wire-types.ts";
import { DOCUMENT_CHARS_MAX, type SourceDocument } from "../documents/document.ts";
import { SourceUrl } from "../documents/source-url.ts";
import type { Ingested } from "./ingest-documents.ts";
import type { WritableCorpus } from "./source-writer.ts";

/** Longest title of a document that is loaded in bulk. */
export const TITLE_CHARS_MAX = 1_000;

/** A document given as text, without a file. */
export const DocumentInput = z.object({
  /** Identifies it within the collection: another text under the same path replaces it. */
  path: storableText({ charsMin: 1, charsMax: 1_000 }),
  title: storableText({ charsMin: 1, charsMax: TITLE_CHARS_MAX }),
  text: storableText({ charsMin: 1, charsMax: DOCUMENT_CHARS_MAX }).refine((text) => text.isWellFormed(), {
    error: "must not contain an unpaired surrogate",
  }),
  /** Detected when it is left out. */
  language: Language.optional(),
  sourceUrl: SourceUrl.optional(),
  /** The name shown in reports; the last part of the path by default. */
  filename: storableText({ charsMin: 1, charsMax: 1_000 }).optional(),
  mediaType: z.enum(["text/plain", "text/markdown"]).default("text/plain"),
});

const PipelineDocument = DocumentInput.extend({
  /** The set of documents it belongs to; the other ways to load documents in bulk have their own sets. */
  collection: storableText({ charsMin: 1, charsMax: 200 }).refine(
    (name) => !/^((folder|index|sql|oai|core-api):|sample-corpus$)/.test(name),
    { error: "must not be sample-corpus, nor begin with folder:, index:, sql:, oai: or core-api:" },
  ),
});

/** The input of `ingestDocument`. Characters are code points; a text has at most 20 million. */
export type PipelineDocument = z.input<typeof PipelineDocument>;

export type Pipeline = {
  /** Stores a `pending` platform document; another text under the same path replaces it. @throws DomainError `invalid_input` */
  ingestDocument(document: PipelineDocument): Promise<Ingested>;
  /** As `ingestDocument`, for many in one transaction: a good batch is a few hundred documents or a few megabytes. */
  ingestDocuments(documents: readonly PipelineDocument[]): Promise<readonly Ingested[]>;
  /** Makes a document matchable, which the service otherwise does within the hour; returns the number of its chunks. */
  fingerprintDocument(documentId: string): Promise<number>;
  /** As `fingerprintDocument`, for many in one bulk write: several times faster. */
  fingerprintDocuments(documentIds: readonly string[]): Promise<number>;
  /** The stored documents of a collection that are not matchable yet, oldest first, as an interrupted run leaves them. */
  pendingDocuments(collection: string, limit: number): Promise<readonly string[]>;
};

export function createPipeline(corpus: WritableCorpus): Pipeline {
  const { database, documents, ingestDocuments, fingerprintDocuments } = corpus;
  const ingestAll = async (inputs: readonly PipelineDocument[]) =>
    ingestDocuments(parse(z.array(PipelineDocument), inputs, "documents").map(toSource));
  return {
    ingestDocument: async (input) => {
      const [ingested] = await ingestAll([input]);
      if (ingested === undefined) throw new Error("the ingest of one document returned none");
      return ingested;
    },
    ingestDocuments: ingestAll,
    fingerprintDocument: (documentId) => fingerprintDocuments([documentId]),
    fingerprintDocuments,
    pendingDocuments: (collection, limit) => documents.listPendingPlatform(database, collection, limit),
  };
}

/** The platform document of such an input. */
export function toSource(
  document: z.output<typeof DocumentInput> & { readonly collection: string },
): SourceDocument {
  const { collection, path, title, text, language, sourceUrl, filename, mediaType } = document;
  const bytes = Buffer.from(text);
  return {
    origin: { scope: "platform", collection, path },
    filename: filename ?? path.split("/").at(-1) ?? path,
    title,
    mediaType,
    language,
    sourceUrl: sourceUrl ?? null,
    sizeBytes: bytes.length,
    sha256: createHash("sha256").update(bytes).digest("hex"),
    text,
  };
}
