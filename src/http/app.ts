import { setImmediate } from "node:timers/promises";
import type { Router } from "@koa/router";
import Koa, { type Context, type Middleware } from "koa";
import type { Logger } from "pino";
import { DomainError } from "../platform/domain-error.ts";
import { errorCode } from "../platform/error-code.ts";
import { QUIET_TRACING, type Tracing } from "../platform/tracing.ts";
import { hasBody } from "./arriving-bodies.ts";
import type { BuiltPages } from "./built-files.ts";
import { type HttpMetrics, observeRequest, traceRequest } from "./observation.ts";
import type { PendingAnswers } from "./pending-answers.ts";
import { PROBLEMS, RETRY_AFTER_SECONDS, writeProblem } from "./routing/problem.ts";
import { type AppState, identifyRequest, refuseUnmatched, routeTable } from "./routing/route-table.ts";
import { ANY_HOST, type HostRule, refuseForeignHosts } from "./security/host-rule.ts";
import { setSecurityHeaders } from "./security/security-headers.ts";

export type AppOptions = {
  /** The name of the listener in logs and metrics, such as `engine`. */
  readonly name: string;
  readonly log: Logger;
  readonly metrics: HttpMetrics;
  readonly tracing?: Tracing;
  /** The metrics of the process, shared by all listeners. */
  readonly pendingAnswers: PendingAnswers;
  /** The first router that has the path and the method answers. */
  readonly routers: readonly Router[];
  /** The host names under which it answers; any by default. */
  readonly isOwnHost?: HostRule;
  /** Middleware of this listener before its routes, such as cross-origin headers or a rate limit. */
  readonly beforeRoutes?: readonly Middleware<AppState>[];
};

/** The parts that all listeners of a process share. */
export type SharedParts = Pick<AppOptions, "metrics" | "pendingAnswers"> & {
  /** Undefined if they were not built, or no listener of the process serves pages. */
  readonly pages: BuiltPages | undefined;
};

/** A Koa application with the middleware that every HTTP interface shares. */
export function createApp(options: AppOptions): Koa<AppState> {
  const { name, log, metrics, tracing = QUIET_TRACING, pendingAnswers, routers } = options;
  const { isOwnHost = ANY_HOST, beforeRoutes = [] } = options;
  const routes = routeTable(routers);
  const app = new Koa<AppState>();

  app.use((ctx, next) => {
    pendingAnswers.watch(ctx.res);
    return next();
  });
  app.use(closeUnreadRequests);
  app.use(identifyRequest(routes));
  app.use(traceRequest(tracing));
  app.use(observeRequest({ log, metrics, listener: name }));
  app.use(setSecurityHeaders);
  app.use(answerProblems(log));
  app.use(refuseForeignHosts(isOwnHost));
  for (const middleware of beforeRoutes) app.use(middleware);
  app.use(refuseUnmatched(routes));
  for (const router of routers) app.use(router.routes());

  app.on("error", (error: unknown) => {
    // A domain error comes from an answer that was being sent, as of a document that was deleted meanwhile.
    const isExpected = error instanceof DomainError && PROBLEMS[error.code].status < 500;
    const level = isExpected || BROKEN_CONNECTION.has(errorCode(error)) ? "debug" : "error";
    log[level]({ err: error }, "connection failed");
  });
  return app;
}

/** Ends the connection with an answer that does not wait for the rest of the body, as one that the body exceeds its limit. */
const closeUnreadRequests: Middleware = async (ctx, next) => {
  await next();
  if (!hasBody(ctx.req) || ctx.req.complete) return;
  // A short body has arrived with its head, and is parsed in this turn of the event loop.
  await setImmediate();
  if (!ctx.req.complete && !ctx.headerSent) ctx.set("Connection", "close");
};

/** Codes of connections that failed outside the middleware, usually because the client disconnected. */
const BROKEN_CONNECTION: ReadonlySet<string> = new Set([
  "ECONNABORTED",
  "ECONNRESET",
  "EPIPE",
  "ERR_STREAM_DESTROYED",
  "ERR_STREAM_PREMATURE_CLOSE",
]);

/** The client gets the message of a DomainError. For any other error it gets the request's identifier, and the log the cause. */
function answerProblems(log: Logger): Middleware<AppState> {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const { requestId, route } = ctx.state;
      const facts = { requestId, method: ctx.method, route, err: error };
      if (!ctx.writable) log.debug(facts, "client disconnected");
      else if (ctx.headerSent) {
        log.error(facts, "response failed midway");
        ctx.res.destroy();
      } else if (error instanceof DomainError) {
        if (PROBLEMS[error.code].status >= 500) log.warn(facts, "request not served");
        writeDomainError(ctx, error);
      } else {
        log.error(facts, "request failed");
        const detail = `The service failed to answer. Its log has the cause under request ${requestId}.`;
        writeProblem(ctx, "internal", detail, { requestId });
      }
    }
  };
}

function writeDomainError(ctx: Context, error: DomainError): void {
  if (PROBLEMS[error.code].status === 503) ctx.set("Retry-After", String(RETRY_AFTER_SECONDS));
  writeProblem(ctx, error.code, error.message, { errors: error.fields });
}
