import type { z } from "zod";
import type { Examples } from "../../http/docs/operation.ts";
import type { DocumentList, DocumentMetadata, DocumentWithText } from "./schema.ts";

const pending: z.output<typeof DocumentMetadata> = {
  document_id: "01a1fdd2-fc66-74d3-872a-6fcc3985a6fd",
  filename: "lighthouses.txt",
  title: "Lighthouses",
  media_type: "text/plain",
  language: "en",
  source_url: "https://example.org/lighthouses",
  size_bytes: 235,
  sha256: "ed9e5d0b34073fc95de9c9c98873ab197d02147b59b2c1163f3aef11c063f3ed",
  char_count: 235,
  word_count: 41,
  chunk_count: 0,
  fingerprint_status: "pending",
  created_at: "2026-11-20T09:12:04.250Z",
  fingerprinted_at: null,
};

const fingerprinted: typeof pending = {
  ...pending,
  chunk_count: 1,
  fingerprint_status: "fingerprinted",
  fingerprinted_at: "2026-11-20T09:12:04.570Z",
};

const withText: z.output<typeof DocumentWithText> = {
  ...fingerprinted,
  extracted_text:
    "A lighthouse is a tower with a bright light at its top. Long before electric lamps were invented, keepers carried " +
    "buckets of whale oil up the stairs every evening to feed the flame. Today almost every lighthouse works without a " +
    "keeper.",
};

const list: z.output<typeof DocumentList> = { items: [fingerprinted], total: 12, limit: 1, offset: 0 };

const form = {
  file: "(the bytes of lighthouses.txt)",
  title: "Lighthouses",
  language: "en",
  source_url: "https://example.org/lighthouses",
};

export const uploadExamples: Examples = {
  text: { summary: "A text with its title and address", value: form },
  bare: { summary: "A file and nothing else", value: { file: form.file } },
};

export const addedExamples: Examples = { added: { summary: "Added", value: pending } };

export const knownExamples: Examples = { known: { summary: "Uploaded before", value: fingerprinted } };

export const listExamples: Examples = {
  page: { summary: "The newest of 12 documents (limit=1)", value: list },
};

export const documentExamples: Examples = { document: { summary: "A matchable document", value: withText } };
