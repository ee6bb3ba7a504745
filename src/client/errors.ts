import type { Problem, ProblemCode } from "./generated/engine-types.ts";

/** An answer of the service that is no success: its problem (RFC 9457), or what came in place of one. */
export class ProblemError extends Error {
  override readonly name = "ProblemError";
  /** The HTTP status. */
  readonly status: number;
  /**
   * The kind of problem, such as `check_not_found`. Of an answer that is not the service's own, as a proxy may give one,
   * `http_` and the status.
   */
  readonly code: ProblemCode | (string & Record<never, never>);
  /** The kind of problem in words. */
  readonly title: string;
  /** What happened this time, and what to do about it; also the error's message. */
  readonly detail: string;
  /** For invalid input: one entry for each fault. */
  readonly errors: NonNullable<Problem["errors"]>;
  /** What to look for in the service's log. */
  readonly requestId: string | undefined;
  /** Seconds after which to ask again, where the service says so. */
  readonly retryAfter: number | undefined;

  constructor(problem: Pick<Problem, "status" | "title" | "detail" | "errors">, about: ProblemAbout) {
    super(problem.detail);
    this.status = problem.status;
    this.code = about.code;
    this.title = problem.title;
    this.detail = problem.detail;
    this.errors = problem.errors ?? [];
    this.requestId = about.requestId;
    this.retryAfter = about.retryAfter;
  }
}

type ProblemAbout = Pick<ProblemError, "code" | "requestId" | "retryAfter">;

/** No answer came: nothing listens there, the name is unknown, or the connection broke. The `cause` has what fetch said. */
export class UnreachableError extends Error {
  override readonly name = "UnreachableError";
}

/** A check that came to no report, because it failed or was deleted. */
export class CheckFailedError extends Error {
  override readonly name = "CheckFailedError";
  readonly checkId: string;
  readonly status: "failed" | "deleted";

  constructor(checkId: string, status: "failed" | "deleted", message: string) {
    super(message);
    this.checkId = checkId;
    this.status = status;
  }
}

/** Reads the problem that an answer holds. */
export async function problemOf(response: Response): Promise<ProblemError> {
  const { status, statusText, headers } = response;
  const text = await response.text().catch(() => "");
  const problem = readProblem(text, headers.get("content-type") ?? "");
  const title = problem.title ?? (statusText || `HTTP ${status}`);
  return new ProblemError(
    {
      status,
      title,
      detail: problem.detail ?? `The answer was ${status} ${statusText}`.trim(),
      ...(problem.errors !== undefined && { errors: problem.errors }),
    },
    {
      code: codeOf(problem.type) ?? `http_${status}`,
      requestId: problem.request_id ?? headers.get("x-request-id") ?? undefined,
      retryAfter: secondsOf(headers.get("retry-after")),
    },
  );
}

function readProblem(text: string, contentType: string): Partial<Problem> {
  if (!contentType.startsWith("application/problem+json")) return {};
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

/** `check_not_found` of `/problems/check-not-found`. */
function codeOf(type: string | undefined): string | undefined {
  return type?.match(/\/problems\/([a-z-]+)$/)?.[1]?.replaceAll("-", "_");
}

/** The header may also hold a date, which the service never sends. */
function secondsOf(retryAfter: string | null): number | undefined {
  return retryAfter !== null && /^\d+$/.test(retryAfter) ? Number(retryAfter) : undefined;
}
