import { Counter, collectDefaultMetrics, Histogram, Registry } from "prom-client";

/** What the engine counts. Labels hold a small fixed set of values, never an identifier. */
export type Metrics = {
  readonly registry: Registry;
  readonly checksFinished: Counter<"status" | "coverage">;
  readonly stageSeconds: Histogram<"stage">;
  readonly retrievalFailures: Counter<"reason">;
  readonly bulkRetries: Counter<"reason">;
  readonly documentsFingerprinted: Counter;
  readonly documentsMended: Counter<"kind">;
};

/** From a stage that takes a millisecond to a check that uses up a long time budget. */
const STAGE_SECONDS_BUCKETS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];

/** A registry of its own for each service, so that two in one process (as in tests) don't mix. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  // Which version runs is nobody's business who can merely reach the port.
  registry.removeSingleMetric("nodejs_version_info");
  return {
    registry,
    checksFinished: new Counter({
      name: "similarity_checks_finished_total",
      help: "Checks that ended, by status and coverage",
      labelNames: ["status", "coverage"],
      registers,
    }),
    stageSeconds: new Histogram({
      name: "similarity_check_stage_seconds",
      help: "Time that a check spent in a stage",
      labelNames: ["stage"],
      buckets: STAGE_SECONDS_BUCKETS,
      registers,
    }),
    retrievalFailures: new Counter({
      name: "similarity_retrieval_failures_total",
      help: "Chunk searches that gave no whole answer, by reason",
      labelNames: ["reason"],
      registers,
    }),
    bulkRetries: new Counter({
      name: "similarity_bulk_retries_total",
      help: "Bulk writes that were sent again, by reason",
      labelNames: ["reason"],
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
  };
}
