import type { z } from "zod";
import type { Examples, Operation } from "../../http/docs/operation.ts";
import { SourceText, SourceTextParams, SourceTextQuery } from "./schema.ts";

const around: z.output<typeof SourceText> = {
  source_document_id: "01a1fdd2-fc66-74d3-872a-6fcc3985a6fd",
  title: "Lighthouses",
  source_url: "https://example.org/lighthouses",
  language: "en",
  offset_unit: "code_point",
  char_count: 235,
  start: 36,
  end: 201,
  text:
    "t light at its top. Long before electric lamps were invented, keepers carried buckets of whale oil up the stairs " +
    "every evening to feed the flame. Today almost every ",
};

const examples: Examples = {
  passage: { summary: "A passage with 20 characters on both sides (start=36&end=201)", value: around },
  beyond: {
    summary: "From beyond the text's end (start=9000)",
    value: { ...around, start: 235, end: 235, text: "" } satisfies typeof around,
  },
};

export const sourceTextOperation = {
  method: "get",
  path: "/v1/checks/:check_id/sources/:source_document_id/text",
  operationId: "getSourceText",
  summary: "Read the text of a source",
  description: `
A part of the extracted text of a document that is a source of the check's report, for reading a passage beside what it
was copied from. A passage lies at its \`source_document_start\` and \`source_document_end\`. The documents of the platform
corpus, which have no other way of being read, are given in the same way; documents that are no source of the report
are not given.

An answer holds at most 100,000 characters, and nothing beyond the text's end: \`start\` and \`end\` say what it holds, and
the next part begins at its \`end\`. No character is split: a UTF-16 offset inside a surrogate pair counts as the pair's
start.
`.trim(),
  tags: ["Reports"],
  request: { params: SourceTextParams, query: SourceTextQuery },
  responses: { 200: { description: "The part of the text.", schema: SourceText, examples } },
  errors: ["check_not_found", "source_not_found", "check_not_complete", "invalid_input", "store_unavailable"],
} as const satisfies Operation;
