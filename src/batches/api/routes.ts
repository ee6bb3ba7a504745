import { Readable } from "node:stream";
import { Router } from "@koa/router";
import type { Context } from "koa";
import type { z } from "zod";
import { idempotencyKeyOf } from "../../checks/index.ts";
import { clientGone } from "../../http/client-gone.ts";
import { downloadName } from "../../http/download-name.ts";
import { streamStates } from "../../http/event-stream.ts";
import { inTurns } from "../../http/in-turns.ts";
import { readJsonBody } from "../../http/input/json-body.ts";
import { parse } from "../../http/input/parse.ts";
import { pathUuid } from "../../http/input/wire-types.ts";
import { type Batch, batchNotFound, memberNotFound } from "../batch.ts";
import type { ReadBatchReport } from "../batch-report.ts";
import type { FollowBatch } from "../follow-batch.ts";
import type { ManageBatches } from "../manage-batches.ts";
import type { AddMembers, SubmitBatch } from "../submit-batch.ts";
import { membersCsv, pairsCsv } from "./csv.ts";
import {
  presentBatch,
  presentEnd,
  presentGraph,
  presentMember,
  presentPairView,
  presentProgress,
  presentReport,
  presentSubmitted,
} from "./presenter.ts";
import {
  BatchQuery,
  BatchReportQuery,
  GraphQuery,
  ListBatchesQuery,
  PairFiltersQuery,
  PairQuery,
  PairsQuery,
  RenameBatchBody,
} from "./schema.ts";
import { sentBatch, sentMembers } from "./sent-members.ts";

/** The first members of a batch show the folder that all have in common; the client package sends so many at once. */
const NAMES_READ_MAX = 1_000;

type Parts = {
  readonly submitBatch: SubmitBatch;
  readonly addMembers: AddMembers;
  readonly followBatch: FollowBatch;
  readonly manageBatches: ManageBatches;
  readonly readBatchReport: ReadBatchReport;
};

export function batchRouter(parts: Parts): Router {
  const { submitBatch, addMembers, followBatch, manageBatches, readBatchReport } = parts;
  const router = new Router();

  router.post("/v1/batches", async (ctx) => {
    const idempotencyKey = idempotencyKeyOf(ctx);
    const signal = clientGone(ctx);
    const { settings, request, ...sent } = await sentBatch(ctx);
    const identity = [JSON.stringify(settings), ...request];
    ctx.body = presentSubmitted(
      await submitBatch({ ...sent, settings, idempotencyKey, request: identity, signal }),
    );
    ctx.status = 202;
  });

  router.post("/v1/batches/:batch_id/members", async (ctx) => {
    const batchId = batchIdOf(ctx);
    const idempotencyKey = idempotencyKeyOf(ctx);
    const readNames = async () => {
      const { members } = await manageBatches.find(batchId, { limit: NAMES_READ_MAX, offset: 0 });
      return members.map(({ name }) => name);
    };
    const sent = await sentMembers(ctx, readNames);
    const added = await addMembers(batchId, { ...sent, idempotencyKey });
    ctx.body = { members_added: added, ...presentSubmitted(batchId) };
    ctx.status = 202;
  });

  router.get("/v1/batches", async (ctx) => {
    const { limit, offset, title } = parse(ListBatchesQuery, ctx.query);
    const { items, total } = await manageBatches.list({ limit, offset, title });
    ctx.body = { items: items.map(presentBatch), total, limit, offset };
  });

  router.get("/v1/batches/:batch_id", async (ctx) => {
    const { batch, members } = await manageBatches.find(batchIdOf(ctx), parse(BatchQuery, ctx.query));
    ctx.body = { ...presentBatch(batch), members: members.map(presentMember) };
  });

  router.patch("/v1/batches/:batch_id", async (ctx) => {
    const batchId = batchIdOf(ctx);
    const { title } = parse(RenameBatchBody, await readJsonBody(ctx));
    ctx.body = presentBatch(await manageBatches.rename(batchId, title));
  });

  router.delete("/v1/batches/:batch_id", async (ctx) => {
    await manageBatches.delete(batchIdOf(ctx));
    ctx.status = 204;
  });

  router.get("/v1/batches/:batch_id/report", async (ctx) => {
    const { limit, offset, ...selection } = parse(BatchReportQuery, ctx.query);
    const options = {
      limit,
      offset,
      filters: filtersOf(selection),
      similarityMin: selection.min_similarity / 100,
    };
    ctx.body = presentReport(await readBatchReport.report(batchIdOf(ctx), options), options);
  });

  router.get("/v1/batches/:batch_id/graph", async (ctx) => {
    const { min_similarity, ...selection } = parse(GraphQuery, ctx.query);
    const options = { filters: filtersOf(selection), similarityMin: min_similarity / 100 };
    const graph = await readBatchReport.graph(batchIdOf(ctx), options);
    ctx.body = presentGraph(graph, options.similarityMin);
  });

  router.get("/v1/batches/:batch_id/pairs.csv", async (ctx) => {
    const selection = parse(PairsQuery, ctx.query);
    const { batch, rows } = await readBatchReport.pairs(
      batchIdOf(ctx),
      filtersOf(selection),
      selection.min_similarity / 100,
    );
    answerCsv(ctx, batch, "pairs", pairsCsv(rows));
  });

  router.get("/v1/batches/:batch_id/members.csv", async (ctx) => {
    const filters = filtersOf(parse(PairFiltersQuery, ctx.query));
    const { batch, rows, failed } = await readBatchReport.members(batchIdOf(ctx), filters);
    answerCsv(ctx, batch, "members", membersCsv(rows, failed));
  });

  router.get("/v1/batches/:batch_id/pairs/:a/:b", async (ctx) => {
    const batchId = batchIdOf(ctx);
    const { offset_unit: unit, ...selection } = parse(PairQuery, ctx.query);
    const [a, b] = [pathUuid(ctx, "a", memberNotFound), pathUuid(ctx, "b", memberNotFound)];
    const pair = await readBatchReport.pair(batchId, a, b, filtersOf(selection));
    ctx.body = presentPairView(batchId, pair, unit);
  });

  router.get("/v1/batches/:batch_id/progress", async (ctx) => {
    const batchId = batchIdOf(ctx);
    await streamStates(ctx, (open) => followBatch(batchId, open), {
      state: presentProgress,
      end: (batch: Batch | undefined) => presentEnd(batchId, batch),
    });
  });

  return router;
}

function batchIdOf(ctx: Context): string {
  return pathUuid(ctx, "batch_id", batchNotFound);
}

function filtersOf({ exclude_quotes, exclude_common }: z.output<typeof PairFiltersQuery>) {
  return { excludeQuotes: exclude_quotes, excludeCommon: exclude_common };
}

function answerCsv(ctx: Context, batch: Batch, what: string, lines: AsyncIterable<string>): void {
  const name = downloadName(batch.title ?? "", `Batch ${batch.batchId}`, ` - ${what}.csv`);
  const isPlain = /^[\x20-\x7e]*$/.test(name);
  ctx.attachment(name, { type: "attachment", fallback: isPlain || `${batch.batchId}.csv` });
  ctx.type = "text/csv; charset=utf-8; header=present";
  ctx.body = Readable.from(inTurns(lines));
}
