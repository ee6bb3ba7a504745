import { Counter, Histogram, type Registry } from "prom-client";
import type { SemanticCoverage } from "../report/figures/report.ts";
import type { CheckLane } from "./check.ts";

/** The Prometheus metrics of checks. */
export type CheckMetrics = ReturnType<typeof createCheckMetrics>;

/** From a stage of a millisecond to a check that uses up a long time budget. */
const STAGE_SECONDS_BUCKETS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];

/** From a check that finds an idle worker to the waits behind a thousand others. */
const WAIT_SECONDS_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1_800];

/** Counters that alerts use start at 0: Prometheus sees no increase in a series that its first event creates. */
export function createCheckMetrics(registry: Registry) {
  const registers = [registry];
  const checksFinished = new Counter({
    name: "similarity_checks_finished_total",
    help: "Checks that ended, by status and coverage",
    labelNames: ["status", "coverage"],
    registers,
  });
  const checksByMeaning = new Counter({
    name: "similarity_checks_by_meaning_total",
    help: "Complete checks, by coverage: whether their meaning was compared with all documents (full), some (partial) or none",
    labelNames: ["coverage"],
    registers,
  });
  const checksPartial = new Counter({
    name: "similarity_checks_partial_total",
    help: "Checks that ended without all of the corpus searched, by reason: time_budget or incomplete_searches",
    labelNames: ["reason"],
    registers,
  });
  const stageSeconds = new Histogram({
    name: "similarity_check_stage_seconds",
    help: "Time that a check spent in a stage",
    labelNames: ["stage"],
    buckets: STAGE_SECONDS_BUCKETS,
    registers,
  });
  const waitSeconds = new Histogram({
    name: "similarity_check_wait_seconds",
    help: "Time from the submission of a check to its start, by size: short (less than 10,000 words) or long",
    labelNames: ["size"],
    buckets: WAIT_SECONDS_BUCKETS,
    registers,
  });
  for (const size of ["short", "long"] satisfies CheckLane[]) waitSeconds.zero({ size });
  checksFinished.inc({ status: "complete", coverage: "full" }, 0);
  checksFinished.inc({ status: "complete", coverage: "partial" }, 0);
  checksFinished.inc({ status: "failed", coverage: "none" }, 0);
  for (const coverage of ["full", "partial", "none"] satisfies SemanticCoverage[])
    checksByMeaning.inc({ coverage }, 0);
  for (const reason of ["time_budget", "incomplete_searches"]) checksPartial.inc({ reason }, 0);
  return { checksFinished, checksByMeaning, checksPartial, stageSeconds, waitSeconds };
}
