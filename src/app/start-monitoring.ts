import { createApp } from "../http/app.ts";
import type { HttpMetrics } from "../http/observation/http-metrics.ts";
import { metricsRouter } from "../http/observation/metrics-route.ts";
import { probeRouter, type Readiness } from "../http/probes.ts";
import { hostRule } from "../http/security/host-rule.ts";
import { type Listener, listen } from "../http/server.ts";
import type { Config } from "../platform/config.ts";
import type { CorpusParts } from "./connect-corpus.ts";

export type MonitoringOptions = Pick<Config, "host" | "allowedHosts"> & { readonly metricsPort: number };

/**
 * Begins to listen for those who watch over the process: `/health`, `/ready` and `/metrics`, and nothing else. A process
 * that only works has no other listener.
 * @throws when the port can't be had.
 */
export async function startMonitoring(
  { metrics, log }: Pick<CorpusParts, "metrics" | "log">,
  httpMetrics: HttpMetrics,
  { host, allowedHosts, metricsPort }: MonitoringOptions,
  readiness: () => Promise<Readiness>,
): Promise<Listener> {
  const app = createApp({
    name: "monitoring",
    log,
    metrics: httpMetrics,
    isOwnHost: hostRule(host, allowedHosts),
    routers: [probeRouter(readiness), metricsRouter(metrics.registry)],
  });
  return listen(app, { host, port: metricsPort, portSetting: "METRICS_PORT" });
}
