import type { operations, Problem, ProblemCode } from "./generated/engine-api.ts";

export type ClientOptions = {
  /** Address of the service, such as `http://127.0.0.1:8080`, with or without a path; by default the page's origin. */
  readonly baseUrl?: string | undefined;
  /** Sends the requests; by default the platform's own `fetch`. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /** Sent with each request, for example for authentication at a proxy. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
};

export function createTransport({ baseUrl = "", fetch, headers: ownHeaders }: ClientOptions): Transport {
  const base = baseUrl.replace(/\/+$/, "");
  // Looked up at each call, and called as a plain function: a browser's fetch rejects being a method of another object.
  const send = fetch ?? ((url: string, init: RequestInit) => globalThis.fetch(url, init));

  const open: Transport["open"] = async (method, path, request) => {
    const { query = {}, headers = {}, body, form, also = [], options } = request;
    const sent = new Headers({
      ...ownHeaders,
      ...(body !== undefined && { "Content-Type": "application/json" }),
    });
    for (const [name, value] of Object.entries(headers)) if (value !== undefined) sent.set(name, value);
    const url = `${base}${path}${queryString(query)}`;
    const response = await reached(url, options.signal, () =>
      send(url, {
        method,
        headers: sent,
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(form !== undefined && { body: formData(form) }),
        ...(options.signal !== undefined && { signal: options.signal }),
      }),
    );
    if (response.ok || also.includes(response.status)) return response;
    throw await problemOf(response);
  };

  const text: Transport["text"] = async (method, path, request) => {
    const response = await open(method, path, request);
    return reached(response.url, request.options.signal, () => response.text());
  };

  return {
    open,
    text,
    async json(method, path, request) {
      const answer = await text(method, path, request);
      try {
        return JSON.parse(answer);
      } catch {
        // For example a proxy's sign-in page, or another program on this port.
        const detail = `The server at ${base}${path} is not this service: its answer is not JSON.`;
        const about = { code: "not_this_service", requestId: undefined, retryAfter: undefined };
        throw new ProblemError({ status: 200, title: "Not this service", detail }, about);
      }
    },
    async nothing(method, path, request) {
      await text(method, path, request);
    },
  };
}

/** fetch only throws a TypeError when no answer came or the connection broke. */
async function reached<T>(url: string, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new UnreachableError(`No answer from ${url}`, { cause: error });
  }
}

/** A list becomes one comma-separated parameter; an empty one is left out. */
function queryString(query: object): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    const text = String(value ?? "");
    if (text !== "") given.set(name, text);
  }
  return given.size === 0 ? "" : `?${given}`;
}

function formData(form: NonNullable<EngineRequest["form"]>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(form)) {
    if (typeof value === "string") data.append(name, value);
    else if (value instanceof Blob) data.append(name, value);
    else for (const file of value ?? []) data.append(name, file);
  }
  return data;
}

/** An error response: the service's problem (RFC 9457), or another answer instead of one. */
export class ProblemError extends Error {
  override readonly name = "ProblemError";
  readonly status: number;
  /** Such as `check_not_found`; `http_` and the status for a response that is not the service's own. */
  readonly code: ProblemCode | (string & Record<never, never>);
  /** The kind of problem in words. */
  readonly title: string;
  /** The reason in this case, and the remedy; also the error's message. */
  readonly detail: string;
  /** For invalid input: one entry for each fault. */
  readonly errors: NonNullable<Problem["errors"]>;
  /** The identifier to search for in the service's log. */
  readonly requestId: string | undefined;
  /** Seconds to wait before a retry, where the service states it. */
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

/** No answer came: nothing listens there, the name is unknown, or the connection broke. `cause` is fetch's error. */
export class UnreachableError extends Error {
  override readonly name = "UnreachableError";
}

/** A check ended without a report, because it failed or was deleted. */
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

/** The error for a response. */
async function problemOf(response: Response): Promise<ProblemError> {
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

export type RequestOptions = {
  /** Aborts the request, which then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
};

/** The parts of a request. Undefined and null values of query, headers and form are left out. */
type EngineRequest = {
  readonly query?: object;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as a form of several parts, a list as several of one name; a `File` keeps its name. */
  readonly form?: Readonly<Record<string, string | Blob | readonly Blob[] | null | undefined>>;
  /** Statuses beyond the 200s that are answers, not errors. */
  readonly also?: readonly number[];
  readonly options: RequestOptions;
};

/** Sends a request to an encoded path below the base. @throws ProblemError, UnreachableError, or the signal's reason. */
type Send<T> = (method: string, path: string, request: EngineRequest) => Promise<T>;

export type Transport = {
  /** The response with its body unread. */
  readonly open: Send<Response>;
  /** The JSON of an operation's answer. Its type comes from the OpenAPI document and is not verified. */
  readonly json: <O extends keyof operations>(...request: Parameters<Send<Answer<O>>>) => Promise<Answer<O>>;
  readonly text: Send<string>;
  readonly nothing: Send<void>;
};

/** The JSON of an operation's answers; the document that the types are generated from has no problems. */
type Answer<O extends keyof operations> = JsonOf<
  operations[O]["responses"][keyof operations[O]["responses"]]
>;
type JsonOf<R> = R extends { readonly content: { readonly "application/json": infer J } } ? J : never;

/** A path with its values encoded, as a tag of a template. */
export function path(parts: TemplateStringsArray, ...values: readonly string[]): string {
  return String.raw({ raw: parts }, ...values.map(encodeURIComponent));
}
