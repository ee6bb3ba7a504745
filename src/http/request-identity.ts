import { randomUUID } from "node:crypto";
import type { Context, Middleware } from "koa";
import type { RouteTable } from "./route-table.ts";

/** What every request knows about itself from its first step on. */
export type AppState = {
  /** The client's own X-Request-Id, or one made here. */
  requestId: string;
  /** The pattern that answers (`/v1/checks/:id`): safe to log and to count by, as no client can invent one. */
  route: string;
  /** The kind of problem that it was answered with, as the last part of the problem's `type`. */
  problem?: string;
};

export const UNMATCHED = "unmatched";

/** First of all: gives the request its identifier, and finds its route. */
export function identifyRequest(routes: RouteTable): Middleware<AppState> {
  return (ctx, next) => {
    const own = ctx.get("X-Request-Id");
    ctx.state.requestId = SANE_REQUEST_ID.test(own) ? own : randomUUID();
    ctx.set("X-Request-Id", ctx.state.requestId);
    const path = readablePath(ctx);
    ctx.state.route = (path !== undefined && routes.patternOf(ctx.method, path)) || UNMATCHED;
    return next();
  };
}

/** The path of the request, or undefined when its percent-encoding or its absolute form is malformed. */
export function readablePath(ctx: Pick<Context, "path">): string | undefined {
  try {
    const { path } = ctx;
    decodeURIComponent(path);
    return path;
  } catch {
    return undefined;
  }
}

/** Long enough for any trace or correlation identifier, and without a character that could disturb a log line. */
const SANE_REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/;
