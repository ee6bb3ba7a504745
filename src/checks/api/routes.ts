import { z } from "zod";
import { clientGone } from "../../http/client-gone.ts";
import { csvFile } from "../../http/csv.ts";
import { nameFile, sendCsv } from "../../http/download.ts";
import { streamResponse, streamStates } from "../../http/event-stream.ts";
import { IdempotencyHeaders } from "../../http/input/wire-types.ts";
import type { PendingAnswers } from "../../http/pending-answers.ts";
import { BODY_ERRORS, FILE_ERRORS, type Route, routesFor } from "../../http/routing/route.ts";
import { READING_BYTES } from "../../report/index.ts";
import type { AddToCorpus } from "../add-to-corpus.ts";
import type { CheckScope } from "../check.ts";
import type { Check, CheckSelection } from "../check-store.ts";
import type { FollowCheck } from "../follow-check.ts";
import type { ManageChecks } from "../manage-checks.ts";
import type { ReadOriginal } from "../read-original.ts";
import type { ReviewCheck } from "../review-check.ts";
import type { SubmitCheck, SubmitUpload } from "../submit-check.ts";
import examples from "./examples.json" with { type: "json" };
import {
  CHECK_COLUMNS,
  presentCheck,
  presentCheckEnd,
  presentCheckRow,
  presentProgress,
  presentStats,
  presentSubmitted,
  presentTableRow,
} from "./presenter.ts";
import {
  AddedToCorpus,
  AddToCorpusQuery,
  ChangeCheckBody,
  CheckList,
  CheckMetadata,
  CheckParams,
  CheckStats,
  ExportChecksQuery,
  ListChecksQuery,
  OcrPages,
  ProgressEnd,
  ProgressEvent,
  StreamedEvent,
  SubmitCheckBody,
  Submitted,
  UploadCheckForm,
} from "./schema.ts";

export type CheckRouteParts = {
  readonly submitCheck: SubmitCheck;
  readonly submitUpload: SubmitUpload;
  readonly followCheck: FollowCheck;
  readonly manageChecks: ManageChecks;
  readonly readOriginal: ReadOriginal;
  readonly addToCorpus: AddToCorpus;
  readonly reviewCheck: ReviewCheck;
  readonly pendingAnswers: PendingAnswers;
};

/** A file from outside is only ever saved or read by a page: opened by its address, it must run and load nothing. */
const ORIGINAL_POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox";

const ORIGINAL_HEADERS = {
  "Content-Disposition": "`attachment`, with the file's name (RFC 6266).",
  "Content-Security-Policy": "Lets a browser run and load nothing.",
};

/** PostgreSQL sends bytes as hexadecimal digits. */
const READING_RATIO = 3;

const route = routesFor<CheckRouteParts>();

export const checkRoutes: readonly Route<CheckRouteParts>[] = [
  route(
    {
      method: "post",
      path: "/v1/checks",
      operationId: "submitCheck",
      summary: "Submit a text",
      description: `
Accepts a text and checks it in the background. Follow the check at \`progress_url\`, or poll \`status_url\`; once it is
complete, \`report_url\` has the result. The check waits for documents that were uploaded to the corpus before it, for each
up to 20 seconds after its upload.

The text is kept exactly as sent. It has 1 to 500,000 characters, none of them U+0000, and the whole body is at most 8 MiB.
Unknown members are ignored, and \`null\` is the same as leaving out an optional member.

With an \`Idempotency-Key\`, repeating the same request within 24 hours returns the first check instead of creating another.
A key can't be reused for a different request (409). It is deleted with its check.

When too many checks are waiting, the answer is 503 with \`Retry-After\`, and nothing is accepted.
`.trim(),
      tags: ["Checks"],
      request: {
        headers: IdempotencyHeaders,
        body: { contentType: "application/json", schema: SubmitCheckBody, examples: examples.submit },
      },
      responses: {
        202: { description: "The check is queued.", schema: Submitted, examples: examples.accepted },
      },
      errors: [...BODY_ERRORS, "idempotency_key_reused", "store_unavailable"],
    },
    async ({ headers, body }, { submitCheck }) => {
      const { query_text: queryText, language, title = null, templates = [] } = body;
      const scope = scopeOf(body);
      const idempotencyKey = headers["Idempotency-Key"];
      const request = (used: string) => ["text", queryText, used, title];
      const input = { queryText, language, title, scope, templates, idempotencyKey, request };
      return presentSubmitted(await submitCheck(input));
    },
  ),
  route(
    {
      method: "post",
      path: "/v1/checks/upload",
      operationId: "submitUpload",
      summary: "Submit a file",
      description: `
Reads the text of a PDF, DOCX or TXT file of at most 10 MiB and checks it as \`POST /v1/checks\` does.

The content decides the type of a file, not its name. TXT is UTF-8, UTF-16 with a byte-order mark, or else windows-1252.
The text is kept as it is, with its line ends; only a byte-order mark is removed, and U+0000 becomes U+FFFD. Without a
\`title\`, the title is the file's name, cut to 200 characters. Texts and files share their \`Idempotency-Key\`s.
`.trim(),
      tags: ["Checks"],
      request: {
        headers: IdempotencyHeaders,
        body: {
          contentType: "multipart/form-data",
          schema: UploadCheckForm,
          files: ["file", "templates"],
          lists: ["templates"],
          examples: examples.upload,
        },
      },
      responses: {
        202: { description: "The check is queued.", schema: Submitted, examples: examples.accepted },
      },
      errors: [...FILE_ERRORS, "idempotency_key_reused", "store_unavailable"],
    },
    async ({ ctx, headers, body }, { submitUpload }) => {
      const { file, language, title, templates = [] } = body;
      const idempotencyKey = headers["Idempotency-Key"];
      const upload = { file, language, title, templates, scope: scopeOf(body), idempotencyKey };
      return presentSubmitted(await submitUpload({ ...upload, signal: clientGone(ctx) }));
    },
  ),
  route(
    {
      method: "get",
      path: "/v1/checks",
      operationId: "listChecks",
      summary: "List the checks",
      description:
        "All checks, newest first unless sorted otherwise, page by page. A row is the check's metadata and the first 120 " +
        "characters of its text. `title`, `status`, `score_min`, `score_max` and `review_status` restrict the list and `total`. The search " +
        "ignores case and has no wildcards.",
      tags: ["Checks"],
      request: { query: ListChecksQuery },
      responses: { 200: { description: "One page.", schema: CheckList, examples: examples.list } },
      errors: ["invalid_input", "store_unavailable"],
    },
    async ({ query: { limit, offset, ...query } }, { manageChecks }) => {
      const { items, total } = await manageChecks.list(selectionOf(query), { limit, offset });
      return { items: items.map(presentCheckRow), total, limit, offset };
    },
  ),
  route(
    {
      method: "get",
      path: "/v1/checks.csv",
      operationId: "exportChecks",
      summary: "Download the list of checks as CSV",
      description:
        "The same list as a table, complete and in the same order, in UTF-8 with a byte order mark. A text that a " +
        "spreadsheet would take for a formula is prefixed with an apostrophe.",
      tags: ["Checks"],
      request: { query: ExportChecksQuery },
      responses: {
        200: {
          description: "The table.",
          contentType: "text/csv",
          schema: z.string(),
          examples: examples.export,
          headers: { "Content-Disposition": "`attachment`, with the name `checks.csv`." },
        },
      },
      errors: ["invalid_input", "store_unavailable"],
    },
    async ({ ctx, query }, { manageChecks }) => {
      const batches = await manageChecks.export(selectionOf(query));
      ctx.attachment("checks.csv");
      sendCsv(ctx, csvFile(CHECK_COLUMNS, batches, presentTableRow));
    },
  ),
  route(
    {
      method: "get",
      path: "/v1/checks/stats",
      operationId: "getCheckStats",
      summary: "Aggregates over all checks",
      description:
        "Counts of checks, words and corpus documents, and the mean similarity of the last checks to complete (at most 100).",
      tags: ["Checks"],
      responses: { 200: { description: "The figures.", schema: CheckStats, examples: examples.stats } },
      errors: ["store_unavailable"],
    },
    async (_, { manageChecks }) => {
      const { aggregates, totalSources } = await manageChecks.stats();
      return presentStats(aggregates, totalSources);
    },
  ),
  route(
    {
      method: "get",
      path: "/v1/checks/:check_id",
      operationId: "getCheck",
      summary: "Get a check",
      description: `
The check's metadata. Its \`status\` moves from \`pending\` to \`running\` and ends as \`complete\` or \`failed\`; while it
runs, \`stage\` is its current stage. The \`error_message\` of a failed check says what to do.
`.trim(),
      tags: ["Checks"],
      request: { params: CheckParams },
      responses: { 200: { description: "The metadata.", schema: CheckMetadata, examples: examples.check } },
      errors: ["check_not_found", "store_unavailable"],
    },
    async ({ params }, { manageChecks }) => presentCheck(await manageChecks.find(params.check_id)),
  ),
  route(
    {
      method: "get",
      path: "/v1/checks/:check_id/progress",
      operationId: "followCheck",
      summary: "Follow a check",
      description: `
A stream of server-sent events: the current state, each change, and a final event, after which the server closes the stream.
Progress events have no name; the final one is \`complete\` or \`failed\`. A check that has ended sends only its final
event, and a check that is deleted sends \`failed\` with the status \`deleted\`. No stage is skipped and \`chunks_done\`
never decreases. While a check waits for uploads, its stage is \`fingerprinting\`.

    data: {"stage":"retrieving","chunks_done":16,"chunks_total":40}

    event: complete
    data: {"check_id":"01a1fdd2-fdd2-707b-bd4c-8ab108c3deaf","status":"complete","overall_similarity_pct":65.79,…}

A comment line every 15 seconds keeps the connection open. If the connection breaks, connect again: only intermediate
events are lost.
`.trim(),
      tags: ["Checks"],
      request: { params: CheckParams },
      responses: {
        200: streamResponse(StreamedEvent, examples.progress),
      },
      errors: ["check_not_found", "store_unavailable"],
    },
    ({ ctx, params: { check_id: checkId } }, { followCheck }) =>
      streamStates(ctx, (open) => followCheck(checkId, open), {
        state: presentProgress,
        end: (check: Check | undefined) => presentCheckEnd(checkId, check),
      }),
  ),
  route(
    {
      method: "get",
      path: "/v1/checks/:check_id/original",
      operationId: "getOriginal",
      summary: "Download the original file",
      description: `
The uploaded file of a check, byte for byte. \`original\` in the check says whether there is one, and gives its name, type and
size. It is deleted with the check. With \`KEEP_ORIGINALS=off\` no file is kept.
`.trim(),
      tags: ["Checks"],
      request: { params: CheckParams },
      responses: {
        200: {
          description: "The file.",
          contentType: "application/pdf",
          examples: examples.original,
          also: [
            {
              contentType: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
              examples: examples.original,
            },
            { contentType: "text/plain", examples: examples.original },
          ],
          headers: ORIGINAL_HEADERS,
        },
      },
      errors: ["check_not_found", "original_not_found", "service_busy", "store_unavailable"],
    },
    async ({ ctx, params: { check_id: checkId } }, { readOriginal, pendingAnswers }) => {
      const { filename, mediaType, sizeBytes } = await readOriginal.find(checkId);
      await pendingAnswers.reserve(ctx.res, READING_RATIO * sizeBytes);
      const content = await readOriginal.content(checkId);
      nameFile(ctx, filename, checkId);
      ctx.set("Content-Security-Policy", ORIGINAL_POLICY);
      pendingAnswers.send(ctx, content, mediaType);
    },
  ),
  route(
    {
      method: "get",
      path: "/v1/checks/:check_id/original.html",
      operationId: "getOriginalHtml",
      summary: "Read an original Word document as HTML",
      description: `
The DOCX file of a check as an HTML fragment: headings, paragraphs, lists, tables, footnotes and endnotes, bold and italic text.
Pictures, comments, headers and footers are left out. It is made anew for each request, by a process with limits on time and memory.

The markup is made from a person's file. It has no scripts, and its policy lets a browser run and load nothing; a program that
puts it into a page of its own should keep only the elements that it knows.
`.trim(),
      tags: ["Checks"],
      request: { params: CheckParams },
      responses: {
        200: {
          description: "The fragment.",
          contentType: "text/html",
          schema: z.string(),
          examples: {
            beginning: {
              summary: "The beginning",
              value: "<h1>Summer essay</h1><p>We visited the coast.</p>",
            },
          },
          headers: { "Content-Security-Policy": ORIGINAL_HEADERS["Content-Security-Policy"] },
        },
      },
      errors: [
        "check_not_found",
        "original_not_found",
        "unreadable_file",
        "service_busy",
        "store_unavailable",
      ],
    },
    async ({ ctx, params }, { readOriginal, pendingAnswers }) => {
      const html = Buffer.from(await readOriginal.html(params.check_id, clientGone(ctx)));
      ctx.set("Content-Security-Policy", ORIGINAL_POLICY);
      pendingAnswers.send(ctx, html, "text/html; charset=utf-8");
    },
  ),
  route(
    {
      method: "get",
      path: "/v1/checks/:check_id/ocr-pages",
      operationId: "getOcrPages",
      summary: "Read the words that OCR has found on scanned pages",
      description: `
The words of the pages of a PDF that were read by OCR, with their places, so that a program can mark passages on the pages. The
report's \`page_notes\` names these pages. The list is empty for other checks, and if the file is not kept.
`.trim(),
      tags: ["Checks"],
      request: { params: CheckParams },
      responses: {
        200: { description: "The pages, ascending.", schema: OcrPages, examples: examples.ocrPages },
      },
      errors: ["check_not_found", "store_unavailable"],
    },
    async ({ params }, { readOriginal }) => {
      return { pages: [...(await readOriginal.ocrPages(params.check_id))] };
    },
  ),
  route(
    {
      method: "patch",
      path: "/v1/checks/:check_id",
      operationId: "renameCheck",
      summary: "Rename a check, or keep a review of its report",
      description: `
\`title\` sets a title of 1 to 200 characters; \`null\` removes it. \`review\` keeps a decision on the report of a complete check: a status,
a comment, and the filters with which the report was read. Members of the review that are left out stay as they are, and
\`null\` removes it. The check then shows its review with the score of these filters, beside its own score, which stays.
`.trim(),
      tags: ["Checks"],
      request: {
        params: CheckParams,
        body: { contentType: "application/json", schema: ChangeCheckBody, examples: examples.rename },
      },
      responses: {
        200: { description: "The metadata as it is now.", schema: CheckMetadata, examples: examples.renamed },
      },
      errors: ["check_not_found", "check_not_complete", ...BODY_ERRORS, "store_unavailable"],
    },
    async ({ ctx, params: { check_id: checkId }, body: { title, review } }, parts) => {
      const { manageChecks, reviewCheck, pendingAnswers } = parts;
      const reserve = () => pendingAnswers.reserve(ctx.res, READING_BYTES);
      const reviewed = review === undefined ? undefined : await reviewCheck(checkId, review, reserve);
      const renamed = title === undefined ? undefined : await manageChecks.rename(checkId, title);
      return presentCheck(renamed ?? reviewed ?? (await manageChecks.find(checkId)));
    },
  ),
  route(
    {
      method: "post",
      path: "/v1/checks/:check_id/document",
      operationId: "addToCorpus",
      summary: "Add the text of a check to the corpus",
      description: `
Adds the text of a complete check to the corpus, with the check's title, \`owner\` and \`group\`, so that later checks are compared with
it. What comes from the templates of the check is left out. If the corpus has the same bytes already, the answer is 200 with the
existing document.
`.trim(),
      tags: ["Checks"],
      request: { params: CheckParams, query: AddToCorpusQuery },
      responses: {
        201: { description: "The document is new.", schema: AddedToCorpus, examples: examples.added.added },
        200: {
          description: "The corpus had the same bytes already.",
          schema: AddedToCorpus,
          examples: examples.added.known,
        },
      },
      errors: [
        "check_not_found",
        "check_not_complete",
        "no_extractable_text",
        "invalid_input",
        "store_unavailable",
      ],
    },
    async ({ ctx, params, query }, { addToCorpus }) => {
      const { documentId, isNew } = await addToCorpus(params.check_id, query.collection);
      ctx.status = isNew ? 201 : 200;
      return { document_id: documentId, document_url: `/v1/corpus/documents/${documentId}`, is_new: isNew };
    },
  ),
  route(
    {
      method: "delete",
      path: "/v1/checks/:check_id",
      operationId: "deleteCheck",
      summary: "Delete a check",
      description:
        "Permanently deletes the check with its text, its file, its report and its idempotency key. A running check stops.",
      tags: ["Checks"],
      request: { params: CheckParams },
      responses: { 204: { description: "The check is gone." } },
      errors: ["check_not_found", "store_unavailable"],
    },
    ({ params }, { manageChecks }) => manageChecks.delete(params.check_id),
  ),
];

type SentScope = Pick<z.output<typeof SubmitCheckBody>, "group" | "owner" | "leave_out" | "collections">;

function scopeOf({ group, owner, leave_out: leaveOut, collections }: SentScope): CheckScope {
  return {
    group: group ?? null,
    owner: owner ?? null,
    leaveOut: leaveOut ?? null,
    collections: collections ?? null,
  };
}

function selectionOf(query: z.output<typeof ExportChecksQuery>): CheckSelection {
  const { score_min: scoreMin, score_max: scoreMax, review_status: reviewStatus, ...others } = query;
  const { title, status, sort, order } = others;
  return { title, status, scoreMin, scoreMax, reviewStatus, sort, order };
}

/** The JSON inside the events of the progress stream. */
export const streamedSchemas = { ProgressEvent, ProgressEnd };
