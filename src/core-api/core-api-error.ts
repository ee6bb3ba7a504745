/** The faults that clients get, with their statuses. */
export const FAULTS = {
  bad_request: 400,
  access_denied: 403,
  not_found: 404,
  conflict: 409,
  too_large: 413,
  rate_limited: 429,
  eula_not_accepted: 451,
  unavailable: 503,
} as const;

type Fault = keyof typeof FAULTS;

/** A refusal with the message that the client's users see. Where the protocol has a code for it, the message is that code. */
export class CoreApiError extends Error {
  override readonly name = "CoreApiError";
  readonly fault: Fault;

  constructor(fault: Fault, message: string) {
    super(message);
    this.fault = fault;
  }
}

export function submissionNotFound(): CoreApiError {
  return new CoreApiError("not_found", "There is no submission with this id.");
}

export function reportNotComplete(): CoreApiError {
  return new CoreApiError("conflict", "The report is not complete.");
}
