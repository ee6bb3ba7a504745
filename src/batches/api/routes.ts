import type { Context } from "koa";
import type { z } from "zod";
import { clientGone } from "../../http/client-gone.ts";
import { downloadName, nameFile, sendCsv } from "../../http/download.ts";
import { streamResponse, streamStates } from "../../http/event-stream.ts";
import { IdempotencyHeaders } from "../../http/input/wire-types.ts";
import { BODY_ERRORS, FILE_ERRORS, type Route, routesFor } from "../../http/routing/route.ts";
import { FILES_MAX } from "../archive.ts";
import type { Batch } from "../batch.ts";
import type { ReadBatchReport } from "../batch-report.ts";
import type { FollowBatch } from "../follow-batch.ts";
import type { ManageBatches } from "../manage-batches.ts";
import type { AddMembers, SubmitBatch } from "../submit-batch.ts";
import type { WithUnpacked } from "../unpack-files.ts";
import { membersCsv, pairsCsv } from "./csv.ts";
import examples from "./examples.json" with { type: "json" };
import {
  presentBatch,
  presentBatchEnd,
  presentBatchReport,
  presentGraph,
  presentMember,
  presentPairView,
  presentProgress,
  presentSubmitted,
} from "./presenter.ts";
import {
  AddedMembers,
  AddMembersBody,
  AddMembersForm,
  BatchGraphSchema,
  BatchList,
  BatchMetadata,
  BatchParams,
  BatchProgressEnd,
  BatchProgressEvent,
  BatchQuery,
  BatchReportQuery,
  BatchReportSchema,
  BatchWithMembers,
  GraphQuery,
  ListBatchesQuery,
  PairFiltersQuery,
  PairParams,
  PairQuery,
  PairsQuery,
  PairViewSchema,
  RenameBatchBody,
  StreamedBatchEvent,
  SubmitBatchBody,
  SubmitBatchForm,
  SubmittedBatch,
} from "./schema.ts";
import { withSentBatch, withSentMembers } from "./sent-members.ts";

export type BatchRouteParts = {
  readonly submitBatch: SubmitBatch;
  readonly addMembers: AddMembers;
  readonly withUnpacked: WithUnpacked;
  readonly followBatch: FollowBatch;
  readonly manageBatches: ManageBatches;
  readonly readBatchReport: ReadBatchReport;
};

/** All files of a form: a class of 500 with 200 KB each. It is in memory while the request is read. */
const FORM_BYTES_MAX = 100 * 1024 * 1024;

/** The first members of a batch show the folder that all have in common; the client package sends so many at once. */
const NAMES_READ_MAX = 1_000;

const CSV = "text/csv; charset=utf-8; header=present";
const ATTACHMENT = { "Content-Disposition": "Names the saved file after the batch." };

const route = routesFor<BatchRouteParts>();

export const batchRoutes: readonly Route<BatchRouteParts>[] = [
  route(
    {
      method: "post",
      path: "/v1/batches",
      operationId: "submitBatch",
      summary: "Submit texts that are compared with each other",
      description: `
Accepts many texts and compares each with all others in the background: as a form with files or ZIP archives (100 MiB, files of up
to 10 MiB), or as JSON with texts (8 MiB). Further members can be added later.

Each member becomes a check, so it has a report of its own. A file that can't be read is listed with its reason and stops nothing.
In a ZIP archive, hidden files are skipped. An archive inside, and a file whose path begins with a drive or leads out of the archive,
are files that can't be read. All archives of a request together may hold 10,000 files and unpack to 512 MiB.

Text that comes from \`templates\` is not compared. Members of one \`group\` are not compared with each other, for example drafts by
one author or the texts of last year. Text that more than 100 members have in common is marked and not searched for.

An \`Idempotency-Key\` works as for checks. When too many members are waiting, the answer is 503 with \`Retry-After\`.
`.trim(),
      tags: ["Batches"],
      request: {
        headers: IdempotencyHeaders,
        body: {
          contentType: "multipart/form-data",
          schema: SubmitBatchForm,
          examples: examples.submitBatch,
          files: ["files", "templates"],
          many: { bytesMax: FORM_BYTES_MAX, filesMax: FILES_MAX },
          also: { contentType: "application/json", schema: SubmitBatchBody, examples: examples.submitTexts },
        },
      },
      responses: {
        202: { description: "The batch is queued.", schema: SubmittedBatch, examples: examples.submitted },
      },
      errors: [...FILE_ERRORS, "idempotency_key_reused", "store_unavailable"],
    },
    async ({ ctx, headers, body }, { submitBatch, withUnpacked }) => {
      const signal = clientGone(ctx);
      return withSentBatch(body, { withUnpacked, signal }, async ({ settings, request, ...sent }) => {
        const identity = [JSON.stringify(settings), ...request];
        const key = { idempotencyKey: headers["Idempotency-Key"], request: identity };
        return presentSubmitted(await submitBatch({ ...sent, settings, ...key, signal }));
      });
    },
  ),
  route(
    {
      method: "post",
      path: "/v1/batches/:batch_id/members",
      operationId: "addMembers",
      summary: "Add members to a batch",
      description:
        "Adds texts or files as `POST /v1/batches` takes them. They are compared with all members that are there and with each other; " +
        "members that are there are not compared again. An `Idempotency-Key` works as for checks.",
      tags: ["Batches"],
      request: {
        params: BatchParams,
        headers: IdempotencyHeaders,
        body: {
          contentType: "multipart/form-data",
          schema: AddMembersForm,
          examples: examples.addMembers,
          files: ["files"],
          many: { bytesMax: FORM_BYTES_MAX, filesMax: FILES_MAX },
          also: { contentType: "application/json", schema: AddMembersBody, examples: examples.addTexts },
        },
      },
      responses: {
        202: { description: "The members are queued.", schema: AddedMembers, examples: examples.added },
      },
      errors: [
        "batch_not_found",
        ...BODY_ERRORS,
        "unreadable_file",
        "idempotency_key_reused",
        "store_unavailable",
      ],
    },
    async ({ ctx, params: { batch_id: batchId }, headers, body }, parts) => {
      const { addMembers, manageBatches, withUnpacked } = parts;
      const signal = clientGone(ctx);
      const readNames = async () => {
        const { members } = await manageBatches.find(batchId, { limit: NAMES_READ_MAX, offset: 0 });
        return members.map(({ name }) => name);
      };
      return withSentMembers(body, { withUnpacked, signal }, readNames, async (sent) => {
        const idempotencyKey = headers["Idempotency-Key"];
        const added = await addMembers(batchId, { ...sent, idempotencyKey, signal });
        return { members_added: added, ...presentSubmitted(batchId) };
      });
    },
  ),
  route(
    {
      method: "get",
      path: "/v1/batches",
      operationId: "listBatches",
      summary: "List the batches",
      description:
        "All batches, newest first, page by page; with `title`, those whose title contains this text.",
      tags: ["Batches"],
      request: { query: ListBatchesQuery },
      responses: { 200: { description: "One page.", schema: BatchList, examples: examples.batchList } },
      errors: ["invalid_input", "store_unavailable"],
    },
    async ({ query: { limit, offset, title } }, { manageBatches }) => {
      const { items, total } = await manageBatches.list({ limit, offset, title });
      return { items: items.map(presentBatch), total, limit, offset };
    },
  ),
  route(
    {
      method: "get",
      path: "/v1/batches/:batch_id",
      operationId: "getBatch",
      summary: "Get a batch",
      description:
        "The batch with one page of its members, in the order of their arrival. A member that was read has a check.",
      tags: ["Batches"],
      request: { params: BatchParams, query: BatchQuery },
      responses: { 200: { description: "The batch.", schema: BatchWithMembers, examples: examples.batch } },
      errors: ["batch_not_found", "invalid_input", "store_unavailable"],
    },
    async ({ params, query }, { manageBatches }) => {
      const { batch, members } = await manageBatches.find(params.batch_id, query);
      return { ...presentBatch(batch), members: members.map(presentMember) };
    },
  ),
  route(
    {
      method: "get",
      path: "/v1/batches/:batch_id/progress",
      operationId: "followBatch",
      summary: "Follow a batch",
      description: `
A stream of server-sent events as that of a check: the current state, changes (at most four a second), and a final event,
\`complete\`, or \`failed\` with the status \`deleted\`. The counts of members never decrease unless members are deleted.
`.trim(),
      tags: ["Batches"],
      request: { params: BatchParams },
      responses: {
        200: streamResponse(StreamedBatchEvent, examples.batchProgress),
      },
      errors: ["batch_not_found", "store_unavailable"],
    },
    ({ ctx, params: { batch_id: batchId } }, { followBatch }) =>
      streamStates(ctx, (open) => followBatch(batchId, open), {
        state: presentProgress,
        end: (batch: Batch | undefined) => presentBatchEnd(batchId, batch),
      }),
  ),
  route(
    {
      method: "get",
      path: "/v1/batches/:batch_id/report",
      operationId: "getBatchReport",
      summary: "Get the report of a batch",
      description: `
Who shares text with whom: members and pairs by descending similarity, page by page, clusters of connected members, the
distribution of similarities, and the members that could not be read. It can be read before the batch is complete.

Each side of a pair has its own similarity: the share of its text that is in passages of both. Clusters are made of the 200,000
most similar pairs.
`.trim(),
      tags: ["Batches"],
      request: { params: BatchParams, query: BatchReportQuery },
      responses: {
        200: { description: "The report.", schema: BatchReportSchema, examples: examples.batchReport },
      },
      errors: ["batch_not_found", "invalid_input", "store_unavailable"],
    },
    async ({ params, query: { limit, offset, ...selection } }, { readBatchReport }) => {
      const options = { limit, offset, ...selectionOf(selection) };
      return presentBatchReport(await readBatchReport.report(params.batch_id, options), options);
    },
  ),
  route(
    {
      method: "get",
      path: "/v1/batches/:batch_id/graph",
      operationId: "getBatchGraph",
      summary: "Get all members and pairs in a compact form",
      description:
        "All members that were read and the 50,000 most similar pairs at once, for drawing a batch as a whole or for grouping it by " +
        "thresholds of your own. It can be read before the batch is complete.",
      tags: ["Batches"],
      request: { params: BatchParams, query: GraphQuery },
      responses: {
        200: { description: "The graph.", schema: BatchGraphSchema, examples: examples.batchGraph },
      },
      errors: ["batch_not_found", "invalid_input", "store_unavailable"],
    },
    async ({ params, query }, { readBatchReport }) => {
      const options = selectionOf(query);
      return presentGraph(await readBatchReport.graph(params.batch_id, options), options.similarityMin);
    },
  ),
  route(
    {
      method: "get",
      path: "/v1/batches/:batch_id/pairs/:a/:b",
      operationId: "getBatchPair",
      summary: "Get two members with their passages",
      description:
        "Both texts, and the passages that they have in common; the order of the two members does not matter. Two members without " +
        "any passage have an empty list. Filters leave out passages, also in the figures.",
      tags: ["Batches"],
      request: { params: PairParams, query: PairQuery },
      responses: { 200: { description: "The pair.", schema: PairViewSchema, examples: examples.pair } },
      errors: ["batch_not_found", "member_not_found", "invalid_input", "store_unavailable"],
    },
    async ({ params: { batch_id: batchId, a, b }, query }, { readBatchReport }) => {
      const pair = await readBatchReport.pair(batchId, a, b, filtersOf(query));
      return presentPairView(batchId, pair, query.offset_unit);
    },
  ),
  route(
    {
      method: "get",
      path: "/v1/batches/:batch_id/pairs.csv",
      operationId: "getBatchPairsCsv",
      summary: "Get the pairs as a table",
      description:
        "One row for each pair of at least `min_similarity`, the most similar first, in UTF-8 with a byte order mark.",
      tags: ["Batches"],
      request: { params: BatchParams, query: PairsQuery },
      responses: {
        200: {
          description: "The table.",
          contentType: CSV,
          examples: examples.pairsCsv,
          headers: ATTACHMENT,
        },
      },
      errors: ["batch_not_found", "invalid_input", "store_unavailable"],
    },
    async ({ ctx, params, query }, { readBatchReport }) => {
      const { filters, similarityMin } = selectionOf(query);
      const { batch, pages } = await readBatchReport.pairs(params.batch_id, filters, similarityMin);
      answerCsv(ctx, batch, "pairs", pairsCsv(pages));
    },
  ),
  route(
    {
      method: "get",
      path: "/v1/batches/:batch_id/members.csv",
      operationId: "getBatchMembersCsv",
      summary: "Get the members as a table",
      description:
        "One row for each member, the most similar first, those that could not be read last with the reason.",
      tags: ["Batches"],
      request: { params: BatchParams, query: PairFiltersQuery },
      responses: {
        200: {
          description: "The table.",
          contentType: CSV,
          examples: examples.membersCsv,
          headers: ATTACHMENT,
        },
      },
      errors: ["batch_not_found", "invalid_input", "store_unavailable"],
    },
    async ({ ctx, params, query }, { readBatchReport }) => {
      const { batch, pages, failed } = await readBatchReport.members(params.batch_id, filtersOf(query));
      answerCsv(ctx, batch, "members", membersCsv(pages, failed));
    },
  ),
  route(
    {
      method: "patch",
      path: "/v1/batches/:batch_id",
      operationId: "renameBatch",
      summary: "Rename a batch",
      description:
        "Sets a title of 1 to 200 characters, or removes it with `null`. Nothing else can be changed.",
      tags: ["Batches"],
      request: {
        params: BatchParams,
        body: { contentType: "application/json", schema: RenameBatchBody, examples: examples.renameBatch },
      },
      responses: {
        200: { description: "The batch.", schema: BatchMetadata, examples: examples.renamedBatch },
      },
      errors: ["batch_not_found", ...BODY_ERRORS, "store_unavailable"],
    },
    async ({ params, body }, { manageBatches }) =>
      presentBatch(await manageBatches.rename(params.batch_id, body.title)),
  ),
  route(
    {
      method: "delete",
      path: "/v1/batches/:batch_id",
      operationId: "deleteBatch",
      summary: "Delete a batch",
      description:
        "Permanently deletes the batch with its members, their checks and their pairs. Documents in the corpus stay.",
      tags: ["Batches"],
      request: { params: BatchParams },
      responses: { 204: { description: "The batch is gone." } },
      errors: ["batch_not_found", "store_unavailable"],
    },
    ({ params }, { manageBatches }) => manageBatches.delete(params.batch_id),
  ),
];

function filtersOf({ exclude_quotes, exclude_common }: z.output<typeof PairFiltersQuery>) {
  return { excludeQuotes: exclude_quotes, excludeCommon: exclude_common };
}

function selectionOf(query: z.output<typeof PairsQuery>) {
  return { filters: filtersOf(query), similarityMin: query.min_similarity / 100 };
}

function answerCsv(ctx: Context, batch: Batch, what: string, lines: AsyncIterable<string>): void {
  const name = downloadName(batch.title ?? "", `Batch ${batch.batchId}`, ` - ${what}.csv`);
  nameFile(ctx, name, `${batch.batchId}.csv`);
  sendCsv(ctx, lines);
}

/** The JSON inside the events of the progress stream. */
export const batchStreamedSchemas = { BatchProgressEvent, BatchProgressEnd };
