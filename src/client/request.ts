export type RequestOptions = {
  /** Aborts the request, which then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
};

/** What a request carries. Undefined and null values of query, headers and form are left out. */
export type EngineRequest = {
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
  /** The type comes from the OpenAPI document and is not verified. */
  readonly json: <T>(...request: Parameters<Send<T>>) => Promise<T>;
  readonly text: Send<string>;
  readonly nothing: Send<void>;
};

/** A path with its values encoded, as a tag of a template. */
export function path(parts: TemplateStringsArray, ...values: readonly string[]): string {
  return String.raw({ raw: parts }, ...values.map(encodeURIComponent));
}
