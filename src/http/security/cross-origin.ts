import type { Context, Middleware } from "koa";
import { writeProblem } from "../routing/problem.ts";
import type { AppState } from "../routing/route-table.ts";
import { type IsTrusted, readAddress } from "./client-address.ts";

/**
 * Refuses changes that a browser requests for a page of another origin, with 403: without user accounts the service can't
 * tell a person's own action from another site's. Programs send neither header and are served. Reading is allowed, since
 * the browser keeps the answer from the page.
 */
export function refuseCrossSite(isTrusted: IsTrusted): Middleware<AppState> {
  return (ctx, next) => {
    if (READING.has(ctx.method) || !isCrossSite(ctx, isTrusted)) return next();
    const detail =
      "A browser sent this request from a page of another origin, which may not change data. Send it from a program or from a page of this service.";
    writeProblem(ctx, "cross_site_request", detail);
  };
}

/** Methods that change nothing. Methods that no path has are refused later. */
const READING: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Decides by Fetch Metadata or, without it, by whether the page's origin has the requested host. Browsers omit the former
 * over plain HTTP, except for loopback addresses. Another port of the same name is another origin.
 */
function isCrossSite(ctx: Context, isTrusted: IsTrusted): boolean {
  const site = ctx.get("Sec-Fetch-Site");
  if (site !== "") return site !== "same-origin" && site !== "none";
  const origin = ctx.get("Origin");
  if (origin === "") return false;
  const page = URL.canParse(origin) ? new URL(origin).host : undefined;
  return page === undefined || page === "" || !ownHosts(ctx, isTrusted).includes(page);
}

/** A proxy may pass on the requested host or its own address of the service. */
function ownHosts(ctx: Context, isTrusted: IsTrusted): readonly string[] {
  return [ctx.get("Host").toLowerCase(), requestedHost(ctx, isTrusted)];
}

/** The requested origin, by the request or a trusted proxy. The client controls it: check it before it goes into a page. */
export function requestedOrigin(ctx: Context, isTrusted: IsTrusted): string {
  const scheme = forwarded(ctx, "X-Forwarded-Proto", isTrusted) === "https" ? "https" : ctx.protocol;
  return `${scheme}://${requestedHost(ctx, isTrusted)}`;
}

/** The requested host, with its port. */
function requestedHost(ctx: Context, isTrusted: IsTrusted): string {
  return forwarded(ctx, "X-Forwarded-Host", isTrusted) || ctx.get("Host");
}

/** The last entry comes from the trusted proxy, the entries before it from its client. Empty without a trusted proxy. */
function forwarded(ctx: Context, header: string, isTrusted: IsTrusted): string {
  const peer = readAddress(ctx.socket.remoteAddress ?? "");
  if (peer === undefined || !isTrusted(peer)) return "";
  return ctx.get(header).split(",").at(-1)?.trim().toLowerCase() ?? "";
}

/** Lets pages of any origin read the answers and the `exposedHeaders`, errors included (CORS, the Fetch standard). */
export function allowAllOrigins(exposedHeaders: readonly string[]): Middleware<AppState> {
  const exposed = exposedHeaders.join(", ");
  return async (ctx, next) => {
    ctx.set({
      "Access-Control-Allow-Origin": "*",
      "Access-Control-Expose-Headers": exposed,
      "Cross-Origin-Resource-Policy": "cross-origin",
    });
    await next();
    // An answer of 404 or 429 to a preflight has no methods to allow.
    if (!ctx.res.hasHeader("Allow") || ctx.get("Access-Control-Request-Method") === "") return;
    ctx.set({
      "Access-Control-Allow-Methods": ctx.response.get("Allow"),
      "Access-Control-Allow-Headers": ctx.get("Access-Control-Request-Headers") || "*",
      "Access-Control-Max-Age": String(PREFLIGHT_SECONDS),
    });
  };
}

/** How long a browser may cache a preflight; two hours is the maximum of one browser. */
const PREFLIGHT_SECONDS = 7_200;
