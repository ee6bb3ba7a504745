import type { Context } from "koa";
import { z } from "zod";
import type { ErrorCode, FieldError } from "../../platform/domain-error.ts";

export type ProblemKind = { readonly status: number; readonly title: string; readonly meaning: string };

/** Maps every error to its status. `meaning` says what happened and what to do about it. */
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
  original_not_found: {
    status: 404,
    title: "Original not found",
    meaning:
      "The check has no original file in this form: it was submitted as text, originals were not kept (KEEP_ORIGINALS), or the file is of another type.",
  },
  batch_not_found: {
    status: 404,
    title: "Batch not found",
    meaning:
      "No batch has this identifier. It may have been deleted; the list of batches shows those that exist.",
  },
  member_not_found: {
    status: 404,
    title: "Member not found",
    meaning:
      "The batch has no such member, or the member's file could not be read. The batch lists its members.",
  },
  document_not_found: {
    status: 404,
    title: "Document not found",
    meaning: "No uploaded document has this identifier. Only uploaded documents can be read here.",
  },
  document_not_ready: {
    status: 409,
    title: "Document not ready",
    meaning: "The document is being fingerprinted or encoded. Send the request again in some seconds.",
  },
  source_not_found: {
    status: 404,
    title: "Source not found",
    meaning:
      "The report has no source with this identifier. A document that is deleted from the corpus is removed from its reports.",
  },
  passage_not_found: {
    status: 404,
    title: "Passage not found",
    meaning:
      "The report has no passage at this place from this source. The report without filters lists all that can be named.",
  },
  comparison_not_found: {
    status: 404,
    title: "Comparison not found",
    meaning:
      "No comparison is kept under this link. Links to comparisons expire after the time that the operator has set, and can be deleted before.",
  },
  comparison_links_off: {
    status: 403,
    title: "Links are off",
    meaning:
      "This service keeps no comparisons of two texts, so no links can be made to them. The operator can allow them with COMPARISON_LINK_DAYS.",
  },
  country_not_found: {
    status: 404,
    title: "Country not found",
    meaning: "No country has this ISO 3166-1 alpha-2 code. The list of countries shows the codes with data.",
  },
  idempotency_key_reused: {
    status: 409,
    title: "Idempotency key reused",
    meaning: "This Idempotency-Key was already used with a different body. Send a new key for a new request.",
  },
  invalid_input: {
    status: 422,
    title: "Invalid input",
    meaning: "Some values violate the schema of this request. `errors` lists each with what is expected.",
  },
  malformed_body: {
    status: 400,
    title: "Malformed body",
    meaning:
      "The body can't be read: it is empty, incomplete, not valid UTF-8, or not in its declared format.",
  },
  body_too_large: {
    status: 413,
    title: "Body too large",
    meaning: "The body or the file in it is over the limit of this request. Send less.",
  },
  unsupported_media_type: {
    status: 415,
    title: "Unsupported media type",
    meaning: "This path does not support the Content-Type or Content-Encoding of the request.",
  },
  unsupported_file_type: {
    status: 415,
    title: "Unsupported file type",
    meaning: "The type of the file, judged by its content and not by its name, is not supported.",
  },
  unreadable_file: {
    status: 422,
    title: "Unreadable file",
    meaning:
      "The type of the file is supported, but the file is damaged or protected by a password. Save it again without protection.",
  },
  no_extractable_text: {
    status: 422,
    title: "No extractable text",
    meaning:
      "The file contains no text, such as a scan without a text layer. Run text recognition on it first.",
  },
  text_too_long: {
    status: 422,
    title: "Text too long",
    meaning: "The text of the file exceeds the limit of this request. Split the file.",
  },
  pdf_unavailable: {
    status: 501,
    title: "PDF unavailable",
    meaning:
      "This instance was installed without a part that makes PDFs; the detail names it. A report can be read as HTML, and a comparison on its page.",
  },
  pdf_too_large: {
    status: 503,
    title: "PDF too large",
    meaning:
      "Making the PDF took more time or memory than is allowed. Try again when the service is less busy, or read a report on its page or as HTML, and a comparison on its page.",
  },
  store_unavailable: {
    status: 503,
    title: "Store unavailable",
    meaning:
      "A store that the request needs does not answer. Retry after the number of seconds in Retry-After.",
  },
  service_busy: {
    status: 503,
    title: "Service busy",
    meaning:
      "Too many checks, files or large answers are waiting. Retry after the number of seconds in Retry-After.",
  },
  request_timeout: {
    status: 408,
    title: "Request timeout",
    meaning:
      "The request did not arrive in time: the head within 15 seconds, the body within 10 minutes with no pause longer than 30 seconds.",
  },
  not_found: {
    status: 404,
    title: "Not found",
    meaning: "There is nothing at this path. The API documentation at /docs lists the paths.",
  },
  method_not_allowed: {
    status: 405,
    title: "Method not allowed",
    meaning: "The path does not support this method. The Allow header lists its methods.",
  },
  cross_site_request: {
    status: 403,
    title: "Cross-site request",
    meaning:
      "A browser sent this request for a page of another origin. Only programs and the pages of the service itself may change data.",
  },
  host_not_allowed: {
    status: 421,
    title: "Host not allowed",
    meaning:
      "The service does not answer under the name in the Host header, as a protection against DNS rebinding. Use its address, or have its operator add the name to ALLOWED_HOSTS.",
  },
  malformed_request: {
    status: 400,
    title: "Malformed request",
    meaning: "The request is not valid HTTP/1.1.",
  },
  headers_too_large: {
    status: 431,
    title: "Request header fields too large",
    meaning:
      "The request line and the headers are limited to 16 KiB and 200 lines. Send fewer or shorter ones.",
  },
  pages_not_built: {
    status: 503,
    title: "Pages not built",
    meaning:
      "This instance was started without its pages for browsers. The API works; the operator can build the pages.",
  },
  rate_limited: {
    status: 429,
    title: "Too many requests",
    meaning:
      "This client has reached its limit of requests. Retry after the number of seconds in Retry-After; RateLimit-Policy states the limit.",
  },
  internal: {
    status: 500,
    title: "Internal error",
    meaning:
      "An unexpected error occurred in the service. Its log has the cause under the request's identifier.",
  },
} as const satisfies Record<ErrorCode, ProblemKind> & Record<string, ProblemKind>;

/** Every problem that a client can get: domain errors and HTTP errors. */
export type ProblemCode = keyof typeof PROBLEMS;

/** The body of every error response (RFC 9457), with the two members that this product adds to it. */
export const ProblemSchema = z
  .object({
    type: z
      .string()
      .describe("The path of the page that explains this kind of problem, relative to the service."),
    title: z.string().describe("The kind of problem, in fixed words."),
    status: z.number().int().describe("The HTTP status."),
    detail: z.string().describe("The cause of this error, and its remedy."),
    errors: z
      .array(
        z.object({
          field: z.string().describe("The wire name; the names of nested members are joined with dots."),
          message: z.string().describe("The expected value."),
        }),
      )
      .optional()
      .describe("One entry for each fault of invalid input."),
    request_id: z
      .string()
      .optional()
      .describe("Only for internal errors: the identifier to look for in the service's log."),
  })
  .meta({ id: "Problem", description: "An error (RFC 9457)." });

type Problem = z.output<typeof ProblemSchema>;

/** The path that explains a problem, which is also its RFC 9457 `type`: `/problems/check-not-found`. */
export function problemType(code: string): string {
  return `${TYPE_PATH}${code.replaceAll("_", "-")}`;
}

/** The kind of problem that a `type` names, or undefined when it names none. */
export function problemOfType(type: string): ProblemKind | undefined {
  return Object.entries(PROBLEMS).find(([code]) => problemType(code) === type)?.[1];
}

type Extra = { readonly errors?: readonly FieldError[]; readonly requestId?: string };

export function toProblem(code: ProblemCode, detail: string, extra: Extra = {}): Problem {
  const { status, title } = PROBLEMS[code];
  const errors = extra.errors ?? [];
  return {
    type: problemType(code),
    title,
    status,
    detail,
    ...(errors.length > 0 && { errors: [...errors] }),
    ...(extra.requestId !== undefined && { request_id: extra.requestId }),
  };
}

/** Answers with a problem, and removes headers that a half-made answer may have set for another body. */
export function writeProblem(ctx: Context, code: ProblemCode, detail: string, extra?: Extra): void {
  const problem = toProblem(code, detail, extra);
  for (const name of HEADERS_OF_ANOTHER_BODY) ctx.remove(name);
  ctx.state.problem = problem.type.slice(TYPE_PATH.length);
  ctx.status = problem.status;
  ctx.body = JSON.stringify(problem);
  ctx.type = "application/problem+json";
  ctx.set("Cache-Control", "no-store");
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

/** A store that restarts is back within seconds. */
export const RETRY_AFTER_SECONDS = 5;
