import type { Operation } from "../../http/docs/operation.ts";
import { addedExamples, documentExamples, knownExamples, listExamples, uploadExamples } from "./examples.ts";
import {
  DocumentList,
  DocumentMetadata,
  DocumentParams,
  DocumentWithText,
  ListDocumentsQuery,
  UploadDocumentForm,
} from "./schema.ts";

const TAGS = ["Corpus"] as const;

const uploadDocumentOperation = {
  method: "post",
  path: "/v1/corpus/documents",
  operationId: "uploadDocument",
  summary: "Add a document",
  description: `
Reads the text of a PDF, DOCX, TXT or Markdown file and adds it to the corpus. The content decides what a file is, not
its name. A new document is \`pending\` while it is fingerprinted in the background, and matchable once it is
\`fingerprinted\`.

A file is at most 10 MiB, unless the operator has set another limit, and holds at most 20 million characters. Bytes that
were uploaded before are not added again: the answer then is 200 with the document that they gave.
`.trim(),
  tags: TAGS,
  request: {
    body: { contentType: "multipart/form-data", schema: UploadDocumentForm, examples: uploadExamples },
  },
  responses: {
    201: { description: "The document is new.", schema: DocumentMetadata, examples: addedExamples },
    200: {
      description: "The same bytes were uploaded before; this is the document that they gave.",
      schema: DocumentMetadata,
      examples: knownExamples,
    },
  },
  errors: [
    "malformed_body",
    "request_timeout",
    "service_busy",
    "body_too_large",
    "unsupported_media_type",
    "unsupported_file_type",
    "invalid_input",
    "unreadable_file",
    "no_extractable_text",
    "text_too_long",
    "store_unavailable",
  ],
} as const satisfies Operation;

const listDocumentsOperation = {
  method: "get",
  path: "/v1/corpus/documents",
  operationId: "listDocuments",
  summary: "List the uploaded documents",
  description:
    "Metadata of the documents that were uploaded through the API, newest first. The sample corpus and what was loaded " +
    "in bulk are checked against but not listed. With `title` only those are listed, and counted in `total`, whose title " +
    "or file name holds it; upper and lower case are the same, and no character has a meaning of its own.",
  tags: TAGS,
  request: { query: ListDocumentsQuery },
  responses: { 200: { description: "One page.", schema: DocumentList, examples: listExamples } },
  errors: ["invalid_input", "store_unavailable"],
} as const satisfies Operation;

const getDocumentOperation = {
  method: "get",
  path: "/v1/corpus/documents/:document_id",
  operationId: "getDocument",
  summary: "Read a document",
  description: "The metadata of an uploaded document with its whole extracted text.",
  tags: TAGS,
  request: { params: DocumentParams },
  responses: { 200: { description: "The document.", schema: DocumentWithText, examples: documentExamples } },
  errors: ["document_not_found", "store_unavailable"],
} as const satisfies Operation;

const deleteDocumentOperation = {
  method: "delete",
  path: "/v1/corpus/documents/:document_id",
  operationId: "deleteDocument",
  summary: "Delete a document",
  description:
    "Removes an uploaded document and its chunks for good. From the answer on no check matches it, not even one that is " +
    "running. Earlier reports lose its row and keep their totals.",
  tags: TAGS,
  request: { params: DocumentParams },
  responses: { 204: { description: "The document is gone." } },
  errors: ["document_not_found", "store_unavailable"],
} as const satisfies Operation;

export const corpusOperations: readonly Operation[] = [
  uploadDocumentOperation,
  listDocumentsOperation,
  getDocumentOperation,
  deleteDocumentOperation,
];
