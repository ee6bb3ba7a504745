import { createHash } from "node:crypto";
import type { Context } from "koa";

/** An answer as it leaves: the bytes, and what is said of them. */
export type Answer = {
  readonly body: Buffer;
  readonly type: string;
  readonly etag: string;
  /** The licence and the attribution, for formats that have no room for them. */
  readonly link: string;
  /** What a browser calls the file when it saves the answer. */
  readonly filename: string | undefined;
};

export function toAnswer(
  text: string,
  { type, link, filename }: { readonly type: string; readonly link: string; readonly filename?: string },
): Answer {
  const body = Buffer.from(text);
  const digest = createHash("sha256").update(body).digest("base64url").slice(0, ETAG_CHARS);
  return { body, type, etag: `"${digest}"`, link, filename };
}

/** 132 bits of the hash: two answers never share them. */
const ETAG_CHARS = 22;

/** Sends an answer, or 304 without it when the client has it already. */
export function sendAnswer(ctx: Context, { body, type, etag, link, filename }: Answer): void {
  ctx.status = 200;
  ctx.set({ ETag: etag, "Cache-Control": CACHE_CONTROL, Link: link });
  if (isMatch(ctx.get("If-None-Match"), etag)) {
    ctx.status = 304;
    return;
  }
  ctx.set("Content-Type", type);
  if (filename !== undefined) ctx.set("Content-Disposition", `attachment; filename="${filename}"`);
  ctx.body = body;
}

/**
 * Whether a client that sends these tags has the answer (RFC 9110, section 13.1.2). Koa's own look would also heed
 * `Cache-Control: no-cache`, which is meant for caches on the way, and which programs send that use `fetch`.
 */
function isMatch(ifNoneMatch: string, etag: string): boolean {
  return ifNoneMatch.split(",").some((tag) => {
    const bare = tag.trim().replace(/^W\//, "");
    return bare === etag || bare === "*";
  });
}

/**
 * Anyone may keep an answer, and need not ask again for five minutes: data changes once a day at most, and a load is
 * seen soon all the same.
 */
const CACHE_CONTROL = "public, max-age=300";
