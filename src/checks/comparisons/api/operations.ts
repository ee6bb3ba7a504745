import { BODY_ERRORS, FILE_ERRORS, type Operation } from "../../../http/docs/operation.ts";
import { comparisonExamples, filesExamples, textsExamples } from "./examples.ts";
import { CompareFilesForm, CompareTextsBody, ComparisonAnswer, ComparisonQuery } from "./schema.ts";

const COMPARED = {
  200: { description: "The comparison.", schema: ComparisonAnswer, examples: comparisonExamples },
};

export const comparisonOperations: readonly Operation[] = [
  {
    method: "post",
    path: "/v1/comparisons",
    operationId: "compareTexts",
    summary: "Compare two texts",
    description: `
Finds the passages of a text (the query) in another one (the source), as a check with that source in the corpus would, and
answers with both texts and the passages. Nothing is stored, and neither text is compared with the corpus; it only tells which
words are rare and which phrases are boilerplate.

Each text has 1 to 500,000 characters, none of them U+0000, and the whole body is at most 16 MiB. Short texts take some 0.1 s, two of
1,500 words a second, and two of the longest about 1 s to be compared by words and up to 40 s by meaning. The time budget of checks
applies, and at most 50 s: \`coverage\` and \`semantic_coverage\` say what was not compared in that time. When the client disconnects, the work stops.

When too many comparisons are in progress, the answer is 503 with \`Retry-After\`.
`.trim(),
    tags: ["Comparisons"],
    request: {
      query: ComparisonQuery,
      body: { contentType: "application/json", schema: CompareTextsBody, examples: textsExamples },
    },
    responses: COMPARED,
    errors: [...BODY_ERRORS, "store_unavailable"],
  },
  {
    method: "post",
    path: "/v1/comparisons/upload",
    operationId: "compareFiles",
    summary: "Compare two files",
    description: `
Reads the texts of two files and compares them as \`POST /v1/comparisons\` does. Each side is a PDF, DOCX or TXT file of at most
10 MiB with at most 500,000 characters, or a text: send \`query_file\` or \`query_text\`, and \`source_file\` or \`source_text\`. Files
are read as those of \`POST /v1/checks/upload\`; an error says which file it is about.
`.trim(),
    tags: ["Comparisons"],
    request: {
      query: ComparisonQuery,
      body: { contentType: "multipart/form-data", schema: CompareFilesForm, examples: filesExamples },
    },
    responses: COMPARED,
    errors: [...FILE_ERRORS, "store_unavailable"],
  },
];
