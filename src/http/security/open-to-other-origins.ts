import type { Middleware } from "koa";
import type { AppState } from "../request-identity.ts";

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
