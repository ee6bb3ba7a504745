import { createApp } from "../http/app.ts";
import type { HttpMetrics } from "../http/observation/http-metrics.ts";
import type { Readiness } from "../http/probes.ts";
import { trustedProxies } from "../http/rate-limit/trusted-proxies.ts";
import { type Listener, listen } from "../http/server.ts";
import type { Config } from "../platform/config.ts";
import type { Logger } from "../platform/logger.ts";
import { createObserveStore } from "../platform/observe-store.ts";
import { Database, rethrowRefused, rethrowUnavailable } from "../platform/postgres/database.ts";
import { schemaIsCurrent } from "../platform/postgres/migrate.ts";
import { Notifications } from "../platform/postgres/notifications.ts";
import { RequestCounter } from "../platform/postgres/request-counter.ts";
import {
  grantStatisticsReading,
  STATISTICS_LOADED_CHANNEL,
  STATISTICS_READER,
  StatisticsAnswers,
  StatisticsStore,
} from "../statistics/index.ts";
import type { CorpusParts, Opened } from "./connect-corpus.ts";
import { statisticsMiddleware, statisticsRouters } from "./statistics-api.ts";

export type StatisticsOptions = Pick<
  Config,
  "host" | "statisticsPort" | "statisticsRateLimit" | "trustedProxies"
> & {
  /** Where the statistics are read, by a role that need not be able to do anything else. */
  readonly statisticsDatabaseUrl: string;
};

/** The limit of the specification is one per minute. */
const WINDOW_SECONDS = 60;

/**
 * Wires the statistics API and begins to listen. Of the stores it needs PostgreSQL alone, with connections of its own.
 * @throws ConfigError when PostgreSQL doesn't let us in; DomainError `store_unavailable`; when the port can't be had.
 */
export async function startStatistics(
  { metrics, tracing, log }: Pick<CorpusParts, "metrics" | "tracing" | "log">,
  httpMetrics: HttpMetrics,
  options: StatisticsOptions,
  opened: Opened,
): Promise<Listener> {
  const { statisticsDatabaseUrl: databaseUrl, host, statisticsPort, statisticsRateLimit } = options;
  const database = opened(
    new Database(databaseUrl, log, undefined, createObserveStore("postgresql", { metrics, tracing })),
    (one) => one.close(),
  );
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
  await loads.open().catch(rethrowRefused("STATISTICS_DATABASE_URL")).catch(rethrowUnavailable);

  const rate = { limit: statisticsRateLimit, windowSeconds: WINDOW_SECONDS };
  const counter = new RequestCounter({ ...rate, databaseUrl, table: "statistics_request_counts" }, log);
  opened(counter, (one) => one.close());
  const isTrusted = trustedProxies(options.trustedProxies);
  const app = createApp({
    name: "statistics",
    log,
    metrics: httpMetrics,
    tracing,
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

/** Lets the statistics' own role read them, where the server has one. To be done by the role that owns the tables. */
export async function shareStatistics(owner: Database, log: Logger): Promise<void> {
  if (await grantStatisticsReading(owner)) return;
  log.warn({ role: STATISTICS_READER }, "the role may not read all statistics; their owner has to grant it");
}

async function readiness(database: Database): Promise<Readiness> {
  const postgres = await schemaIsCurrent(database).then(
    (current) => (current ? "ok" : "the schema is not current"),
    () => "does not answer",
  );
  return { ready: postgres === "ok", checks: { postgres } };
}
