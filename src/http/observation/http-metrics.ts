import { Counter, Histogram, type Registry } from "prom-client";

export type HttpObservation = {
  readonly listener: string;
  readonly method: string;
  readonly route: string;
  readonly status: string;
  readonly seconds: number;
  /** The kind of problem that was the answer, if one was. */
  readonly problem: string | undefined;
};

export type HttpMetrics = { readonly observe: (observation: HttpObservation) => void };

/** The durations of requests, and the problems among the answers. Made once for a registry and shared by its listeners, told apart by a label. */
export function createHttpMetrics(registry: Registry): HttpMetrics {
  const durations = new Histogram({
    name: "http_request_duration_seconds",
    help: "Time from the request's head to the end of its answer.",
    labelNames: ["listener", "method", "route", "status"],
    buckets: [...DURATION_BUCKETS_SECONDS],
    registers: [registry],
  });
  const problems = new Counter({
    name: "http_problems_total",
    help: "Requests that were answered with a problem, by its kind: what uploads are refused for, and what failed.",
    labelNames: ["listener", "route", "problem"],
    registers: [registry],
  });
  return {
    observe({ seconds, problem, ...labels }) {
      durations.observe(labels, seconds);
      const { listener, route } = labels;
      if (problem !== undefined) problems.inc({ listener, route, problem });
    },
  };
}

/** From a read that is answered from memory (5 ms) to a large upload over a slow line (30 s). */
const DURATION_BUCKETS_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] as const;
