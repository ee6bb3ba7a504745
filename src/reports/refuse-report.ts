import { DomainError } from "../core/domain-error.ts";

/**
 * Says why there is no report to read.
 * @param status of the check; undefined when there is none.
 * @throws DomainError `check_not_found` or `check_not_complete`, always.
 */
export function refuseReport(status: string | undefined): never {
  if (status === undefined) throw checkNotFound();
  throw new DomainError(
    "check_not_complete",
    status === "failed"
      ? "The check has failed and has no report; its error_message says why."
      : `The check is ${status}; its report exists once it is complete. Follow its progress stream.`,
  );
}

export function checkNotFound(): DomainError {
  return new DomainError("check_not_found", "There is no check with this identifier.");
}
