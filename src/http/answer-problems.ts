import type { Context, Middleware } from "koa";
import type { Logger } from "pino";
import { DomainError } from "../core/domain-error.ts";
import { PROBLEMS, toProblem, writeProblem } from "./problem.ts";
import type { AppState } from "./request-identity.ts";

/**
 * Turns what is thrown below it into a problem. A DomainError tells the client its own message; anything else is
 * a fault of ours: the client gets the request's identifier, and the log gets the cause.
 */
export function answerProblems(log: Logger): Middleware<AppState> {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const { requestId, route } = ctx.state;
      const facts = { requestId, method: ctx.method, route, err: error };
      if (!ctx.writable) log.debug(facts, "client went away");
      else if (ctx.headerSent) {
        log.error(facts, "answer failed half-way");
        ctx.res.destroy();
      } else if (error instanceof DomainError) {
        if (PROBLEMS[error.code].status >= 500) log.warn(facts, "request could not be served");
        writeDomainError(ctx, error);
      } else {
        log.error(facts, "request failed");
        const detail = `The service failed to answer. Its log has the cause under request ${requestId}.`;
        writeProblem(ctx, toProblem("internal", detail, { requestId }));
      }
    }
  };
}

function writeDomainError(ctx: Context, error: DomainError): void {
  if (PROBLEMS[error.code].status === 503) ctx.set("Retry-After", String(RETRY_AFTER_SECONDS));
  writeProblem(ctx, toProblem(error.code, error.message, { errors: error.fields }));
}

/** A store that restarts is back in seconds; a client that waits longer than this only waits for nothing. */
export const RETRY_AFTER_SECONDS = 5;
