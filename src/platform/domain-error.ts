/** The errors of the engine in its own terms; `http/routing/problem.ts` alone knows the status of each. */
export type ErrorCode =
  | "check_not_found"
  | "check_not_complete"
  | "original_not_found"
  | "batch_not_found"
  | "member_not_found"
  | "document_not_found"
  | "document_not_ready"
  | "source_not_found"
  | "passage_not_found"
  | "country_not_found"
  | "idempotency_key_reused"
  | "invalid_input"
  | "malformed_body"
  | "body_too_large"
  | "unsupported_media_type"
  | "unsupported_file_type"
  | "unreadable_file"
  | "no_extractable_text"
  | "text_too_long"
  | "comparison_not_found"
  | "comparison_links_off"
  | "pdf_unavailable"
  | "pdf_too_large"
  | "store_unavailable"
  | "service_busy";

/** One invalid member of a request: `field` is its wire name. */
export type FieldError = { readonly field: string; readonly message: string };

/** An error whose message a person can act on. It never holds a document's text. */
export class DomainError extends Error {
  readonly code: ErrorCode;
  readonly fields: readonly FieldError[];

  constructor(
    code: ErrorCode,
    message: string,
    options: { readonly cause?: unknown; readonly fields?: readonly FieldError[] } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "DomainError";
    this.code = code;
    this.fields = options.fields ?? [];
  }
}

/** A store does not answer or can't be started. The message gives advice. */
export function storeUnavailable(message: string, cause?: unknown): DomainError {
  return new DomainError("store_unavailable", message, { cause });
}

/** A file is damaged, protected or too large to be read. The message gives advice. */
export function unreadableFile(message: string, cause?: unknown): DomainError {
  return new DomainError("unreadable_file", message, { cause });
}

/** A setting that the program can't run with. The message names it and the expected value. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/** Thrown by a handler that was told to stop: the job goes back to the queue, which does not count as a failure. */
export class HandedBack extends Error {
  override readonly name = "HandedBack";
}

/** Whether a store did not answer: then nothing else that needs it would work either. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof DomainError && error.code === "store_unavailable";
}
