import type { Metrics } from "./metrics.ts";
import type { Tracing } from "./tracing/tracing.ts";

/** Runs a request to a store and takes note of how long it took; `operation` is one of a small fixed set. */
export type ObserveStore = <T>(operation: string, work: () => Promise<T>) => Promise<T>;

/** For connections of which nobody keeps account, such as a command's. */
export const UNOBSERVED: ObserveStore = (_, work) => work();

/** Makes what measures the requests to one store, and shows them as steps of the trace that they belong to. */
export function createObserveStore(
  store: "postgresql" | "opensearch",
  { metrics, tracing }: { readonly metrics: Metrics; readonly tracing: Tracing },
): ObserveStore {
  return async (operation, work) => {
    const stopTimer = metrics.storeSeconds.startTimer({ store, operation });
    const span = {
      name: `${store} ${operation}`,
      kind: "client",
      attributes: { "db.system.name": store, "db.operation.name": operation },
    } as const;
    try {
      const result = await tracing.step(span, work);
      stopTimer({ outcome: "ok" });
      return result;
    } catch (error) {
      stopTimer({ outcome: "failed" });
      throw error;
    }
  };
}
