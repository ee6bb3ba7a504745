import type { Context, Middleware } from "koa";
import { toProblem, writeProblem } from "../problem.ts";
import type { IsTrusted } from "../rate-limit/trusted-proxies.ts";
import type { AppState } from "../request-identity.ts";
import { requestedHost } from "./requested-origin.ts";

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
