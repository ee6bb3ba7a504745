import type { Middleware } from "koa";
import { parseTraceparent } from "../../platform/tracing/trace-context.ts";
import type { Tracing } from "../../platform/tracing/tracing.ts";
import type { AppState } from "../request-identity.ts";

/**
 * Makes a request a part of the trace that its `traceparent` names, or the beginning of one: up to the moment at which its
 * answer is decided on. How long a stream goes on after that is no time that anybody waits.
 */
export function traceRequest(tracing: Tracing): Middleware<AppState> {
  return (ctx, next) => {
    const { method } = ctx;
    const { route, requestId } = ctx.state;
    const attributes = {
      "http.request.method": method,
      "http.route": route,
      "similarity.request_id": requestId,
    };
    const parent = parseTraceparent(ctx.get("traceparent"));
    return tracing.begin({ name: `${method} ${route}`, kind: "server", attributes }, parent, async (span) => {
      await next();
      span.set({ "http.response.status_code": ctx.status });
      if (ctx.status >= SERVER_FAULT) span.fail(ctx.state.problem ?? String(ctx.status));
    });
  };
}

const SERVER_FAULT = 500;
