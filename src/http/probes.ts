import { Router } from "@koa/router";
import type { Registry } from "prom-client";
import { z } from "zod";
import type { Operation } from "./docs/operation.ts";
import { RETRY_AFTER_SECONDS } from "./problem.ts";

/** The result of a readiness probe. `checks` maps each part to `ok` or to its fault. */
export type Readiness = { readonly ready: boolean; readonly checks: Readonly<Record<string, string>> };

/** `/health` shows that the process answers, without calling a store. `/ready` shows whether the process can do its work. */
export function probeRouter(readiness: () => Promise<Readiness>): Router {
  const router = new Router();
  router.get(healthOperation.path, (ctx) => {
    ctx.body = { status: "ok" };
  });
  router.get(readyOperation.path, async (ctx) => {
    const { ready, checks } = await readiness().catch(() => FAILED_PROBE);
    ctx.status = ready ? 200 : 503;
    if (!ready) ctx.set("Retry-After", String(RETRY_AFTER_SECONDS));
    ctx.set("Cache-Control", "no-store");
    ctx.body = { ready, checks };
  });
  return router;
}

/** The result of a probe that throws. The part that it called has logged the cause. */
const FAILED_PROBE: Readiness = { ready: false, checks: { probe: "failed" } };

const ReadinessAnswer = z.object({
  ready: z.boolean().describe("Whether every part answers."),
  checks: z.record(z.string(), z.string()).describe("Maps each part to `ok` or to its fault."),
});

const healthOperation = {
  method: "get",
  path: "/health",
  operationId: "getHealth",
  summary: "Is the process alive?",
  description: "Answers without calling a store, so it suits a liveness probe.",
  tags: ["Operation"],
  responses: {
    200: {
      description: "The process answers.",
      schema: z.object({ status: z.literal("ok") }),
      examples: { ok: { summary: "Alive", value: { status: "ok" } } },
    },
  },
  errors: [],
} as const satisfies Operation;

const readyOperation = {
  method: "get",
  path: "/ready",
  operationId: "getReadiness",
  summary: "Can the service do its work?",
  description: "200 when the stores answer and the schema is current, else 503. It suits a readiness probe.",
  tags: ["Operation"],
  responses: {
    200: {
      description: "Every part answers.",
      schema: ReadinessAnswer,
      examples: {
        ready: { summary: "Ready", value: { ready: true, checks: { postgres: "ok", opensearch: "ok" } } },
      },
    },
    503: {
      description: "A part does not answer.",
      schema: ReadinessAnswer,
      headers: { "Retry-After": "Seconds to wait before a retry." },
      examples: {
        notReady: {
          summary: "A store is down",
          value: { ready: false, checks: { postgres: "ok", opensearch: "does not answer" } },
        },
      },
    },
  },
  errors: [],
} as const satisfies Operation;

export const probeOperations: readonly Operation[] = [healthOperation, readyOperation];

/** `/metrics`: all metrics of the registry, in the Prometheus text format. */
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
  description: "The metrics of the process since its start, in the Prometheus text format.",
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
