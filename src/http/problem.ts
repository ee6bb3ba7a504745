import type { Context } from "koa";
import type { ErrorCode, FieldError } from "../core/domain-error.ts";

/** Every problem a client can meet: the engine's own, and those that only HTTP knows. */
export type ProblemCode =
  | ErrorCode
  | "not_found"
  | "method_not_allowed"
  | "cross_site_request"
  | "host_not_allowed"
  | "malformed_request"
  | "headers_too_large"
  | "request_timeout"
  | "pages_not_built"
  | "rate_limited"
  | "internal";

export type ProblemKind = { readonly status: number; readonly title: string; readonly meaning: string };

/** The one place that gives an error its status; `meaning` says what happened and what to do about it. */
export const PROBLEMS = {
  check_not_found: {
    status: 404,
    title: "Check not found",
    meaning:
      "No check has this identifier. It may have been deleted; the list of checks shows those that exist.",
  },
  check_not_complete: {
    status: 409,
    title: "Check not complete",
    meaning:
      "The report exists only when the check is complete. Follow its progress stream, or ask again later.",
  },
  document_not_found: {
    status: 404,
    title: "Document not found",
    meaning:
      "No uploaded document has this identifier. Only documents that came through the API are found here.",
  },
  source_not_found: {
    status: 404,
    title: "Source not found",
    meaning:
      "The report has no source with this identifier. A document that is deleted from the corpus leaves its reports.",
  },
  country_not_found: {
    status: 404,
    title: "Country not found",
    meaning: "No country has this ISO 3166-1 alpha-2 code. The list of countries shows the codes with data.",
  },
  idempotency_key_reused: {
    status: 409,
    title: "Idempotency key reused",
    meaning: "This Idempotency-Key came with another body before. Send a new key for a new request.",
  },
  invalid_input: {
    status: 422,
    title: "Invalid input",
    meaning:
      "Some values break the rules of this request. `errors` names each of them and says what is expected.",
  },
  malformed_body: {
    status: 400,
    title: "Malformed body",
    meaning:
      "The body can't be read: it is empty, cut off, not valid UTF-8, or not in the format it declares.",
  },
  body_too_large: {
    status: 413,
    title: "Body too large",
    meaning: "The body or the file in it is over the limit of this request. Send less.",
  },
  unsupported_media_type: {
    status: 415,
    title: "Unsupported media type",
    meaning: "The Content-Type or Content-Encoding of the request is not one that this path reads.",
  },
  unsupported_file_type: {
    status: 415,
    title: "Unsupported file type",
    meaning: "The content of the file is of no type that can be read here, whatever its name says.",
  },
  unreadable_file: {
    status: 422,
    title: "Unreadable file",
    meaning:
      "The file is of a known type but broken or protected by a password. Save it again without protection.",
  },
  no_extractable_text: {
    status: 422,
    title: "No extractable text",
    meaning: "The file holds no text, as a scan without a text layer does. Run text recognition on it first.",
  },
  text_too_long: {
    status: 422,
    title: "Text too long",
    meaning: "The file holds more characters than the limit of this request. Split it into several files.",
  },
  store_unavailable: {
    status: 503,
    title: "Store unavailable",
    meaning: "A store that the request needs does not answer. Try again after the seconds in Retry-After.",
  },
  service_busy: {
    status: 503,
    title: "Service busy",
    meaning:
      "More checks wait for their turn, or files to be read, than the service takes on. Send the same request again after the seconds in Retry-After.",
  },
  request_timeout: {
    status: 408,
    title: "Request timeout",
    meaning:
      "The request did not arrive in time: its head within 15 seconds, its body without a pause of 30 and within 10 minutes.",
  },
  not_found: {
    status: 404,
    title: "Not found",
    meaning: "Nothing is served at this path. The API documentation at /docs lists the paths.",
  },
  method_not_allowed: {
    status: 405,
    title: "Method not allowed",
    meaning: "The path exists, but not for this method. The Allow header names the methods that it has.",
  },
  cross_site_request: {
    status: 403,
    title: "Cross-site request",
    meaning:
      "A browser sent this on behalf of a page of another origin. Such pages may change nothing here; programs and the pages of the service itself may.",
  },
  host_not_allowed: {
    status: 421,
    title: "Host not allowed",
    meaning:
      "The service does not answer under the name in the Host header, so that no stranger can lead a name to it. Use its address; its operator can add names in ALLOWED_HOSTS.",
  },
  malformed_request: {
    status: 400,
    title: "Malformed request",
    meaning: "What was sent breaks the rules of HTTP/1.1, so that no path could be found in it.",
  },
  headers_too_large: {
    status: 431,
    title: "Request header fields too large",
    meaning:
      "The first line and the headers of a request have 16 KiB together, and 200 lines. Send fewer or shorter ones.",
  },
  pages_not_built: {
    status: 503,
    title: "Pages not built",
    meaning:
      "This instance was started without its pages for browsers. The API works; an operator can build the pages.",
  },
  rate_limited: {
    status: 429,
    title: "Too many requests",
    meaning:
      "This client has used up its requests for now. Try again after the seconds in Retry-After; RateLimit-Policy has the limit.",
  },
  internal: {
    status: 500,
    title: "Internal error",
    meaning:
      "The service failed in a way it did not expect. Its log has the cause under the request's identifier.",
  },
} as const satisfies Record<ProblemCode, ProblemKind>;

/** The body of an error answer (RFC 9457), with the two members that this product adds to it. */
export type Problem = {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly errors?: readonly FieldError[];
  readonly request_id?: string;
};

/** Where a problem is explained, which is also its RFC 9457 `type`: `/problems/check-not-found`. */
export function problemType(code: ProblemCode): string {
  return typeOf(code);
}

/** The kind of problem that a `type` names, or undefined when it names none. */
export function problemOfType(type: string): ProblemKind | undefined {
  return Object.entries(PROBLEMS).find(([code]) => typeOf(code) === type)?.[1];
}

export function toProblem(
  code: ProblemCode,
  detail: string,
  extra: { readonly errors?: readonly FieldError[]; readonly requestId?: string } = {},
): Problem {
  const { status, title } = PROBLEMS[code];
  const errors = extra.errors ?? [];
  return {
    type: problemType(code),
    title,
    status,
    detail,
    ...(errors.length > 0 && { errors }),
    ...(extra.requestId !== undefined && { request_id: extra.requestId }),
  };
}

/** Answers with a problem, and takes back what a half-made answer may have said about its own body. */
export function writeProblem(ctx: Context, problem: Problem): void {
  for (const name of HEADERS_OF_ANOTHER_BODY) ctx.remove(name);
  ctx.state.problem = problem.type.slice(TYPE_PATH.length);
  ctx.status = problem.status;
  ctx.body = JSON.stringify(problem);
  ctx.type = "application/problem+json";
  ctx.set("Cache-Control", "no-store");
}

function typeOf(code: string): string {
  return `${TYPE_PATH}${code.replaceAll("_", "-")}`;
}

const TYPE_PATH = "/problems/";

const HEADERS_OF_ANOTHER_BODY = [
  "Content-Disposition",
  "Content-Encoding",
  "Content-Length",
  "ETag",
  "Last-Modified",
  "Link",
] as const;

/** A store that restarts is back in seconds; a client that waits longer than this only waits for nothing. */
export const RETRY_AFTER_SECONDS = 5;
