import type { Context, Middleware } from "koa";
import { PROBLEMS } from "../../http/routing/problem.ts";
import type { AppState } from "../../http/routing/route-table.ts";
import { DomainError } from "../../platform/domain-error.ts";
import type { Logger } from "../../platform/logger.ts";
import type { RequestCounter } from "../../platform/postgres/request-counter.ts";
import { CoreApiError, FAULTS } from "../core-api-error.ts";
import type { Keys } from "../keys.ts";

/** The routes that need a key. */
const KEYED_ROUTE = /^\/api\/v1\//;

type AuthenticateParts = {
  readonly keys: Keys;
  readonly counter: Pick<RequestCounter, "take">;
};

/** Refuses requests without a known key, and those past the limit of their key. */
export function authenticate({ keys, counter }: AuthenticateParts): Middleware<AppState> {
  return async (ctx, next) => {
    if (!KEYED_ROUTE.test(ctx.state.route)) return next();
    const [, key = ""] = /^Bearer\s+(\S+)\s*$/i.exec(ctx.get("Authorization")) ?? [];
    const keyName = keys.nameOf(key);
    if (keyName === undefined) throw new CoreApiError("access_denied", "The key is missing or unknown.");
    const { allowed, resetMs } = await counter.take(keyName);
    if (!allowed) {
      const seconds = Math.max(Math.ceil(resetMs / 1000), 1);
      ctx.set("Retry-After", String(seconds));
      throw new CoreApiError("rate_limited", `Too many requests with this key. Try again in ${seconds} s.`);
    }
    ctx.state.keyName = keyName;
    return next();
  };
}

/** The name of the key of a request. */
export function keyNameOf(ctx: Context): string {
  const keyName: unknown = ctx.state.keyName;
  if (typeof keyName !== "string") throw new Error("a route without a key");
  return keyName;
}

/** Answers all faults as `{status, message}`: clients of this protocol read nothing else. */
export function answerFaults(log: Logger): Middleware<AppState> {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      if (ctx.headerSent || !ctx.writable) throw error;
      if (error instanceof CoreApiError) return write(ctx, FAULTS[error.fault], error.message);
      if (!(error instanceof DomainError)) {
        log.error({ method: ctx.method, route: ctx.state.route, err: error }, "request failed");
        return write(ctx, 500, "An unexpected error occurred in the service.");
      }
      const { status } = PROBLEMS[error.code];
      if (status === 503) ctx.set("Retry-After", "5");
      return write(ctx, status === 422 ? 400 : status, error.message);
    }
    if (ctx.state.problem === undefined || typeof ctx.body !== "string") return;
    const problem: { status?: unknown; detail?: unknown } = JSON.parse(ctx.body);
    write(ctx, ctx.status, String(problem.detail));
  };
}

function write(ctx: Context, status: number, message: string): void {
  ctx.status = status;
  ctx.body = { status, message };
  ctx.type = "application/json";
  ctx.set("Cache-Control", "no-store");
}
