import { AsyncLocalStorage } from "node:async_hooks";
import type { Middleware } from "koa";
import type { Logger } from "pino";
import { Counter, Histogram, type Registry } from "prom-client";
import type { Tracing } from "../platform/tracing.ts";
import { parseTraceparent } from "../platform/tracing.ts";
import type { AppState } from "./routing/route-table.ts";

type Observers = { readonly log: Logger; readonly metrics: HttpMetrics; readonly listener: string };

/**
 * Writes one log line and one measurement for each request when its response has been sent or its client has disconnected;
 * an event stream counts until it closes. They hold no body, no query string and no raw path.
 */
export function observeRequest({ log, metrics, listener }: Observers): Middleware<AppState> {
  return (ctx, next) => {
    const startedAt = performance.now();
    // Bound to the request's trace, since the event may come from elsewhere.
    const onClose = AsyncLocalStorage.bind(() => {
      const { requestId, route, problem } = ctx.state;
      const { method } = ctx;
      const ms = performance.now() - startedAt;
      const status = ctx.res.headersSent ? ctx.res.statusCode : CLIENT_DISCONNECTED;
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

/** Other servers log 499 as well when no status was sent. */
const CLIENT_DISCONNECTED = 499;

/** Requested every few seconds: at the usual level they would dominate the log. */
const PROBE_ROUTES: ReadonlySet<string> = new Set(["/health", "/ready", "/metrics"]);

/**
 * Makes a request a part of the trace in its `traceparent`, or starts a trace. The span ends when the answer is decided:
 * nobody waits during the rest of a stream.
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

type HttpObservation = {
  readonly listener: string;
  readonly method: string;
  readonly route: string;
  readonly status: string;
  readonly seconds: number;
  /** The kind of problem that was the answer, if one was. */
  readonly problem: string | undefined;
};

export type HttpMetrics = { readonly observe: (observation: HttpObservation) => void };

/** The durations of requests, and the problems among the answers. The listeners of a registry share them and differ by label. */
export function createHttpMetrics(registry: Registry): HttpMetrics {
  const durations = new Histogram({
    name: "http_request_duration_seconds",
    help: "Time from the request's head to the end of its answer.",
    labelNames: ["listener", "method", "route", "status"],
    buckets: [...DURATION_BUCKETS_SECONDS],
    registers: [registry],
  });
  const problems = new Counter({
    name: "http_problems_total",
    help: "Requests that were answered with a problem, by its kind.",
    labelNames: ["listener", "route", "problem"],
    registers: [registry],
  });
  return {
    observe({ seconds, problem, ...labels }) {
      durations.observe(labels, seconds);
      const { listener, route } = labels;
      if (problem !== undefined) problems.inc({ listener, route, problem });
    },
  };
}

/** From a read that is answered from memory (5 ms) to a large upload over a slow line (30 s). */
const DURATION_BUCKETS_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] as const;
