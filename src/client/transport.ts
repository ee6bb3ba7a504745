import { ProblemError, problemOf, UnreachableError } from "./errors.ts";

export type ClientOptions = {
  /** Where the service is, such as `http://127.0.0.1:8080`, with or without a path; by default the origin of the page. */
  readonly baseUrl?: string | undefined;
  /** What sends the requests, by default the platform's own `fetch`. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /** Sent with each request, as for an authentication of your own. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
};

export type RequestOptions = {
  /** Ends the request; it then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
};

/** A request as an operation makes it. What is undefined or null in query, headers and form is left out. */
export type EngineRequest = {
  readonly method: string;
  /** Below the base, encoded. */
  readonly path: string;
  readonly query?: object;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as a form of several parts; a `File` keeps its name. */
  readonly form?: Readonly<Record<string, string | Blob | null | undefined>>;
  /** Statuses beyond the 200s that are an answer too. */
  readonly also?: readonly number[];
  readonly options: RequestOptions;
};

/** Sends requests and reads answers. Each throws a ProblemError, an UnreachableError, or the signal's reason. */
export type Transport = {
  /** The answer as it comes, its body unread. */
  open(request: EngineRequest): Promise<Response>;
  /** The type of the answer is the OpenAPI document's, and not verified. */
  json<T>(request: EngineRequest): Promise<T>;
  text(request: EngineRequest): Promise<string>;
  nothing(request: EngineRequest): Promise<void>;
};

export function createTransport({ baseUrl = "", fetch, headers: ownHeaders }: ClientOptions): Transport {
  const base = baseUrl.replace(/\/+$/, "");
  // Looked up at each call, and called as a function of its own: a browser's fetch refuses to be another's method.
  const send = fetch ?? ((url: string, init: RequestInit) => globalThis.fetch(url, init));

  const open = async (request: EngineRequest): Promise<Response> => {
    const { method, path, query = {}, headers = {}, body, form, also = [], options } = request;
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

  const text = async (request: EngineRequest): Promise<string> => {
    const response = await open(request);
    return reached(response.url, request.options.signal, () => response.text());
  };

  return {
    open,
    text,
    async json(request) {
      const answer = await text(request);
      try {
        return JSON.parse(answer);
      } catch {
        throw foreignAnswer(`${base}${request.path}`);
      }
    },
    async nothing(request) {
      await text(request);
    },
  };
}

/** fetch says no more than TypeError when no answer came, or broke off. */
async function reached<T>(url: string, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new UnreachableError(`No answer from ${url}`, { cause: error });
  }
}

/** As a proxy's page for signing in, or another program on this port. */
function foreignAnswer(url: string): ProblemError {
  const detail = `What answers at ${url} is not this service: its answer is not JSON.`;
  return new ProblemError(
    { status: 200, title: "Not this service", detail },
    { code: "not_this_service", requestId: undefined, retryAfter: undefined },
  );
}

/** A list is one parameter with commas; an empty one asks for nothing. */
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
    else if (value !== null && value !== undefined) data.append(name, value);
  }
  return data;
}
