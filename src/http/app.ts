import type { Router } from "@koa/router";
import Koa, { type Middleware } from "koa";
import type { Logger } from "pino";
import { QUIET_TRACING, type Tracing } from "../platform/tracing/tracing.ts";
import { answerProblems } from "./answer-problems.ts";
import type { HttpMetrics } from "./observation/http-metrics.ts";
import { observeRequest } from "./observation/observe-request.ts";
import { traceRequest } from "./observation/trace-request.ts";
import { refuseUnmatched } from "./refuse-unmatched.ts";
import { type AppState, identifyRequest } from "./request-identity.ts";
import { routeTable } from "./route-table.ts";
import { ANY_HOST, type HostRule } from "./security/host-rule.ts";
import { refuseForeignHosts } from "./security/refuse-foreign-hosts.ts";
import { setSecurityHeaders } from "./security/security-headers.ts";

export type AppOptions = {
  /** The name of the listener in logs and metrics, such as `engine`. */
  readonly name: string;
  readonly log: Logger;
  readonly metrics: HttpMetrics;
  readonly tracing?: Tracing;
  /** Tried in this order; the first that has the path and the method answers. */
  readonly routers: readonly Router[];
  /** The names under which it answers; any unless it says so. */
  readonly isOwnHost?: HostRule;
  /** What one listener needs before its routes: cross-origin headers, a rate limit. */
  readonly beforeRoutes?: readonly Middleware<AppState>[];
};

/** A Koa application with all that every HTTP interface shares, in the order in which a request meets it. */
export function createApp(options: AppOptions): Koa<AppState> {
  const { name, log, metrics, tracing = QUIET_TRACING, routers } = options;
  const { isOwnHost = ANY_HOST, beforeRoutes = [] } = options;
  const routes = routeTable(routers);
  const app = new Koa<AppState>();

  app.use(identifyRequest(routes));
  app.use(traceRequest(tracing));
  app.use(observeRequest({ log, metrics, listener: name }));
  app.use(setSecurityHeaders());
  app.use(answerProblems(log));
  app.use(refuseForeignHosts(isOwnHost));
  for (const middleware of beforeRoutes) app.use(middleware);
  app.use(refuseUnmatched(routes));
  for (const router of routers) app.use(router.routes());

  app.on("error", (error: unknown) => {
    const level = isBrokenConnection(error) ? "debug" : "error";
    log[level]({ err: error }, "connection failed");
  });
  return app;
}

/** What ends here happened on a connection, outside of any request's own steps; mostly a client that left. */
function isBrokenConnection(error: unknown): boolean {
  return error instanceof Error && "code" in error && BROKEN_CONNECTION.has(String(error.code));
}

const BROKEN_CONNECTION: ReadonlySet<string> = new Set([
  "ECONNABORTED",
  "ECONNRESET",
  "EPIPE",
  "ERR_STREAM_DESTROYED",
  "ERR_STREAM_PREMATURE_CLOSE",
]);
