import { DomainError } from "../core/domain-error.ts";
import { ConfigError } from "../platform/config.ts";

/** One clear message for what a person can mend; the stack for what nobody foresaw. */
export function explainError(error: unknown): string {
  if (error instanceof DomainError && error.code === "store_unavailable" && error.cause instanceof Error) {
    const reason = error.cause.message || error.cause.name;
    if (error.message.includes(reason)) return error.message;
    return `${error.message} (${reason})\nIf it is another server that you want, set DATABASE_URL or OPENSEARCH_URL.`;
  }
  if (error instanceof ConfigError || error instanceof DomainError) return error.message;
  return error instanceof Error ? `${error.stack}` : String(error);
}
