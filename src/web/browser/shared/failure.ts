import { ProblemError, UnreachableError } from "../../../client/index.ts";
import { counted } from "./wording.ts";

export type Failure = {
  readonly title: string;
  readonly detail: string;
  /** For invalid input, one sentence per fault. */
  readonly faults: readonly string[];
  readonly advice: string | undefined;
  /** Whether the same request may succeed later. */
  readonly isTemporary: boolean;
};

/** Describes an error of any kind. @param isOnline whether the browser believes that it has a connection */
export function failureOf(error: unknown, isOnline: boolean): Failure {
  if (error instanceof ProblemError) return problemFailure(error);
  if (error instanceof UnreachableError) return unreachable(isOnline);
  return {
    title: "Something went wrong on this page",
    detail: error instanceof Error ? error.message : String(error),
    faults: [],
    advice: "Reload the page. Nothing on the server was lost.",
    isTemporary: false,
  };
}

/** The failure on one line, for a row of a list. */
export function failureLine({ detail, faults, advice }: Failure): string {
  return [detail, ...faults, advice].filter((part) => part !== undefined && part !== "").join(" ");
}

function unreachable(isOnline: boolean): Failure {
  return {
    title: isOnline ? "Can’t reach the service" : "You’re offline",
    detail: isOnline
      ? "The service may be stopped or restarting."
      : "This device has no connection, so nothing was sent.",
    faults: [],
    advice: isOnline ? "Try again in a few seconds." : "Try again when you’re back online.",
    isTemporary: true,
  };
}

function problemFailure(error: ProblemError): Failure {
  return {
    title: error.title,
    // A detail only summarises the faults, which are all listed.
    detail: error.errors.length > 0 ? "" : error.detail,
    faults: error.errors.map(({ field, message }) => `${FIELD_NAMES[field] ?? `“${field}”`} ${message}.`),
    advice: adviceOn(error),
    isTemporary: error.status === 429 || error.status >= 500,
  };
}

function adviceOn({ status, retryAfter, requestId }: ProblemError): string | undefined {
  if (status === 429 || status === 503)
    return retryAfter === undefined
      ? "Try again in a moment."
      : `Try again in ${counted(Math.max(1, retryAfter), "second")}.`;
  if (status < 500) return undefined;
  const reference = requestId === undefined ? "" : ` and quote reference ${requestId}`;
  return `If it happens again, contact the operator of this service${reference}.`;
}

const FIELD_NAMES: Readonly<Record<string, string>> = {
  query_text: "The text",
  source_text: "The second text",
  title: "The title",
  language: "The language",
  file: "The file",
  source_url: "The address",
  members: "The list of texts",
  files: "The files",
  templates: "The template",
  group: "The group",
  common_share: "The share of common text",
};
