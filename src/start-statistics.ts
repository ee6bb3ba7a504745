import type { CorpusParts, Opened } from "./connect-corpus.ts";
import { createApp } from "./http/app.ts";
import type { HttpMetrics } from "./http/http-metrics.ts";
import type { Readiness } from "./http/probes.ts";
import { trustedProxies } from "./http/rate-limit/trusted-proxies.ts";
import { type Listener, listen } from "./http/server.ts";
import type { Config } from "./platform/config.ts";
import type { Database } from "./platform/postgres/database.ts";
import { schemaIsCurrent } from "./platform/postgres/migrate.ts";
import { Notifications } from "./platform/postgres/notifications.ts";
import { RequestCounter } from "./platform/postgres/request-counter.ts";
import { STATISTICS_LOADED_CHANNEL, StatisticsAnswers, StatisticsStore } from "./statistics/index.ts";
import { statisticsMiddleware, statisticsRouters } from "./statistics-api.ts";

export type StatisticsOptions = Pick<
  Config,
  "host" | "statisticsPort" | "statisticsRateLimit" | "trustedProxies"
> & { readonly databaseUrl: string };

/** The limit of the specification is one per minute. */
const WINDOW_SECONDS = 60;

/** Wires the statistics API and begins to listen. Of the stores it needs PostgreSQL alone. */
export async function startStatistics(
  { database, metrics, log }: Pick<CorpusParts, "database" | "metrics" | "log">,
  httpMetrics: HttpMetrics,
  options: StatisticsOptions,
  opened: Opened,
): Promise<Listener> {
  const { databaseUrl, host, statisticsPort, statisticsRateLimit } = options;
  const answers = new StatisticsAnswers(database, new StatisticsStore());
  // A load tells every process in its transaction. While the connection is lost the last answers go on.
  const forget = () => answers.forget();
  const loads = new Notifications(
    databaseUrl,
    STATISTICS_LOADED_CHANNEL,
    { onPayload: forget, onReconnect: forget },
    log,
  );
  opened(loads, (one) => one.close());
  await loads.open();

  const rate = { limit: statisticsRateLimit, windowSeconds: WINDOW_SECONDS };
  const counter = new RequestCounter({ ...rate, databaseUrl, table: "statistics_request_counts" }, log);
  opened(counter, (one) => one.close());
  const isTrusted = trustedProxies(options.trustedProxies);
  const app = createApp({
    name: "statistics",
    log,
    metrics: httpMetrics,
    routers: statisticsRouters({
      answers,
      readiness: () => readiness(database),
      registry: metrics.registry,
      isTrusted,
    }),
    beforeRoutes: statisticsMiddleware({ ...rate, isTrusted, take: (client) => counter.take(client) }),
  });
  return listen(app, { host, port: statisticsPort, portSetting: "STATISTICS_PORT" });
}

async function readiness(database: Database): Promise<Readiness> {
  const postgres = await schemaIsCurrent(database).then(
    (current) => (current ? "ok" : "the schema is not current"),
    () => "does not answer",
  );
  return { ready: postgres === "ok", checks: { postgres } };
}
