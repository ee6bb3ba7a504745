import { Readable } from "node:stream";
import { Router } from "@koa/router";
import type { Context } from "koa";
import type { z } from "zod";
import { clientGone } from "../../http/client-gone.ts";
import { csvFile } from "../../http/csv.ts";
import { streamStates } from "../../http/event-stream.ts";
import { inTurns } from "../../http/in-turns.ts";
import { readJsonBody } from "../../http/input/json-body.ts";
import { invalidInput, parse } from "../../http/input/parse.ts";
import { readUpload } from "../../http/input/upload.ts";
import { pathUuid, withoutBlanks } from "../../http/input/wire-types.ts";
import { sendLarge } from "../../http/large-answer.ts";
import type { PendingAnswers } from "../../http/pending-answers.ts";
import { type Check, checkNotFound } from "../check.ts";
import type { CheckSelection } from "../check-store.ts";
import type { FollowCheck } from "../follow-check.ts";
import type { ManageChecks } from "../manage-checks.ts";
import type { ReadOriginal } from "../read-original.ts";
import type { SubmitCheck, SubmitUpload } from "../submit-check.ts";
import {
  CHECK_COLUMNS,
  presentCheck,
  presentCheckRow,
  presentEnd,
  presentProgress,
  presentStats,
  presentSubmitted,
} from "./presenter.ts";
import {
  ExportChecksQuery,
  IdempotencyKey,
  ListChecksQuery,
  RenameCheckBody,
  SubmitCheckBody,
  UploadCheckFields,
} from "./schema.ts";

/** The spec's limit on a file that is to be checked. */
export const UPLOAD_BYTES_MAX = 10 * 1024 * 1024;

type Parts = {
  readonly submitCheck: SubmitCheck;
  readonly submitUpload: SubmitUpload;
  readonly followCheck: FollowCheck;
  readonly manageChecks: ManageChecks;
  readonly readOriginal: ReadOriginal;
  readonly pendingAnswers: PendingAnswers;
};

/** A file from outside is only ever saved or read by a page: opened by its address, it must run and load nothing. */
const ORIGINAL_POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox";

/** PostgreSQL sends bytes as hexadecimal digits. */
const READING_RATIO = 3;

export function checkRouter(parts: Parts): Router {
  const { submitCheck, submitUpload, followCheck, manageChecks, readOriginal, pendingAnswers } = parts;
  const router = new Router();

  router.post("/v1/checks", async (ctx) => {
    const idempotencyKey = idempotencyKeyOf(ctx);
    const body = parse(SubmitCheckBody, await readJsonBody(ctx));
    const { query_text: queryText, language, title = null } = body;
    const request = (used: string) => ["text", queryText, used, title];
    answerSubmitted(ctx, await submitCheck({ queryText, language, title, idempotencyKey, request }));
  });

  router.post("/v1/checks/upload", async (ctx) => {
    const idempotencyKey = idempotencyKeyOf(ctx);
    const signal = clientGone(ctx);
    const { file, fields } = await readUpload(ctx, {
      fileBytesMax: UPLOAD_BYTES_MAX,
      fields: ["language", "title"],
    });
    const { language, title } = parse(UploadCheckFields, withoutBlanks(fields));
    answerSubmitted(ctx, await submitUpload({ file, language, title, idempotencyKey, signal }));
  });

  router.get("/v1/checks", async (ctx) => {
    const { limit, offset, ...query } = parse(ListChecksQuery, ctx.query);
    const { items, total } = await manageChecks.list(selectionOf(query), { limit, offset });
    ctx.body = { items: items.map(presentCheckRow), total, limit, offset };
  });

  router.get("/v1/checks.csv", async (ctx) => {
    const batches = await manageChecks.export(selectionOf(parse(ExportChecksQuery, ctx.query)));
    ctx.attachment("checks.csv");
    ctx.type = "text/csv; charset=utf-8; header=present";
    ctx.body = Readable.from(inTurns(csvFile(CHECK_COLUMNS, batches, presentCheck)));
  });

  router.get("/v1/checks/stats", async (ctx) => {
    const { aggregates, totalSources } = await manageChecks.stats();
    ctx.body = presentStats(aggregates, totalSources);
  });

  router.get("/v1/checks/:check_id", async (ctx) => {
    ctx.body = presentCheck(await manageChecks.find(checkIdOf(ctx)));
  });

  router.patch("/v1/checks/:check_id", async (ctx) => {
    const checkId = checkIdOf(ctx);
    const { title } = parse(RenameCheckBody, await readJsonBody(ctx));
    ctx.body = presentCheck(await manageChecks.rename(checkId, title));
  });

  router.delete("/v1/checks/:check_id", async (ctx) => {
    await manageChecks.delete(checkIdOf(ctx));
    ctx.status = 204;
  });

  router.get("/v1/checks/:check_id/original", async (ctx) => {
    const checkId = checkIdOf(ctx);
    const { filename, mediaType, sizeBytes } = await readOriginal.find(checkId);
    await pendingAnswers.reserve(ctx.res, READING_RATIO * sizeBytes);
    const content = await readOriginal.content(checkId);
    // Older clients get the identifier unless the name is plain ASCII.
    ctx.attachment(filename, { fallback: /^[\x20-\x7e]*$/.test(filename) || checkId });
    ctx.set("Content-Security-Policy", ORIGINAL_POLICY);
    sendLarge(ctx, content, mediaType, pendingAnswers);
  });

  router.get("/v1/checks/:check_id/original.html", async (ctx) => {
    const checkId = checkIdOf(ctx);
    const html = Buffer.from(await readOriginal.html(checkId, clientGone(ctx)));
    ctx.set("Content-Security-Policy", ORIGINAL_POLICY);
    sendLarge(ctx, html, "text/html; charset=utf-8", pendingAnswers);
  });

  router.get("/v1/checks/:check_id/progress", async (ctx) => {
    const checkId = checkIdOf(ctx);
    await streamStates(ctx, (open) => followCheck(checkId, open), {
      state: presentProgress,
      end: (check: Check | undefined) => presentEnd(checkId, check),
    });
  });

  return router;
}

function selectionOf(query: z.output<typeof ExportChecksQuery>): CheckSelection {
  const { score_min: scoreMin, score_max: scoreMax, title, status, sort, order } = query;
  return { title, status, scoreMin, scoreMax, sort, order };
}

function answerSubmitted(ctx: Context, checkId: string): void {
  ctx.status = 202;
  ctx.body = presentSubmitted(checkId);
}

function checkIdOf(ctx: Context): string {
  return pathUuid(ctx, "check_id", checkNotFound);
}

export function idempotencyKeyOf(ctx: Context): string | undefined {
  if (ctx.req.headers["idempotency-key"] === undefined) return undefined;
  const key = IdempotencyKey.safeParse(ctx.get("Idempotency-Key"));
  if (key.success) return key.data;
  throw invalidInput([{ field: "Idempotency-Key", message: "must have 1 to 255 characters" }]);
}
