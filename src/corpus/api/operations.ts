import { z } from "zod";
import { BYTE_ORDER_MARK, toCsv } from "../../http/csv.ts";
import { BODY_ERRORS, type Examples, FILE_ERRORS, type Operation } from "../../http/docs/operation.ts";
import { DOCUMENT_COLUMNS } from "./presenter.ts";
import {
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

const PENDING: z.output<typeof DocumentMetadata> = {
  document_id: "01a1fdd2-fc66-74d3-872a-6fcc3985a6fd",
  filename: "lighthouses.txt",
  title: "Lighthouses",
  media_type: "text/plain",
  language: "en",
  language_origin: "detected",
  source_url: "https://example.org/lighthouses",
  size_bytes: 235,
  sha256: "ed9e5d0b34073fc95de9c9c98873ab197d02147b59b2c1163f3aef11c063f3ed",
  char_count: 235,
  word_count: 41,
  chunk_count: 0,
  fingerprint_status: "pending",
  semantic_status: "pending",
  created_at: "2026-11-20T09:12:04.250Z",
  fingerprinted_at: null,
};

const FINGERPRINTED: typeof PENDING = {
  ...PENDING,
  chunk_count: 1,
  fingerprint_status: "fingerprinted",
  semantic_status: "encoded",
  fingerprinted_at: "2026-11-20T09:12:04.570Z",
};

const WITH_TEXT: z.output<typeof DocumentWithText> = {
  ...FINGERPRINTED,
  extracted_text:
    "A lighthouse is a tower with a bright light at its top. Long before electric lamps were invented, keepers carried " +
    "buckets of whale oil up the stairs every evening to feed the flame. Today almost every lighthouse works without a " +
    "keeper.",
};

const FORM = {
  file: "(the bytes of lighthouses.txt)",
  title: "Lighthouses",
  language: "en",
  source_url: "https://example.org/lighthouses",
};

const uploadExamples: Examples = {
  text: { summary: "A text with its title and URL", value: FORM },
  bare: { summary: "Only a file", value: { file: FORM.file } },
};

const CORRECTED: typeof PENDING = { ...PENDING, language: "de", language_origin: "stated" };

const correctExamples: Examples = {
  german: { summary: "The text is German", value: { language: "de" } },
};

const PAGE: z.output<typeof DocumentList> = { items: [FINGERPRINTED], total: 12, limit: 1, offset: 0 };

export const corpusOperations: readonly Operation[] = [
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
      body: { contentType: "multipart/form-data", schema: UploadDocumentForm, examples: uploadExamples },
    },
    responses: {
      201: {
        description: "The document is new.",
        schema: DocumentMetadata,
        examples: { added: { summary: "Added", value: PENDING } },
      },
      200: {
        description: "The same bytes were uploaded before; this is the existing document.",
        schema: DocumentMetadata,
        examples: { known: { summary: "Uploaded before", value: FINGERPRINTED } },
      },
    },
    errors: [...FILE_ERRORS, "store_unavailable"],
  },
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
        examples: { page: { summary: "The newest of 12 documents (limit=1)", value: PAGE } },
      },
    },
    errors: ["invalid_input", "store_unavailable"],
  },
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
        examples: {
          table: {
            summary: "One document",
            value: `${BYTE_ORDER_MARK}${toCsv(DOCUMENT_COLUMNS, [FINGERPRINTED])}`,
          },
        },
        headers: { "Content-Disposition": "`attachment`, with the name `documents.csv`." },
      },
    },
    errors: ["invalid_input", "store_unavailable"],
  },
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
        examples: {
          partial: {
            summary: "Half of the documents are encoded",
            value: {
              documents: 1_012,
              fingerprinted: 1_012,
              encoded: 506,
              semantic_coverage: "partial",
              semantic_coverage_reason: "not_encoded",
            },
          },
        },
      },
    },
    errors: ["store_unavailable"],
  },
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
        examples: { document: { summary: "A matchable document", value: WITH_TEXT } },
      },
    },
    errors: ["document_not_found", "service_busy", "store_unavailable"],
  },
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
      body: { contentType: "application/json", schema: CorrectDocumentBody, examples: correctExamples },
    },
    responses: {
      200: {
        description: "The metadata as it is now.",
        schema: DocumentMetadata,
        examples: { corrected: { summary: "The language was another one", value: CORRECTED } },
      },
    },
    errors: ["document_not_found", "document_not_ready", ...BODY_ERRORS, "store_unavailable"],
  },
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
];
