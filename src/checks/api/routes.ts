import { Router } from "@koa/router";
import type { Context } from "koa";
import { clientGone } from "../../http/client-gone.ts";
import { type EventStream, openEventStream } from "../../http/event-stream.ts";
import { readJsonBody } from "../../http/input/json-body.ts";
import { invalidInput, parse } from "../../http/input/parse.ts";
import { readUpload } from "../../http/input/upload.ts";
import { pathUuid, withoutBlanks } from "../../http/input/wire-types.ts";
import { checkNotFound } from "../check.ts";
import type { FollowCheck } from "../follow-check.ts";
import type { ManageChecks } from "../manage-checks.ts";
import type { SubmitCheck, SubmitUpload } from "../submit-check.ts";
import {
  presentCheck,
  presentCheckRow,
  presentEnd,
  presentProgress,
  presentStats,
  presentSubmitted,
} from "./presenter.ts";
import {
  IdempotencyKey,
  ListChecksQuery,
  RenameCheckBody,
  SubmitCheckBody,
  UploadCheckFields,
} from "./schema.ts";

/** The spec's limit on a file that is to be checked. */
const UPLOAD_BYTES_MAX = 10 * 1024 * 1024;

type Parts = {
  readonly submitCheck: SubmitCheck;
  readonly submitUpload: SubmitUpload;
  readonly followCheck: FollowCheck;
  readonly manageChecks: ManageChecks;
};

export function checkRouter({ submitCheck, submitUpload, followCheck, manageChecks }: Parts): Router {
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
    const { limit, offset, title, status } = parse(ListChecksQuery, ctx.query);
    const { items, total } = await manageChecks.list({ limit, offset, title, status });
    ctx.body = { items: items.map(presentCheckRow), total, limit, offset };
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

  router.get("/v1/checks/:check_id/progress", async (ctx) => {
    const checkId = checkIdOf(ctx);
    await new Promise<void>((resolve, reject) => {
      let stream: EventStream | undefined;
      followCheck(checkId, () => {
        const opened = openEventStream(ctx);
        stream = opened;
        resolve();
        return {
          show: (progress) => opened.send(presentProgress(progress)),
          end: (check) => {
            const { event, data } = presentEnd(checkId, check);
            opened.send(data, event);
            opened.close();
          },
          closed: opened.closed,
        };
      }).catch((error: unknown) => {
        // An open stream can carry no problem: it ends, and its client opens another, which gets the present state.
        if (stream !== undefined) ctx.app.emit("error", error);
        stream?.close();
        reject(error);
      });
    });
  });

  return router;
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
