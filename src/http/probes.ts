import { Router } from "@koa/router";
import type { Registry } from "prom-client";
import { z } from "zod";
import type { Operation } from "./docs/operation.ts";
import { RETRY_AFTER_SECONDS } from "./problem.ts";

/** What the readiness probe found: `checks` names each part with `ok` or with what is wrong. */
export type Readiness = { readonly ready: boolean; readonly checks: Readonly<Record<string, string>> };

/** `/health` says that the process answers, without asking anything else; `/ready` says whether it can do its work. */
export function probeRouter(readiness: () => Promise<Readiness>): Router {
  const router = new Router();
  router.get(healthOperation.path, (ctx) => {
    ctx.body = { status: "ok" };
  });
  router.get(readyOperation.path, async (ctx) => {
    const { ready, checks } = await readiness().catch(unanswered);
    ctx.status = ready ? 200 : 503;
    if (!ready) ctx.set("Retry-After", String(RETRY_AFTER_SECONDS));
    ctx.set("Cache-Control", "no-store");
    ctx.body = { ready, checks };
  });
  return router;
}

/** A probe that fails has its answer: not ready. What it failed on is in the log of the part that it asked. */
function unanswered(): Readiness {
  return { ready: false, checks: { probe: "failed" } };
}

const ReadinessAnswer = z.object({
  ready: z.boolean().describe("Whether every part answers."),
  checks: z.record(z.string(), z.string()).describe("Each part with `ok`, or with what is wrong."),
});

const healthOperation = {
  method: "get",
  path: "/health",
  operationId: "getHealth",
  summary: "Is the process alive?",
  description: "Answers without asking a store, so it suits a liveness probe.",
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
  description: "200 when the stores answer and the schema is current, else 503. Suits a readiness probe.",
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
      description: "Some part does not answer.",
      schema: ReadinessAnswer,
      headers: { "Retry-After": "Seconds after which to ask again." },
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
