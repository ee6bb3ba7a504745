import type { Registry } from "prom-client";
import { z } from "zod";
import { RETRY_AFTER_SECONDS } from "./routing/problem.ts";
import { type Route, routesFor } from "./routing/route.ts";

/** The result of a readiness probe. `checks` maps each part to `ok` or to its fault. */
export type Readiness = { readonly ready: boolean; readonly checks: Readonly<Record<string, string>> };

/** The result of a probe that throws. The part that it called has logged the cause. */
const FAILED_PROBE: Readiness = { ready: false, checks: { probe: "failed" } };

const ReadinessAnswer = z.object({
  ready: z.boolean().describe("Whether every part answers."),
  checks: z.record(z.string(), z.string()).describe("Maps each part to `ok` or to its fault."),
});

type ReadinessProbe = () => Promise<Readiness>;

/** Not ready once the process was told to stop: load balancers then choose another one. */
export function untilStopping(readiness: ReadinessProbe, stopping: AbortSignal | undefined): ReadinessProbe {
  return async () =>
    stopping?.aborted === true ? { ready: false, checks: { service: "stopping" } } : readiness();
}

const probe = routesFor<ReadinessProbe>();

/** `/health` shows that the process answers, without calling a store. `/ready` shows whether the process can do its work. */
export const probeRoutes: readonly Route<ReadinessProbe>[] = [
  probe(
    {
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
    },
    () => ({ status: "ok" as const }),
  ),
  probe(
    {
      method: "get",
      path: "/ready",
      operationId: "getReadiness",
      summary: "Can the service do its work?",
      description:
        "200 when the stores answer and the schema is current, else 503, also while the service stops. It suits a readiness probe.",
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
    },
    async ({ ctx }, readiness) => {
      const { ready, checks } = await readiness().catch(() => FAILED_PROBE);
      ctx.status = ready ? 200 : 503;
      if (!ready) ctx.set("Retry-After", String(RETRY_AFTER_SECONDS));
      ctx.set("Cache-Control", "no-store");
      return { ready, checks };
    },
  ),
];

/** `/metrics`: all metrics of the registry, in the Prometheus text format. */
export const metricsRoutes: readonly Route<Registry>[] = [
  routesFor<Registry>()(
    {
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
    },
    async ({ ctx }, registry) => {
      ctx.body = await registry.metrics();
      ctx.set({ "Content-Type": registry.contentType, "Cache-Control": "no-store" });
    },
  ),
];
