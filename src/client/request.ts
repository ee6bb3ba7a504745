import type { operations } from "./generated/engine-api.ts";

export type RequestOptions = {
  /** Aborts the request, which then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
};

/** The parts of a request. Undefined and null values of query, headers and form are left out. */
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
  /** The JSON of an operation's answer. Its type comes from the OpenAPI document and is not verified. */
  readonly json: <O extends keyof operations>(...request: Parameters<Send<Answer<O>>>) => Promise<Answer<O>>;
  readonly text: Send<string>;
  readonly nothing: Send<void>;
};

/** The JSON of an operation's answers; the document that the types are generated from has no problems. */
export type Answer<O extends keyof operations> = JsonOf<
  operations[O]["responses"][keyof operations[O]["responses"]]
>;
type JsonOf<R> = R extends { readonly content: { readonly "application/json": infer J } } ? J : never;

/** A path with its values encoded, as a tag of a template. */
export function path(parts: TemplateStringsArray, ...values: readonly string[]): string {
  return String.raw({ raw: parts }, ...values.map(encodeURIComponent));
}
