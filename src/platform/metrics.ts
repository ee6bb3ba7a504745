import { Counter, collectDefaultMetrics, Histogram, Registry } from "prom-client";

/**
 * What a process counts. Labels hold a small fixed set of values, never an identifier or a text. What is measured at the
 * moment of asking instead (`createBacklogMetrics`) and of requests (`createHttpMetrics`) is in the same registry.
 */
export type Metrics = {
  readonly registry: Registry;
  readonly checksFinished: Counter<"status" | "coverage">;
  readonly checksPartial: Counter<"reason">;
  readonly stageSeconds: Histogram<"stage">;
  readonly incompleteSearches: Counter<"reason">;
  readonly storeSeconds: Histogram<"store" | "operation" | "outcome">;
  readonly bulkRetries: Counter<"reason">;
  readonly jobSeconds: Histogram<"queue" | "outcome">;
  readonly extractionSeconds: Histogram<"outcome">;
  readonly documentsFingerprinted: Counter;
  readonly documentsMended: Counter<"kind">;
};

/** From a stage that takes a millisecond to a check that uses up a long time budget. */
const STAGE_SECONDS_BUCKETS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];

/** From a row that is read by its key to the limits, 15 s of a statement and 30 s of a request. */
const STORE_SECONDS_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 30];

/** From a small file to the 30 s after which reading one is given up. */
const EXTRACTION_SECONDS_BUCKETS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30];

/** A registry of its own for each service, so that two in one process (as in tests) don't mix. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  // Which version runs is nobody's business who can merely reach the port.
  registry.removeSingleMetric("nodejs_version_info");
  return fromZero({
    registry,
    checksFinished: new Counter({
      name: "similarity_checks_finished_total",
      help: "Checks that ended, by status and coverage",
      labelNames: ["status", "coverage"],
      registers,
    }),
    checksPartial: new Counter({
      name: "similarity_checks_partial_total",
      help: "Checks that ended without all of the corpus searched, by reason: time_budget or incomplete_searches",
      labelNames: ["reason"],
      registers,
    }),
    stageSeconds: new Histogram({
      name: "similarity_check_stage_seconds",
      help: "Time that a check spent in a stage",
      labelNames: ["stage"],
      buckets: STAGE_SECONDS_BUCKETS,
      registers,
    }),
    incompleteSearches: new Counter({
      name: "similarity_incomplete_searches_total",
      help: "Searches of the corpus that gave no whole answer, by reason: timed_out, shards_missing or refused",
      labelNames: ["reason"],
      registers,
    }),
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
      buckets: STAGE_SECONDS_BUCKETS,
      registers,
    }),
    extractionSeconds: new Histogram({
      name: "similarity_extraction_seconds",
      help: "Time that reading an uploaded file took, by outcome: text, refused, killed, cancelled or failed",
      labelNames: ["outcome"],
      buckets: EXTRACTION_SECONDS_BUCKETS,
      registers,
    }),
    documentsFingerprinted: new Counter({
      name: "similarity_documents_fingerprinted_total",
      help: "Corpus documents that became matchable",
      registers,
    }),
    documentsMended: new Counter({
      name: "similarity_documents_mended_total",
      help: "Corpus documents of which index and rows disagreed and were brought in line, by kind",
      labelNames: ["kind"],
      registers,
    }),
  });
}

/** What alerts are about begins at 0: Prometheus sees no increase in a series that comes into being with its first event. */
function fromZero(metrics: Metrics): Metrics {
  const { checksFinished, checksPartial, incompleteSearches } = metrics;
  checksFinished.inc({ status: "complete", coverage: "full" }, 0);
  checksFinished.inc({ status: "complete", coverage: "partial" }, 0);
  checksFinished.inc({ status: "failed", coverage: "none" }, 0);
  for (const reason of ["time_budget", "incomplete_searches"]) checksPartial.inc({ reason }, 0);
  for (const reason of ["timed_out", "shards_missing", "refused"]) incompleteSearches.inc({ reason }, 0);
  return metrics;
}
