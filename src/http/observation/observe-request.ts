import { AsyncLocalStorage } from "node:async_hooks";
import type { Middleware } from "koa";
import type { Logger } from "pino";
import type { AppState } from "../request-identity.ts";
import type { HttpMetrics } from "./http-metrics.ts";

type Observers = { readonly log: Logger; readonly metrics: HttpMetrics; readonly listener: string };

/**
 * One log line and one measurement for each request, when its answer has left or its client has:
 * an event stream counts for as long as it was open. Never a body, a query string or a path as typed.
 */
export function observeRequest({ log, metrics, listener }: Observers): Middleware<AppState> {
  return (ctx, next) => {
    const startedAt = performance.now();
    // Bound, as the end of an answer belongs to the request's trace too, whoever brings it about.
    const onClose = AsyncLocalStorage.bind(() => {
      const { requestId, route, problem } = ctx.state;
      const { method } = ctx;
      const ms = performance.now() - startedAt;
      const status = ctx.res.headersSent ? ctx.res.statusCode : CLIENT_WENT_AWAY;
      metrics.observe({ listener, method, route, status: String(status), seconds: ms / 1000, problem });
      const line = { requestId, method, route, status, ms: Math.round(ms * 10) / 10 };
      if (PROBE_ROUTES.has(route)) log.debug(line, "request answered");
      else if (ctx.res.writableFinished) log.info(line, "request answered");
      else log.info({ ...line, cutOff: true }, "request ended early");
    });
    ctx.res.once("close", onClose);
    return next();
  };
}

/** No status was sent; 499 is what other servers log for it. */
const CLIENT_WENT_AWAY = 499;

/** Asked every few seconds by machines: at the usual level they would drown everything else. */
const PROBE_ROUTES: ReadonlySet<string> = new Set(["/health", "/ready", "/metrics"]);
