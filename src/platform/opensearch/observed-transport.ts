import type { ObserveStore } from "../observe-store.ts";
import { type Asked, type Options, type Params, StrictTransport } from "./strict-transport.ts";

/** Makes the class of a client's transport, whose requests are observed one by one with all their attempts. */
export function observedTransport(observe: ObserveStore): typeof StrictTransport {
  return class ObservedTransport extends StrictTransport {
    protected override ask(params: Params, options: Options): Asked {
      const asked = super.ask(params, options);
      const observed = observe(operationOf(params.path), () => asked);
      return Object.assign(observed, { abort: () => asked.abort() });
    }
  };
}

/** What a request does, by the part of its path that says so: never the name of an index or a document. */
function operationOf(path: string): string {
  const [, operation = ""] = /\/_([a-z_]+)/.exec(path) ?? [];
  return OPERATIONS.has(operation) ? operation : "other";
}

/** What takes time while checks and uploads are at work; the rest is for starts and for maintenance. */
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
