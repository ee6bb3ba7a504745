import {
  createEngineClient,
  type EngineClient,
  ProblemError,
  UnreachableError,
} from "../../../client/index.ts";
import { say, sayCount } from "./texts.ts";

/** The engine that serves this page. Uploads with a progress bar use `engineWithProgress` instead. */
export const engine = createEngineClient();

type RequestWatch = {
  /** Receives the fraction of the body that has been sent, from 0 to 1. */
  readonly onSent: (fraction: number) => void;
  /** Receives the status of the response, which distinguishes a new document from an existing one. */
  readonly onStatus?: (status: number) => void;
};

/** The same engine, reporting upload progress, which the browser's own `fetch` can't. It can't stream responses. */
export function engineWithProgress(watch: RequestWatch): EngineClient {
  return createEngineClient({ fetch: fetchWithProgress(watch) });
}

/** Waits for a deletion. A 404 counts as success: another window may have deleted the same thing. */
export async function unlessGone(deletion: Promise<unknown>): Promise<void> {
  try {
    await deletion;
  } catch (error) {
    if (!(error instanceof ProblemError && error.status === 404)) throw error;
  }
}

/** A key that makes attempts to submit something a single one. Not `randomUUID`, which needs HTTPS or localhost: services also run on plain HTTP. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function fetchWithProgress({ onSent, onStatus = () => {} }: RequestWatch) {
  return (url: string, { method = "GET", headers, body = null, signal }: RequestInit): Promise<Response> =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      const abort = () => request.abort();
      request.open(method, url);
      for (const [name, value] of new Headers(headers)) request.setRequestHeader(name, value);
      request.upload.onprogress = ({ loaded, total }) => onSent(total === 0 ? 1 : loaded / total);
      request.onload = () => {
        onStatus(request.status);
        resolve(responseOf(request));
      };
      // Like fetch, which gives no more detail about a failed connection.
      request.onerror = () => reject(new TypeError("the request did not reach the service"));
      request.onabort = () => reject(signal?.reason);
      request.onloadend = () => signal?.removeEventListener("abort", abort);
      signal?.addEventListener("abort", abort);
      // The client sends a form or nothing, never a stream.
      request.send(body instanceof ReadableStream ? null : (body ?? null));
      if (signal?.aborted === true) abort();
    });
}

function responseOf(request: XMLHttpRequest): Response {
  const { status, statusText, responseText } = request;
  const headers = new Headers();
  for (const line of request.getAllResponseHeaders().trim().split(/\r\n/)) {
    const colon = line.indexOf(":");
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  const isEmpty = status === 204 || status === 304;
  return new Response(isEmpty ? null : responseText, { status, statusText, headers });
}

type Failure = {
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
    title: say("failure.page"),
    detail: error instanceof Error ? error.message : String(error),
    faults: [],
    advice: say("failure.reload"),
    isTemporary: false,
  };
}

/** The failure on one line, for a row of a list. */
export function failureLine({ detail, faults, advice }: Failure): string {
  return [detail, ...faults, advice].filter((part) => part !== undefined && part !== "").join(" ");
}

function unreachable(isOnline: boolean): Failure {
  return {
    title: say(isOnline ? "failure.unreachable" : "failure.offline"),
    detail: say(isOnline ? "failure.stopped" : "failure.notSent"),
    faults: [],
    advice: say(isOnline ? "failure.inSeconds" : "failure.online"),
    isTemporary: true,
  };
}

function problemFailure(error: ProblemError): Failure {
  return {
    title: problemTitle(error),
    // A detail only summarises the faults, which are all listed.
    detail: error.errors.length > 0 ? "" : error.detail,
    faults: error.errors.map(({ field, message }) => `${FIELD_NAMES[field] ?? `“${field}”`} ${message}.`),
    advice: adviceOn(error),
    isTemporary: error.status === 429 || error.status >= 500,
  };
}

/** The title in the language of the page, for the codes that pages meet. The details are the API's, in English. */
function problemTitle({ code, title }: ProblemError): string {
  const known = PROBLEM_CODES.find((one) => one === code);
  return known === undefined ? title : say(`problem.${known}`);
}

const PROBLEM_CODES = [
  "check_not_complete",
  "batch_not_found",
  "comparison_not_found",
  "comparison_links_off",
  "document_not_found",
  "original_not_found",
  "source_not_found",
  "passage_not_found",
  "invalid_input",
  "body_too_large",
  "unsupported_file_type",
  "unreadable_file",
  "no_extractable_text",
  "text_too_long",
  "pdf_unavailable",
  "pdf_too_large",
  "store_unavailable",
  "service_busy",
  "request_timeout",
  "rate_limited",
  "internal",
] as const;

function adviceOn({ status, retryAfter, requestId }: ProblemError): string | undefined {
  if (status === 429 || status === 503)
    return retryAfter === undefined
      ? say("failure.moment")
      : sayCount("failure.after", Math.max(1, retryAfter));
  if (status < 500) return undefined;
  return requestId === undefined
    ? say("failure.operator")
    : say("failure.operatorReference", { id: requestId });
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
