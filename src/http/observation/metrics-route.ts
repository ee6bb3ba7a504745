import { Router } from "@koa/router";
import type { Registry } from "prom-client";
import type { Operation } from "../docs/operation.ts";

/** `/metrics`: all that the registry counts, as Prometheus reads it. */
export function metricsRouter(registry: Registry): Router {
  const router = new Router();
  router.get(metricsOperation.path, async (ctx) => {
    ctx.body = await registry.metrics();
    ctx.set({ "Content-Type": registry.contentType, "Cache-Control": "no-store" });
  });
  return router;
}

export const metricsOperation = {
  method: "get",
  path: "/metrics",
  operationId: "getMetrics",
  summary: "Counters and durations",
  description: "What the process has counted since it started, in the Prometheus text format.",
  tags: ["Operation"],
  responses: {
    200: {
      description: "The metrics.",
      contentType: "text/plain",
      examples: {
        metrics: {
          summary: "A few lines",
          value:
            '# TYPE http_request_duration_seconds histogram\nhttp_request_duration_seconds_count{method="GET"} 3\n',
        },
      },
    },
  },
  errors: [],
} as const satisfies Operation;
