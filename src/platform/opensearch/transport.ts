import { errors, Transport } from "@opensearch-project/opensearch";
import { hideMembers } from "../logger.ts";
import type { ObserveStore } from "../metrics.ts";

type TransportOptions = ConstructorParameters<typeof Transport>[0];
type Params = Parameters<Transport["request"]>[0];
type Options = NonNullable<Parameters<Transport["request"]>[1]>;
type Callback = NonNullable<Parameters<Transport["request"]>[2]>;
type Answer = Parameters<Callback>[1];
type Request = Promise<Answer> & { readonly abort: () => void };

/**
 * Makes the class of a client's transport. Each request is observed once, with all its attempts.
 * @param Base the client's own transport, or one that signs. @param token of a bearer, read for each request.
 */
export function observedTransport(
  observe: ObserveStore,
  Base: typeof Transport = Transport,
  token?: () => string,
): typeof Transport {
  return class ObservedTransport extends strictTransport(Base) {
    protected override send(params: Params, options: Options): Request {
      const request = super.send(params, withToken(options, token));
      const observed = observe(operationOf(params.path), () => request);
      return Object.assign(observed, { abort: () => request.abort() });
    }
  };
}

function withToken(options: Options, token: (() => string) | undefined): Options {
  if (token === undefined) return options;
  return { ...options, headers: { ...options.headers, authorization: `Bearer ${token()}` } };
}

/** The operation that a request's path names; never the name of an index or a document. */
function operationOf(path: string): string {
  const [, operation = ""] = /\/_([a-z_]+)/.exec(path) ?? [];
  return OPERATIONS.has(operation) ? operation : "other";
}

/** The operations of checks and uploads. Operations of starts and maintenance count as `other`. */
const OPERATIONS: ReadonlySet<string> = new Set([
  "alias",
  "bulk",
  "count",
  "delete_by_query",
  "doc",
  "mapping",
  "mget",
  "msearch",
  "mtermvectors",
  "refresh",
  "search",
  "termvectors",
]);

/** `meta` holds the request with texts and the Authorization header; `data` holds the value that could not be serialised or read. */
const CONFIDENTIAL = ["meta", "data"] as const;

/** Allowance for the last attempt beyond its own limit, which the client enforces itself. */
const GRACE_MS = 1_000;

/**
 * The client's transport with three guarantees:
 * - Errors show nothing of a request when they are printed or copied.
 * - A request ends in time, also when the body of an answer stops: the client limits only the time until its head.
 * - An answer is JSON: a load balancer's page with status 200 is the same error as JSON that breaks off.
 */
function strictTransport(Base: typeof Transport) {
  return class StrictTransport extends Base {
    constructor(options: TransportOptions) {
      // The client emits every error that holds something before it throws it.
      const emit: TransportOptions["emit"] = (event, ...args) => {
        for (const arg of args) hideMembers(arg, CONFIDENTIAL);
        return options.emit(event, ...args);
      };
      super({ ...options, emit });
    }

    override request(params: Params, options?: Options): Request;
    override request(
      params: Params,
      options: Options | undefined,
      callback: Callback,
    ): { readonly abort: () => void };
    override request(params: Params, options: Options = {}, callback?: Callback) {
      // The client passes a callback only when it looks for further nodes.
      if (callback !== undefined) return super.request(params, options, callback);
      return this.send(params, options);
    }

    protected send(params: Params, options: Options): Request {
      const request = super.request(params, options);
      const checked = jsonWithin(this.#limitMs(options), request, params);
      return Object.assign(checked, { abort: () => request.abort() });
    }

    #limitMs({ requestTimeout, maxRetries = this.maxRetries }: Options): number {
      const attemptMs = typeof requestTimeout === "number" ? requestTimeout : this.requestTimeout;
      return (maxRetries + 1) * attemptMs + GRACE_MS;
    }
  };
}

async function jsonWithin(limitMs: number, request: Request, { method }: Params): Promise<Answer> {
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    request.abort();
  }, limitMs);
  try {
    const answer = await request;
    if (method !== "HEAD" && typeof answer.body === "string")
      throw new errors.DeserializationError("the answer is not JSON", "");
    return answer;
  } catch (error) {
    throw isLate ? new errors.ConnectionError("the answer broke off") : error;
  } finally {
    clearTimeout(timer);
  }
}
