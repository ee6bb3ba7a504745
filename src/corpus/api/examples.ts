import type { z } from "zod";
import { BYTE_ORDER_MARK, toCsv } from "../../http/csv.ts";
import type { Examples } from "../../http/routing/route.ts";
import { DOCUMENT_COLUMNS } from "./presenter.ts";
import type {
  CollectionList,
  CorpusCoverage,
  DocumentList,
  DocumentMetadata,
  DocumentWithText,
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

export const uploadExamples: Examples = {
  text: { summary: "A text with its title and URL", value: FORM },
  bare: { summary: "Only a file", value: { file: FORM.file } },
};

const CORRECTED: typeof PENDING = { ...PENDING, language: "de", language_origin: "stated" };

export const correctExamples: Examples = {
  german: { summary: "The text is German", value: { language: "de" } },
};

const PAGE: z.output<typeof DocumentList> = { items: [FINGERPRINTED], total: 12, limit: 1, offset: 0 };

const HALF: z.output<typeof CorpusCoverage> = {
  documents: 1_012,
  fingerprinted: 1_012,
  encoded: 506,
  semantic_coverage: "partial",
  semantic_coverage_reason: "not_encoded",
};

const COLLECTIONS: z.output<typeof CollectionList> = {
  items: [
    {
      collection: "sample",
      documents: 1_000,
      uploaded_documents: 0,
      words: 1_204_311,
      text_bytes: 7_430_118,
      languages: { en: 1_000 },
      newest_at: "2026-11-18T08:00:00.000Z",
      fingerprinted: 1_000,
      encoded: 506,
    },
    {
      collection: null,
      documents: 12,
      uploaded_documents: 12,
      words: 40_112,
      text_bytes: 251_904,
      languages: { en: 9, de: 3 },
      newest_at: "2026-11-20T09:12:04.250Z",
      fingerprinted: 12,
      encoded: 12,
    },
  ],
};

export const collectionExamples: Examples = {
  collections: { summary: "A collection, and uploads without one", value: COLLECTIONS },
};

export const addedExamples: Examples = { added: { summary: "Added", value: PENDING } };

export const knownExamples: Examples = { known: { summary: "Uploaded before", value: FINGERPRINTED } };

export const listExamples: Examples = {
  page: { summary: "The newest of 12 documents (limit=1)", value: PAGE },
};

export const exportExamples: Examples = {
  table: {
    summary: "One document",
    value: `${BYTE_ORDER_MARK}${toCsv(DOCUMENT_COLUMNS, [FINGERPRINTED])}`,
  },
};

export const coverageExamples: Examples = {
  partial: { summary: "Half of the documents are encoded", value: HALF },
};

export const documentExamples: Examples = {
  document: { summary: "A matchable document", value: WITH_TEXT },
};

export const correctedExamples: Examples = {
  corrected: { summary: "The language was another one", value: CORRECTED },
};
