import type { Context } from "koa";
import type { z } from "zod";
import { clientGone } from "../../../http/client-gone.ts";
import { JSON_BODY_BYTES_MAX } from "../../../http/input/json-body.ts";
import { invalidInput } from "../../../http/input/parse.ts";
import type { UploadedFile } from "../../../http/input/upload.ts";
import type { PendingAnswers } from "../../../http/pending-answers.ts";
import { BODY_ERRORS, FILE_ERRORS, type Route, routesFor } from "../../../http/routing/route.ts";
import { QUERY_TEXT_CHARS_MAX } from "../../index.ts";
import type { CompareUploads, Comparison, ComparisonOptions } from "../compare-texts.ts";
import { comparisonExamples, filesExamples, textsExamples } from "./examples.ts";
import { presentComparison } from "./presenter.ts";
import { CompareFilesForm, CompareTextsBody, ComparisonAnswer, ComparisonQuery } from "./schema.ts";

export type ComparisonRouteParts = {
  readonly compareUploads: CompareUploads;
  readonly pendingAnswers: PendingAnswers;
};

/** The answer on two of the longest texts, before its size is known. */
const ANSWER_BYTES = 8 * 1024 * 1024;

/** Bytes of UTF-8: four per character. */
const TEXT_BYTES_MAX = 4 * QUERY_TEXT_CHARS_MAX;

const COMPARED = {
  200: { description: "The comparison.", schema: ComparisonAnswer, examples: comparisonExamples },
};

const route = routesFor<ComparisonRouteParts>();

export const comparisonRoutes: readonly Route<ComparisonRouteParts>[] = [
  route(
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
        body: {
          contentType: "application/json",
          schema: CompareTextsBody,
          examples: textsExamples,
          bytesMax: 2 * JSON_BODY_BYTES_MAX,
        },
      },
      responses: COMPARED,
      errors: [...BODY_ERRORS, "store_unavailable"],
    },
    async ({ ctx, query, body }, parts) => {
      const queryText = { content: body.query_text, language: body.language };
      const sourceText = { content: body.source_text, language: body.source_language };
      const comparison = await parts.compareUploads(queryText, sourceText, optionsOf(ctx, query));
      await sendComparison(ctx, comparison, parts);
      return undefined;
    },
  ),
  route(
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
        body: {
          contentType: "multipart/form-data",
          schema: CompareFilesForm,
          examples: filesExamples,
          files: ["query_file", "source_file"],
          texts: { fields: ["query_text", "source_text"], bytesMax: TEXT_BYTES_MAX },
        },
      },
      responses: COMPARED,
      errors: [...FILE_ERRORS, "store_unavailable"],
    },
    async ({ ctx, query, body }, parts) => {
      const { query_file, query_text, source_file, source_text } = body;
      const comparison = await parts.compareUploads(
        { content: contentOf("query", query_file, query_text), language: body.language },
        { content: contentOf("source", source_file, source_text), language: body.source_language },
        optionsOf(ctx, query),
      );
      await sendComparison(ctx, comparison, parts);
      return undefined;
    },
  ),
];

async function sendComparison(
  ctx: Context,
  comparison: Comparison,
  { pendingAnswers }: ComparisonRouteParts,
): Promise<void> {
  await pendingAnswers.reserve(ctx.res, ANSWER_BYTES);
  pendingAnswers.sendJson(ctx, presentComparison(comparison));
}

function optionsOf(ctx: Context, query: z.output<typeof ComparisonQuery>): ComparisonOptions {
  const { offset_unit: offsets, length_unit: lengths = offsets } = query;
  return { units: { offsets, lengths }, signal: clientGone(ctx) };
}

/** A side is given as a file or as a text. */
function contentOf(
  side: "query" | "source",
  file: UploadedFile | undefined,
  text: string | undefined,
): string | UploadedFile {
  if (file !== undefined && text !== undefined)
    throw invalidInput([{ field: `${side}_text`, message: `must not be given together with ${side}_file` }]);
  const content = file ?? text;
  if (content === undefined)
    throw invalidInput([{ field: `${side}_file`, message: `is required, or ${side}_text` }]);
  return content;
}
