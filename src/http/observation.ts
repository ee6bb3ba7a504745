import { AsyncLocalStorage } from "node:async_hooks";
import type { Middleware } from "koa";
import type { Logger } from "pino";
import { Counter, Histogram, type Registry } from "prom-client";
import type { Tracing } from "../platform/tracing/tracing.ts";
import { parseTraceparent } from "../platform/tracing/tracing.ts";
import type { AppState } from "./routing.ts";

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

export type HttpObservation = {
  readonly listener: string;
  readonly method: string;
  readonly route: string;
  readonly status: string;
  readonly seconds: number;
  /** The kind of problem that was the answer, if one was. */
  readonly problem: string | undefined;
};

export type HttpMetrics = { readonly observe: (observation: HttpObservation) => void };

/** The durations of requests, and the problems among the answers. Made once for a registry and shared by its listeners, told apart by a label. */
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
    help: "Requests that were answered with a problem, by its kind: what uploads are refused for, and what failed.",
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
