import type { Middleware } from "koa";
import { writeProblem } from "../routing/problem.ts";
import type { AppState } from "../routing/route-table.ts";
import { clientAddress, type IsTrusted } from "./client-address.ts";

/** A client's count after one of its requests. */
type ClientCount = {
  /** Whether this request is within the limit. */
  readonly allowed: boolean;
  readonly remaining: number;
  /** Milliseconds until the window ends. */
  readonly resetMs: number;
};

export type RateLimitOptions = {
  /** Requests in one window; `windowSeconds` is its length. */
  readonly limit: number;
  readonly windowSeconds: number;
  /** Counts a request of a client. */
  readonly take: (client: string) => Promise<ClientCount>;
  readonly isTrusted: IsTrusted;
  /** Whether the limit holds for a path. */
  readonly isLimited: (path: string) => boolean;
};

/** Headers that pages of other origins can read only if they are exposed. */
export const RATE_LIMIT_HEADERS = ["RateLimit", "RateLimit-Policy", "Retry-After"] as const;

/**
 * Counts requests by client and answers those past the limit with 429. Each answer states the policy, what is left of it
 * and until when (draft-ietf-httpapi-ratelimit-headers-10).
 */
export function rateLimit(options: RateLimitOptions): Middleware<AppState> {
  const { limit, windowSeconds, take, isTrusted, isLimited } = options;
  const policy = `"${POLICY}";q=${limit};w=${windowSeconds}`;
  return async (ctx, next) => {
    if (!isLimited(ctx.path)) return next();
    const client = clientAddress(ctx.socket.remoteAddress, ctx.get("X-Forwarded-For"), isTrusted);
    const { allowed, remaining, resetMs } = await take(client);
    const resetSeconds = Math.max(Math.ceil(resetMs / 1000), 1);
    ctx.set({ "RateLimit-Policy": policy, RateLimit: `"${POLICY}";r=${remaining};t=${resetSeconds}` });
    if (allowed) return next();
    ctx.set("Retry-After", String(resetSeconds));
    const span = windowSeconds === 60 ? "a minute" : `${windowSeconds} seconds`;
    const detail = `More than ${limit} requests came from this address within ${span}. Try again in ${resetSeconds} s.`;
    writeProblem(ctx, "rate_limited", detail);
  };
}

/** The name of the only policy, in both headers. */
const POLICY = "default";
