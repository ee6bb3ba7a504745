import type { Middleware } from "koa";
import { toProblem, writeProblem } from "./problem.ts";
import { type AppState, readablePath, UNMATCHED } from "./request-identity.ts";
import type { RouteTable } from "./route-table.ts";

/**
 * Answers what no route does: OPTIONS with the methods of the path, 405 for another method, 404 for the rest.
 * A path with malformed percent-encoding names nothing, so it is 404 too.
 */
export function refuseUnmatched(routes: RouteTable): Middleware<AppState> {
  return async (ctx, next) => {
    if (ctx.state.route !== UNMATCHED) {
      await next();
      const unanswered = ctx.status === 404 && ctx.body === undefined && ctx.respond !== false;
      if (unanswered) writeProblem(ctx, toProblem("not_found", NOTHING_HERE));
      return;
    }
    const path = readablePath(ctx);
    const methods = path === undefined ? [] : routes.methodsAt(path);
    if (methods.length === 0) return writeProblem(ctx, toProblem("not_found", NOTHING_HERE));
    ctx.set("Allow", methods.join(", "));
    if (ctx.method === "OPTIONS") ctx.status = 204;
    else {
      const detail = `This path takes ${methods.join(", ")}, not ${ctx.method}.`;
      writeProblem(ctx, toProblem("method_not_allowed", detail));
    }
  };
}

const NOTHING_HERE = "Nothing is served at this path. See /docs for the paths of this API.";
