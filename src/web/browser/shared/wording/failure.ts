import { ProblemError, UnreachableError } from "../../../../client/index.ts";
import { counted } from "./numbers.ts";

/** What went wrong, in words that a reader can act on. */
export type Failure = {
  readonly title: string;
  readonly detail: string;
  /** For invalid input, a sentence for each fault. */
  readonly faults: readonly string[];
  readonly advice: string | undefined;
  /** Whether the same request may well succeed later. */
  readonly passes: boolean;
};

/**
 * Says an error as a person would.
 * @param isOnline what the browser knows of its own connection
 */
export function failureOf(error: unknown, isOnline: boolean): Failure {
  if (error instanceof ProblemError) return problemFailure(error);
  if (error instanceof UnreachableError) return unreachable(isOnline);
  return {
    title: "Something went wrong on this page",
    detail: error instanceof Error ? error.message : String(error),
    faults: [],
    advice: "Load the page again. Nothing on the server was lost.",
    passes: false,
  };
}

/** The failure in one line, as for a row of a list. */
export function failureLine({ detail, faults, advice }: Failure): string {
  return [detail, ...faults, advice].filter((part) => part !== undefined && part !== "").join(" ");
}

function unreachable(isOnline: boolean): Failure {
  return {
    title: isOnline ? "The service does not answer" : "You are offline",
    detail: isOnline
      ? "The request reached no one: the service may be stopped, or starting again."
      : "This device has no connection, so the request was not sent.",
    faults: [],
    advice: isOnline ? "Try again in a few seconds." : "Try again once you are connected.",
    passes: true,
  };
}

function problemFailure(error: ProblemError): Failure {
  return {
    title: error.title,
    // Where every fault is named, the summary of them says nothing more.
    detail: error.errors.length > 0 ? "" : error.detail,
    faults: error.errors.map(({ field, message }) => `${fieldName(field)} ${message}.`),
    advice: adviceOn(error),
    passes: error.status === 429 || error.status >= 500,
  };
}

function adviceOn({ status, retryAfter, requestId }: ProblemError): string | undefined {
  if (status === 429 || status === 503)
    return retryAfter === undefined
      ? "Try again in a moment."
      : `Try again in ${counted(Math.max(1, retryAfter), "second")}.`;
  if (status < 500) return undefined;
  const reference = requestId === undefined ? "" : `, with the reference ${requestId}`;
  return `If it happens again, tell whoever runs this service${reference}.`;
}

const FIELD_NAMES: Readonly<Record<string, string>> = {
  query_text: "The text",
  title: "The title",
  language: "The language",
  file: "The file",
  source_url: "The address",
};

function fieldName(field: string): string {
  return FIELD_NAMES[field] ?? `“${field}”`;
}
