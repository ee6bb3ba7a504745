import { Counter, collectDefaultMetrics, Histogram, Registry } from "prom-client";
import type { Tracing } from "./tracing.ts";

/** The counters and histograms that belong to no feature. Labels take few fixed values, never an identifier or a text. */
export type Metrics = {
  readonly registry: Registry;
  readonly storeSeconds: Histogram<"store" | "operation" | "outcome">;
  readonly bulkRetries: Counter<"reason">;
  readonly jobSeconds: Histogram<"queue" | "outcome">;
  readonly extractionSeconds: Histogram<"outcome">;
};

/** From a row that is read by its key to the limits, 15 s of a statement and 30 s of a request. */
const STORE_SECONDS_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 30];

/** From a job of a millisecond to one that takes minutes. */
const JOB_SECONDS_BUCKETS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];

/** From a small file to the 30 s after which reading one is given up. */
const EXTRACTION_SECONDS_BUCKETS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30];

/** Each service has its own registry, so that two in one process, as in tests, stay apart. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  // The version of Node.js is not for everyone who can reach the port.
  registry.removeSingleMetric("nodejs_version_info");
  return {
    registry,
    storeSeconds: new Histogram({
      name: "similarity_store_request_seconds",
      help: "Time that a store took to answer, by store, operation and outcome",
      labelNames: ["store", "operation", "outcome"],
      buckets: STORE_SECONDS_BUCKETS,
      registers,
    }),
    bulkRetries: new Counter({
      name: "similarity_bulk_retries_total",
      help: "Bulk writes that were sent again, by reason",
      labelNames: ["reason"],
      registers,
    }),
    jobSeconds: new Histogram({
      name: "similarity_job_seconds",
      help: "Time that one attempt at a background job took, by queue and outcome: done, handed_back or failed",
      labelNames: ["queue", "outcome"],
      buckets: JOB_SECONDS_BUCKETS,
      registers,
    }),
    extractionSeconds: new Histogram({
      name: "similarity_extraction_seconds",
      help: "Time that reading an uploaded file took, by outcome: text, refused, killed, cancelled or failed",
      labelNames: ["outcome"],
      buckets: EXTRACTION_SECONDS_BUCKETS,
      registers,
    }),
  };
}

/** Runs a request to a store and measures it; `operation` is one of a small fixed set. */
export type ObserveStore = <T>(operation: string, work: () => Promise<T>) => Promise<T>;

/** For connections that are not measured, such as a command's connections. */
export const UNOBSERVED: ObserveStore = (_, work) => work();

/** Measures the requests to one store, and shows each as a step of the current trace. */
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
