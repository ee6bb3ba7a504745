import type { Context } from "koa";
import { z } from "zod";
import { clientGone } from "../../../http/client-gone.ts";
import { downloadName, nameFile } from "../../../http/download.ts";
import { JSON_BODY_BYTES_MAX } from "../../../http/input/json-body.ts";
import { invalidInput } from "../../../http/input/parse.ts";
import type { UploadedFile } from "../../../http/input/upload.ts";
import { textsIn } from "../../../http/languages/catalogues.ts";
import { documentLanguage } from "../../../http/languages/document-language.ts";
import type { LanguageTag } from "../../../http/languages/languages.ts";
import type { PendingAnswers } from "../../../http/pending-answers.ts";
import { BODY_ERRORS, FILE_ERRORS, type Route, routesFor } from "../../../http/routing/route.ts";
import { withoutFileEnding } from "../../../text/file-ending.ts";
import { QUERY_TEXT_CHARS_MAX } from "../../index.ts";
import type { CompareUploads, Comparison, ComparisonOptions } from "../compare-texts.ts";
import type { ComparisonLinks } from "../comparison-links.ts";
import examples from "./examples.json" with { type: "json" };
import { presentComparison, presentLink } from "./presenter.ts";
import {
  CompareFilesForm,
  CompareTextsBody,
  ComparisonAnswer,
  ComparisonLinkAnswer,
  ComparisonParams,
  ComparisonPdfQuery,
  ComparisonQuery,
} from "./schema.ts";

export type ComparisonRouteParts = {
  readonly compareUploads: CompareUploads;
  readonly links: ComparisonLinks;
  readonly makePdf: MakeComparisonPdf;
  readonly pendingAnswers: PendingAnswers;
};

/** A comparison with UTF-16 offsets as a PDF in a language. @throws DomainError `pdf_unavailable`, `pdf_too_large`, `service_busy`; the signal's reason. */
type MakeComparisonPdf = (
  print: { readonly comparison: ReturnType<typeof presentComparison>; readonly language: LanguageTag },
  signal: AbortSignal,
) => Promise<Uint8Array>;

/** The answer on two of the longest texts, before its size is known. */
const ANSWER_BYTES = 8 * 1024 * 1024;

/** Bytes of UTF-8: four per character. */
const TEXT_BYTES_MAX = 4 * QUERY_TEXT_CHARS_MAX;

const COMPARED = {
  200: { description: "The comparison.", schema: ComparisonAnswer, examples: examples.comparison },
};

/** Two texts. */
const JSON_BODY = {
  contentType: "application/json",
  schema: CompareTextsBody,
  examples: examples.texts,
  bytesMax: 2 * JSON_BODY_BYTES_MAX,
} as const;

/** Both sides as a file or a text each. */
const FORM = {
  contentType: "multipart/form-data",
  schema: CompareFilesForm,
  examples: examples.files,
  files: ["query_file", "source_file"],
  texts: { fields: ["query_text", "source_text"], bytesMax: TEXT_BYTES_MAX },
} as const;

const PDF = {
  200: {
    description: "The document. `Content-Disposition` names the file after the first text.",
    contentType: "application/pdf",
    schema: z.string().meta({ format: "binary" }),
    examples: { beginning: { summary: "The beginning", value: "%PDF-1.7" } },
    headers: { "Content-Disposition": "`attachment`, with a name for the file (RFC 6266)." },
  },
};

const KEPT_ERRORS = [
  "comparison_not_found",
  "comparison_links_off",
  "invalid_input",
  "service_busy",
  "store_unavailable",
] as const;

const PDF_ERRORS = ["pdf_unavailable", "pdf_too_large"] as const;

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
        body: JSON_BODY,
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
        body: FORM,
      },
      responses: COMPARED,
      errors: [...FILE_ERRORS, "store_unavailable"],
    },
    async ({ ctx, query, body }, parts) => {
      await sendComparison(ctx, await compareForm(body, optionsOf(ctx, query), parts), parts);
      return undefined;
    },
  ),
  route(
    {
      method: "post",
      path: "/v1/comparisons.pdf",
      operationId: "compareFilesAsPdf",
      summary: "Compare two files or texts as a PDF",
      description: `
Compares two files or texts as \`POST /v1/comparisons/upload\` does, or two texts as JSON, and answers with both texts side by side as a PDF: passages have the same number and
colour on both sides, and those that come in the same order in both texts are level. The PDF is tagged, its text can be searched and
copied, and the same comparison gives the same bytes. PDFs are made one at a time.
`.trim(),
      tags: ["Comparisons"],
      request: { query: ComparisonPdfQuery, body: { ...FORM, also: JSON_BODY } },
      responses: PDF,
      errors: [...FILE_ERRORS, "store_unavailable", ...PDF_ERRORS],
    },
    async ({ ctx, query, body }, parts) => {
      const options = { units: PRINTED_UNITS, signal: clientGone(ctx) };
      await sendPdf(ctx, await compareForm(body, options, parts), query.language, parts);
    },
  ),
  route(
    {
      method: "post",
      path: "/v1/comparisons/links",
      operationId: "makeComparisonLink",
      summary: "Make a link to a comparison",
      description: `
Compares two files or texts as \`POST /v1/comparisons/upload\` does, or two texts as JSON, stores both texts with what was found, and answers with a link. Everyone who can reach
this service and has the link can read them until \`expires_at\`. The operator decides with \`COMPARISON_LINK_DAYS\` how long links
last; without it there are none, and nothing is stored. A shorter time that is set later applies to existing links, too.
`.trim(),
      tags: ["Comparisons"],
      request: { body: { ...FORM, also: JSON_BODY } },
      responses: {
        201: { description: "The link.", schema: ComparisonLinkAnswer, examples: examples.link },
      },
      errors: [...FILE_ERRORS, "comparison_links_off", "store_unavailable"],
    },
    async ({ ctx, body }, parts) => {
      const options = { units: PRINTED_UNITS, signal: clientGone(ctx) };
      parts.links.assertOn();
      const { matched } = await compareForm(body, options, parts);
      return presentLink(await parts.links.keep(matched));
    },
  ),
  route(
    {
      method: "get",
      path: "/v1/comparisons/:comparison_id",
      operationId: "getComparison",
      summary: "Read a kept comparison",
      description:
        "The comparison of a link, as `POST /v1/comparisons` answered it, with the time of its deletion.",
      tags: ["Comparisons"],
      request: { params: ComparisonParams, query: ComparisonQuery },
      responses: {
        200: { description: "The comparison.", schema: ComparisonAnswer, examples: examples.kept },
      },
      errors: KEPT_ERRORS,
    },
    async ({ ctx, params, query }, parts) => {
      await parts.pendingAnswers.reserve(ctx.res, ANSWER_BYTES);
      const { links, pendingAnswers } = parts;
      const { comparison, link } = await links.read(params.comparison_id, optionsOf(ctx, query));
      pendingAnswers.sendJson(ctx, presentComparison(comparison, { linkDays: links.linkDays, link }));
      return undefined;
    },
  ),
  route(
    {
      method: "get",
      path: "/v1/comparisons/:comparison_id/comparison.pdf",
      operationId: "getComparisonPdf",
      summary: "Download a kept comparison as a PDF",
      description: "The comparison of a link as `POST /v1/comparisons.pdf` prints it.",
      tags: ["Comparisons"],
      request: { params: ComparisonParams, query: ComparisonPdfQuery },
      responses: PDF,
      errors: [...KEPT_ERRORS, ...PDF_ERRORS],
    },
    async ({ ctx, params, query }, parts) => {
      const options = { units: PRINTED_UNITS, signal: clientGone(ctx) };
      await parts.pendingAnswers.reserve(ctx.res, ANSWER_BYTES);
      const { comparison } = await parts.links.read(params.comparison_id, options);
      await sendPdf(ctx, comparison, query.language, parts);
    },
  ),
  route(
    {
      method: "delete",
      path: "/v1/comparisons/:comparison_id",
      operationId: "deleteComparison",
      summary: "Delete a link to a comparison",
      description: "Deletes both texts and what was found. The link leads nowhere from then on.",
      tags: ["Comparisons"],
      request: { params: ComparisonParams },
      responses: { 204: { description: "The comparison is deleted." } },
      errors: ["comparison_not_found", "store_unavailable"],
    },
    ({ params }, { links }) => links.delete(params.comparison_id),
  ),
];

/** Of PDFs, and of comparisons of which only the stored part is used. */
const PRINTED_UNITS = { offsets: "utf16", lengths: "code_point" } as const;

const NO_FILES = { query_file: undefined, source_file: undefined };

/** Compares the two sides of a form or of a JSON body. */
function compareForm(
  body: z.output<typeof CompareFilesForm> | z.output<typeof CompareTextsBody>,
  options: ComparisonOptions,
  { compareUploads }: ComparisonRouteParts,
): Promise<Comparison> {
  const { query_text, source_text } = body;
  const { query_file, source_file } = "query_file" in body || "source_file" in body ? body : NO_FILES;
  return compareUploads(
    { content: contentOf("query", query_file, query_text), language: body.language },
    { content: contentOf("source", source_file, source_text), language: body.source_language },
    options,
  );
}

async function sendPdf(
  ctx: Context,
  comparison: Comparison,
  tag: LanguageTag | undefined,
  { makePdf, pendingAnswers, links }: ComparisonRouteParts,
): Promise<void> {
  const language = documentLanguage(ctx, tag);
  const { say } = textsIn(language.tag);
  const print = { comparison: presentComparison(comparison, links), language: language.tag };
  const bytes = Buffer.from(await makePdf(print, clientGone(ctx)));
  const title = withoutFileEnding(comparison.query.filename ?? say("compare.first"));
  const ending = ` – ${say("comparison.fileName")}.pdf`;
  nameFile(ctx, downloadName(title, say("compare.first"), ending), "comparison.pdf");
  pendingAnswers.send(ctx, bytes, "application/pdf");
}

async function sendComparison(
  ctx: Context,
  comparison: Comparison,
  { pendingAnswers, links }: ComparisonRouteParts,
): Promise<void> {
  await pendingAnswers.reserve(ctx.res, ANSWER_BYTES);
  pendingAnswers.sendJson(ctx, presentComparison(comparison, links));
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
