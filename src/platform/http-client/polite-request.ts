import { setTimeout as sleep } from "node:timers/promises";

export type HttpAccess = {
  readonly purpose: string;
  /** An e-mail address or a web page of our operator; public services ask for one. */
  readonly contact: string | null;
  /** Milliseconds before each request, and the minimum wait after a busy answer. Requests are made one at a time. */
  readonly pauseMs: number;
  /** Multiplies the time limits of requests; 1 except in tests. */
  readonly timeoutFactor?: number;
  readonly signal: AbortSignal;
};

type HttpRequest = {
  readonly url: URL;
  readonly accept: string;
  /** Called before each attempt. */
  readonly headers?: () => Readonly<Record<string, string>>;
  /** Statuses beside 200 that `read` handles. Any other status that is not retried is a failure. */
  readonly handledStatuses?: readonly number[];
  readonly timeoutMs?: number;
  /** Sent by POST as JSON. It must be safe to send it again; reasons don't quote answers to it, which may repeat it. */
  readonly json?: unknown;
  /** Requests to a busy server; six by default. */
  readonly attemptsMax?: number;
};

/** The meaning of a response: some servers say in the body that they are busy. */
export type Reply<T> =
  | { readonly kind: "answer"; readonly value: T }
  | { readonly kind: "busy"; readonly reason: string };

/** Reads a response. `alive` restarts the time limit; a long download calls it for each chunk. */
type ReadReply<T> = (response: Response, alive: () => void) => Promise<Reply<T>>;

/** A server refused, stayed busy or could not be reached. The message names the server and the reason. */
export class HttpFailure extends Error {
  override readonly name = "HttpFailure";
  /** Undefined when the failure is not about the status. */
  readonly status: number | undefined;

  constructor(
    message: string,
    options: { readonly cause?: unknown; readonly status?: number | undefined } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.status = options.status;
  }
}

const ATTEMPTS_MAX = 6;
/** A missing network should show within seconds. */
const NETWORK_ATTEMPTS_MAX = 3;
const FIRST_WAIT_MS = 1000;
/** A longer Retry-After ends the request; fetched data is kept for the next start. */
const WAIT_MAX_MS = 120_000;
const REQUEST_TIMEOUT_MS = 30_000;

const RETRIED_STATUS: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);

/**
 * One request, retried while the server is busy or the connection breaks, also in a response, after `Retry-After` or a doubling
 * wait. undici's RetryAgent can't see a busy server in a body with status 200 (MediaWiki's `maxlag`), and resumes downloads only
 * within one process. @throws HttpFailure; the signal's reason.
 */
export async function politeRequest<T>(
  access: HttpAccess,
  request: HttpRequest,
  read: ReadReply<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    await sleep(access.pauseMs, undefined, { signal: access.signal });
    const outcome = await ask(access, request, read);
    if (outcome.kind === "answer") return outcome.value;
    const { reason, status, retryAfterMs } = outcome;
    const busyMax = request.attemptsMax ?? ATTEMPTS_MAX;
    if (attempt >= (outcome.kind === "unreachable" ? NETWORK_ATTEMPTS_MAX : busyMax))
      throw new HttpFailure(reason, { status });
    const waitMs = retryAfterMs ?? Math.max(FIRST_WAIT_MS, access.pauseMs) * 2 ** (attempt - 1);
    if (waitMs > WAIT_MAX_MS)
      throw new HttpFailure(`${reason}; it asks for a wait of ${Math.round(waitMs / 1000)} s`, { status });
    await sleep(waitMs, undefined, { signal: access.signal });
  }
}

type Outcome<T> =
  | { readonly kind: "answer"; readonly value: T }
  | {
      readonly kind: "busy" | "unreachable";
      readonly reason: string;
      readonly status?: number;
      readonly retryAfterMs?: number | undefined;
    };

async function ask<T>(access: HttpAccess, request: HttpRequest, read: ReadReply<T>): Promise<Outcome<T>> {
  const { url, accept, headers, handledStatuses = [], timeoutMs = REQUEST_TIMEOUT_MS, json } = request;
  const overdue = new AbortController();
  const timer = setTimeout(
    () => overdue.abort(new Error("no answer in time")),
    timeoutMs * (access.timeoutFactor ?? 1),
  );
  try {
    const response = await fetch(url, {
      headers: {
        "user-agent": userAgent(access),
        accept,
        ...(json !== undefined && { "content-type": "application/json" }),
        ...headers?.(),
      },
      // A redirect would take the body to another server.
      ...(json !== undefined && { method: "POST", body: JSON.stringify(json), redirect: "manual" }),
      signal: AbortSignal.any([access.signal, overdue.signal]),
    });
    const { status } = response;
    const retryAfterMs = retryAfter(response.headers.get("retry-after"));
    if (RETRIED_STATUS.has(status)) {
      await response.body?.cancel();
      return { kind: "busy", reason: `${url.host} answered with status ${status}`, status, retryAfterMs };
    }
    if (status !== 200 && !handledStatuses.includes(status))
      throw refusal(url, status, await readText(response), json === undefined);
    const reply = await read(response, () => timer.refresh());
    return reply.kind === "answer" ? reply : { ...reply, retryAfterMs };
  } catch (error) {
    access.signal.throwIfAborted();
    if (!overdue.signal.aborted && !isConnectionError(error)) throw error;
    return { kind: "unreachable", reason: `${url.host} could not be reached (${causeOf(error)})` };
  } finally {
    clearTimeout(timer);
  }
}

/** No answer that is kept in memory comes near: the largest, a page of 200 works, has some 5 MB. */
const TEXT_BYTES_MAX = 32 * 1024 * 1024;

/** The text of a response of at most `bytesMax` bytes, after decompression. @throws HttpFailure for a longer one, which is not read on. */
export async function readText(response: Response, bytesMax = TEXT_BYTES_MAX): Promise<string> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of response.body ?? []) {
    length += piece.length;
    if (length > bytesMax) {
      const limit = `${bytesMax / 1024 / 1024} MiB`;
      throw new HttpFailure(`${new URL(response.url).host} gave an answer of more than ${limit}`);
    }
    pieces.push(piece);
  }
  return new TextDecoder().decode(Buffer.concat(pieces));
}

function userAgent({ purpose, contact }: HttpAccess): string {
  return `similarity-check/0.1 (${purpose}${contact === null ? "" : `; ${contact}`})`;
}

/** A longer quote would hide the message. */
const QUOTE_CHARS_MAX = 200;

function refusal(url: URL, status: number, body: string, isQuoted: boolean): HttpFailure {
  const said =
    !isQuoted || /^\s*</.test(body) ? "" : body.replaceAll(/\s+/g, " ").trim().slice(0, QUOTE_CHARS_MAX);
  return new HttpFailure(`${url.host} answered with status ${status}${said === "" ? "" : `: ${said}`}`, {
    status,
  });
}

/** The header's wait in milliseconds; it holds seconds or a date (RFC 9110, section 10.2.3). */
function retryAfter(header: string | null): number | undefined {
  if (header === null) return undefined;
  const waitMs = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isNaN(waitMs) ? undefined : Math.max(0, waitMs);
}

/** `fetch` and the stream of a response throw these when the connection fails. */
function isConnectionError(error: unknown): boolean {
  return error instanceof TypeError && error.cause instanceof Error;
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
