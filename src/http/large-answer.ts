import { Readable } from "node:stream";
import type { Context } from "koa";
import type { PendingAnswers } from "./pending-answers.ts";

/** Answers with JSON that may take megabytes, for which the memory is reserved already. */
export function sendLargeJson(ctx: Context, answer: object, pendingAnswers: PendingAnswers): void {
  sendLarge(ctx, Buffer.from(JSON.stringify(answer)), "application/json; charset=utf-8", pendingAnswers);
}

export function sendLarge(ctx: Context, bytes: Buffer, type: string, pendingAnswers: PendingAnswers): void {
  pendingAnswers.resize(ctx.res, bytes.length);
  ctx.type = type;
  ctx.body = Readable.from(piecesOf(bytes));
  ctx.length = bytes.length;
}

/** An answer in pieces, which show how far its client has read. */
function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += PIECE_BYTES)
    yield bytes.subarray(start, start + PIECE_BYTES);
}

const PIECE_BYTES = 64 * 1024;
