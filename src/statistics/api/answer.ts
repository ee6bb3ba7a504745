import { createHash } from "node:crypto";
import type { Context } from "koa";
import type { z } from "zod";
import { type Cell, toCsv } from "../../http/csv.ts";
import { licenseLink, type MetaFacts, presentMeta } from "./meta.ts";

/** An answer as it is sent. */
export type Answer = {
  readonly body: Buffer;
  readonly type: string;
  readonly etag: string;
  /** The licence and the attribution, for formats that can't contain them. */
  readonly link: string;
  /** The name under which a browser saves the answer. */
  readonly filename?: string;
};

export type Format = "json" | "csv";

/** An answer in JSON: the envelope with its data. */
export function jsonAnswer(facts: MetaFacts, data: unknown): Answer {
  const meta = presentMeta(facts);
  return {
    ...bytesOf(JSON.stringify({ meta, data })),
    type: "application/json; charset=utf-8",
    link: licenseLink(meta.attribution),
  };
}

/** A table in either format: the same rows in the same order, with the same numbers. The schema's members are the columns. */
export function tableAnswer<C extends string>(
  format: Format,
  facts: MetaFacts,
  schema: z.ZodObject<Record<C, z.ZodType<Cell>>>,
  rows: readonly { readonly [c in C]: Cell }[],
): Answer {
  if (format === "json") return jsonAnswer(facts, rows);
  return {
    ...bytesOf(toCsv(schema.keyof().options, rows)),
    type: "text/csv; charset=utf-8; header=present",
    link: licenseLink(presentMeta(facts).attribution),
    filename: filenameOf(facts),
  };
}

/** A table has no space for caveats, so the name of the file says when its data are synthetic. */
function filenameOf({ topic, dataset, window }: MetaFacts): string {
  const parts = [...(dataset.isDemo ? ["demo"] : []), topic, window?.id ?? "empty"];
  return `${parts.join("-")}.csv`;
}

function bytesOf(text: string): { readonly body: Buffer; readonly etag: string } {
  const body = Buffer.from(text);
  const digest = createHash("sha256").update(body).digest("base64url").slice(0, ETAG_CHARS);
  return { body, etag: `"${digest}"` };
}

/** 132 bits of the hash: two answers never share them. */
const ETAG_CHARS = 22;

/** Sends an answer, or 304 when the client has it already. */
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
 * Whether a client that sends these tags has the answer (RFC 9110, section 13.1.2). Koa's `fresh` would also heed
 * `Cache-Control: no-cache`, which is meant for caches on the way and is sent by programs that use `fetch`.
 */
function isMatch(ifNoneMatch: string, etag: string): boolean {
  return ifNoneMatch.split(",").some((tag) => {
    const bare = tag.trim().replace(/^W\//, "");
    return bare === etag || bare === "*";
  });
}

/** Any cache may keep an answer for five minutes: data change at most once a day, and a load is still seen soon. */
const CACHE_CONTROL = "public, max-age=300";
