import { Readable } from "node:stream";
import { z } from "zod";
import { clientGone } from "../../http/client-gone.ts";
import { csvFile } from "../../http/csv.ts";
import { sendCsv } from "../../http/download.ts";
import type { PendingAnswers } from "../../http/pending-answers.ts";
import { BODY_ERRORS, FILE_ERRORS, type Route, routesFor } from "../../http/routing/route.ts";
import type { DocumentSelection } from "../documents/document-store.ts";
import type { CorpusStores } from "../index/corpus-stores.ts";
import type { ReadCoverage } from "../meaning/read-coverage.ts";
import type { ReadCollections } from "../read-collections.ts";
import type { CorrectLanguage, DeleteDocument, ReadDocument, UploadDocument } from "../uploaded-documents.ts";
import examples from "./examples.json" with { type: "json" };
import {
  DOCUMENT_COLUMNS,
  presentCollections,
  presentCoverage,
  presentDocument,
  presentDocumentWithText,
} from "./presenter.ts";
import {
  CollectionList,
  CorpusCoverage,
  CorrectDocumentBody,
  DocumentList,
  DocumentMetadata,
  DocumentParams,
  DocumentWithText,
  ExportDocumentsQuery,
  ListDocumentsQuery,
  UploadDocumentForm,
} from "./schema.ts";

export type CorpusRouteParts = Pick<CorpusStores, "database" | "documents"> & {
  readonly readCoverage: ReadCoverage;
  readonly readCollections: ReadCollections;
  readonly readDocument: ReadDocument;
  readonly uploadDocument: UploadDocument;
  readonly correctLanguage: CorrectLanguage;
  readonly deleteDocument: DeleteDocument;
  readonly pendingAnswers: PendingAnswers;
};

/** The sections of the text that are read together, in two bytes a character, and the result of one of them. */
const DOCUMENT_ANSWER_BYTES = 1.5 * 1024 * 1024;

const route = routesFor<CorpusRouteParts>();

export const corpusRoutes: readonly Route<CorpusRouteParts>[] = [
  route(
    {
      method: "post",
      path: "/v1/corpus/documents",
      operationId: "uploadDocument",
      summary: "Add a document",
      description: `
Extracts the text of a PDF, DOCX, TXT or Markdown file and adds it to the corpus. The content determines the file type, not
the name. A new document is \`pending\` while it is fingerprinted in the background, and matchable once it is
\`fingerprinted\`.

A file may have at most 10 MiB, unless the operator has set another limit, and at most 20 million characters. If the same
bytes were uploaded before, the answer is 200 with the existing document.
`.trim(),
      tags: ["Corpus"],
      request: {
        body: { contentType: "multipart/form-data", schema: UploadDocumentForm, examples: examples.upload },
      },
      responses: {
        201: {
          description: "The document is new.",
          schema: DocumentMetadata,
          examples: examples.added,
        },
        200: {
          description: "The same bytes were uploaded before; this is the existing document.",
          schema: DocumentMetadata,
          examples: examples.known,
        },
      },
      errors: [...FILE_ERRORS, "store_unavailable"],
    },
    async ({ ctx, body }, { uploadDocument }) => {
      const { file, title, language, source_url: sourceUrl, collection, group = null, owner = null } = body;
      const { document, added } = await uploadDocument({
        ...{ file, title, language, sourceUrl, collection, belonging: { group, owner } },
        signal: clientGone(ctx),
      });
      ctx.status = added ? 201 : 200;
      return presentDocument(document);
    },
  ),
  route(
    {
      method: "get",
      path: "/v1/corpus/documents",
      operationId: "listDocuments",
      summary: "List the uploaded documents",
      description:
        "Metadata of the documents that were uploaded through the API, newest first unless sorted otherwise. The sample corpus " +
        "and bulk loads are compared with but not listed. `title` and `fingerprint_status` restrict the list and `total`. The " +
        "search ignores case, and no character has a special meaning.",
      tags: ["Corpus"],
      request: { query: ListDocumentsQuery },
      responses: {
        200: {
          description: "One page.",
          schema: DocumentList,
          examples: examples.list,
        },
      },
      errors: ["invalid_input", "store_unavailable"],
    },
    async ({ query: { limit, offset, ...query } }, { database, documents }) => {
      const { items, total } = await documents.listUploaded(database, selectionOf(query), { limit, offset });
      return { items: items.map(presentDocument), total, limit, offset };
    },
  ),
  route(
    {
      method: "get",
      path: "/v1/corpus/documents.csv",
      operationId: "exportDocuments",
      summary: "Download the list of documents as CSV",
      description:
        "The same list as a table, complete and in the same order, in UTF-8 with a byte order mark. A text that a " +
        "spreadsheet would take for a formula is prefixed with an apostrophe.",
      tags: ["Corpus"],
      request: { query: ExportDocumentsQuery },
      responses: {
        200: {
          description: "The table.",
          contentType: "text/csv",
          schema: z.string(),
          examples: examples.export,
          headers: { "Content-Disposition": "`attachment`, with the name `documents.csv`." },
        },
      },
      errors: ["invalid_input", "store_unavailable"],
    },
    async ({ ctx, query }, { database, documents }) => {
      const batches = await documents.exportUploaded(database, selectionOf(query));
      ctx.attachment("documents.csv");
      sendCsv(ctx, csvFile(DOCUMENT_COLUMNS, batches, presentDocument));
    },
  ),
  route(
    {
      method: "get",
      path: "/v1/corpus/collections",
      operationId: "listCollections",
      summary: "The collections of the corpus in figures",
      description:
        "What checks are compared with: for each collection, and for uploads without one, the number of documents, their words, sizes and " +
        "languages, the newest one, and how many are matchable by words and by meaning. Figures may be half a minute old.",
      tags: ["Corpus"],
      responses: {
        200: {
          description: "All collections, the largest first.",
          schema: CollectionList,
          examples: examples.collection,
        },
      },
      errors: ["store_unavailable"],
    },
    async (_, { readCollections }) => presentCollections(await readCollections()),
  ),
  route(
    {
      method: "get",
      path: "/v1/corpus/coverage",
      operationId: "getCorpusCoverage",
      summary: "How much of the corpus is matchable",
      description:
        "The numbers of documents that checks find by words and by meaning, and why not all by meaning. Documents are " +
        "matchable by words first, and encoded in the background, newest first.",
      tags: ["Corpus"],
      responses: {
        200: {
          description: "The numbers at this moment.",
          schema: CorpusCoverage,
          examples: examples.coverage,
        },
      },
      errors: ["store_unavailable"],
    },
    async (_, { readCoverage }) => presentCoverage(await readCoverage()),
  ),
  route(
    {
      method: "get",
      path: "/v1/corpus/documents/:document_id",
      operationId: "getDocument",
      summary: "Read a document",
      description: "The metadata of an uploaded document with its full extracted text.",
      tags: ["Corpus"],
      request: { params: DocumentParams },
      responses: {
        200: {
          description: "The document.",
          schema: DocumentWithText,
          examples: examples.document,
        },
      },
      errors: ["document_not_found", "service_busy", "store_unavailable"],
    },
    async ({ ctx, params }, { readDocument, pendingAnswers }) => {
      const { document, text } = await readDocument(params.document_id);
      await pendingAnswers.reserve(ctx.res, DOCUMENT_ANSWER_BYTES);
      ctx.type = "application/json; charset=utf-8";
      ctx.body = Readable.from(presentDocumentWithText(document, text));
      return undefined;
    },
  ),
  route(
    {
      method: "patch",
      path: "/v1/corpus/documents/:document_id",
      operationId: "correctDocumentLanguage",
      summary: "Correct the language of a document",
      description:
        "States the language of an uploaded document, which may have been detected wrongly. If it differs, the document is " +
        "`pending` again until its chunks and fingerprints are made anew, and checks that are submitted meanwhile wait for " +
        "it. While it is fingerprinted or encoded, the answer is `409`.",
      tags: ["Corpus"],
      request: {
        params: DocumentParams,
        body: { contentType: "application/json", schema: CorrectDocumentBody, examples: examples.correct },
      },
      responses: {
        200: {
          description: "The metadata as it is now.",
          schema: DocumentMetadata,
          examples: examples.corrected,
        },
      },
      errors: ["document_not_found", "document_not_ready", ...BODY_ERRORS, "store_unavailable"],
    },
    async ({ params, body }, { correctLanguage }) =>
      presentDocument(await correctLanguage(params.document_id, body.language)),
  ),
  route(
    {
      method: "delete",
      path: "/v1/corpus/documents/:document_id",
      operationId: "deleteDocument",
      summary: "Delete a document",
      description:
        "Permanently deletes an uploaded document and its chunks. From the answer on no check matches it, including checks " +
        "that are running. Earlier reports lose its row and keep their totals.",
      tags: ["Corpus"],
      request: { params: DocumentParams },
      responses: { 204: { description: "The document is deleted." } },
      errors: ["document_not_found", "store_unavailable"],
    },
    ({ params }, { deleteDocument }) => deleteDocument(params.document_id),
  ),
];

function selectionOf(query: z.output<typeof ExportDocumentsQuery>): DocumentSelection {
  const { fingerprint_status: status, title, sort, order } = query;
  return { title, status, sort, order };
}
