import type { Context, Middleware } from "koa";
import { toProblem, writeProblem } from "../problem.ts";
import type { AppState } from "../routing.ts";
import { type IsTrusted, readAddress } from "./client-address.ts";

/**
 * Refuses what a page of another origin has a browser change here, with 403: the service knows no users, so it can't tell
 * a person's own click from a stranger's page. Clients that are no browser send neither header and are served. Reading is
 * not refused, as the browser keeps the answer from the page.
 */
export function refuseCrossSite(isTrusted: IsTrusted): Middleware<AppState> {
  return (ctx, next) => {
    if (READING.has(ctx.method) || !isCrossSite(ctx, isTrusted)) return next();
    const detail =
      "A browser sent this from a page of another origin, which may change nothing here. Send it from a program, or from a page of this service.";
    writeProblem(ctx, toProblem("cross_site_request", detail));
  };
}

/** What changes nothing here; the methods that no path has are refused for that. */
const READING: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * What the browser itself says (Fetch Metadata), else whether the page's origin has the host that was asked. Browsers
 * leave the former out over plain HTTP, except to loopback addresses. Another port of the same name is another origin.
 */
function isCrossSite(ctx: Context, isTrusted: IsTrusted): boolean {
  const site = ctx.get("Sec-Fetch-Site");
  if (site !== "") return site !== "same-origin" && site !== "none";
  const origin = ctx.get("Origin");
  if (origin === "") return false;
  const page = URL.canParse(origin) ? new URL(origin).host : undefined;
  return page === undefined || page === "" || !ownHosts(ctx, isTrusted).includes(page);
}

/** A proxy may hand on either what it was asked, or the address at which it asks. */
function ownHosts(ctx: Context, isTrusted: IsTrusted): readonly string[] {
  return [ctx.get("Host").toLowerCase(), requestedHost(ctx, isTrusted)];
}

/**
 * The origin that the client asked for, such as `https://checks.example.org`: what the request itself says, or, from a
 * trusted proxy, what that says of it. Text of the client's making: look at it before it goes into a page.
 */
export function requestedOrigin(ctx: Context, isTrusted: IsTrusted): string {
  const scheme = forwarded(ctx, "X-Forwarded-Proto", isTrusted) === "https" ? "https" : ctx.protocol;
  return `${scheme}://${requestedHost(ctx, isTrusted)}`;
}

/** The host of it, with its port. */
export function requestedHost(ctx: Context, isTrusted: IsTrusted): string {
  return forwarded(ctx, "X-Forwarded-Host", isTrusted) || ctx.get("Host");
}

/** The last entry is that of the proxy which is trusted; those before it were sent to it. Empty where none is trusted. */
function forwarded(ctx: Context, header: string, isTrusted: IsTrusted): string {
  const peer = readAddress(ctx.socket.remoteAddress ?? "");
  if (peer === undefined || !isTrusted(peer)) return "";
  return ctx.get(header).split(",").at(-1)?.trim().toLowerCase() ?? "";
}

/**
 * Lets pages of any origin read the answers, errors included (the Fetch standard's CORS protocol). `exposedHeaders` are
 * those that a page may read beside the few that it always may.
 */
export function openToOtherOrigins(exposedHeaders: readonly string[]): Middleware<AppState> {
  const exposed = exposedHeaders.join(", ");
  return async (ctx, next) => {
    ctx.set({
      "Access-Control-Allow-Origin": "*",
      "Access-Control-Expose-Headers": exposed,
      "Cross-Origin-Resource-Policy": "cross-origin",
    });
    await next();
    if (ctx.method !== "OPTIONS" || ctx.get("Access-Control-Request-Method") === "") return;
    ctx.set({
      "Access-Control-Allow-Methods": ctx.response.get("Allow"),
      "Access-Control-Allow-Headers": ctx.get("Access-Control-Request-Headers") || "*",
      "Access-Control-Max-Age": String(PREFLIGHT_SECONDS),
    });
  };
}

/** How long a browser need not ask again; two hours is the most that one of them keeps. */
const PREFLIGHT_SECONDS = 7_200;
