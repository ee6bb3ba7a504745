import { createApp } from "../http/app.ts";
import { createHttpMetrics, type HttpMetrics } from "../http/observation.ts";
import type { Readiness } from "../http/probes.ts";
import { trustedProxies } from "../http/security/client-address.ts";
import { type Listener, listen } from "../http/server.ts";
import type { Config } from "../platform/config.ts";
import type { Logger } from "../platform/logger.ts";
import { createMetrics, createObserveStore, type Metrics } from "../platform/metrics.ts";
import { Database, rethrowRefused, rethrowUnavailable } from "../platform/postgres/database.ts";
import { migrate, schemaIsCurrent } from "../platform/postgres/migrate.ts";
import { Notifications } from "../platform/postgres/notifications.ts";
import { RequestCounter } from "../platform/postgres/request-counter.ts";
import { openTracing } from "../platform/tracing/open-tracing.ts";
import type { Tracing } from "../platform/tracing/tracing.ts";
import {
  createLoadStatistics,
  createRefreshStatistics,
  grantStatisticsReading,
  OtherRefresh,
  type RefreshResult,
  type SourceSettings,
  STATISTICS_LOADED_CHANNEL,
  STATISTICS_READER,
  StatisticsAnswers,
  StatisticsStore,
} from "../statistics/index.ts";
import { LOAD_ANSWER_TIMEOUT_MS } from "./command.ts";
import {
  type CorpusParts,
  collectOpened,
  type Opened,
  REFRESH_STATISTICS_QUEUE,
  STOP_GRACE_MS,
} from "./connect-corpus.ts";
import { statisticsMiddleware, statisticsRouters } from "./statistics-api.ts";

export type StatisticsService = {
  readonly statistics: Listener;
  /** Ends the requests and closes the connections. Safe to call twice. */
  stop(): Promise<void>;
};

/** Whether a process has nothing to do but to serve the statistics: it then needs no OpenSearch, and no right to write. */
export function servesStatisticsAlone({ roles }: Pick<Config, "roles">): boolean {
  return roles.every((role) => role === "statistics");
}

/**
 * Starts a process that serves the statistics alone.
 * @param ownerUrl the service's own database, whose schema is brought up to date; undefined where this process is to know
 * nothing but the reader's, and waits at `/ready` for another to do that.
 * @throws when PostgreSQL can't be reached or the port is taken; what was opened until then is closed.
 */
export async function startStatisticsService(
  options: StatisticsOptions & Partial<Pick<Config, "otlpEndpoint">>,
  ownerUrl: string | undefined,
  log: Logger,
): Promise<StatisticsService> {
  const { opened, closeAll } = collectOpened(log);
  try {
    if (ownerUrl !== undefined) await prepare(ownerUrl, log);
    const metrics = createMetrics();
    const tracing = opened(await openTracing(options.otlpEndpoint, log), (one) => one.close());
    const listener = await startStatistics(
      { metrics, tracing, log },
      createHttpMetrics(metrics.registry),
      options,
      opened,
    );
    return { statistics: opened(listener, (one) => one.close(STOP_GRACE_MS)), stop: closeAll };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

async function prepare(ownerUrl: string, log: Logger): Promise<void> {
  await migrate(ownerUrl, log);
  const owner = new Database(ownerUrl, log);
  try {
    await shareStatistics(owner, log);
  } finally {
    await owner.close();
  }
}

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
  { metrics, tracing, log }: { readonly metrics: Metrics; readonly tracing: Tracing; readonly log: Logger },
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

export type RefreshServiceOptions = SourceSettings &
  Pick<Config, "statisticsRefresh" | "dataDir"> & { readonly databaseUrl: string };

/** After the working day in America, on which Retraction Watch's file is renewed; at no full hour, when everybody comes. */
const DAILY_CRON = "17 3 * * *";

/**
 * Lets a worker refresh the statistics every day, or, by default, see to it that nothing does. Every worker on the same stores
 * should have the same setting: the one that was started last decides.
 */
export async function startStatisticsRefresh(
  { queue, log }: Pick<CorpusParts, "queue" | "log">,
  options: RefreshServiceOptions,
  opened: Opened,
): Promise<void> {
  if (options.statisticsRefresh === "off") {
    await queue.unschedule(REFRESH_STATISTICS_QUEUE);
    return;
  }
  const { databaseUrl, dataDir } = options;
  const connection = new Database(databaseUrl, log, LOAD_ANSWER_TIMEOUT_MS);
  const database = opened(connection, (one) => one.close());
  const loadStatistics = createLoadStatistics({ database });
  const refreshStatistics = createRefreshStatistics({
    ...{ database, databaseUrl, loadStatistics, dataDir },
    settings: options,
  });
  await queue.work(REFRESH_STATISTICS_QUEUE, 1, async (_, signal) => {
    try {
      note(await refreshStatistics({ signal }), log);
    } catch (error) {
      if (!(error instanceof OtherRefresh)) throw error;
      log.info("statistics are being refreshed by another process");
    }
  });
  await queue.schedule(REFRESH_STATISTICS_QUEUE, DAILY_CRON);
}

/** A source that fails is asked again the next day: the job itself is done. */
function note({ outcomes, datasetVersion }: RefreshResult, log: Logger): void {
  for (const outcome of outcomes) {
    const { part, kind } = outcome;
    if (outcome.kind === "failed") log.error({ part, reason: outcome.reason }, "statistics not refreshed");
    else log.info({ part, kind, datasetVersion }, "statistics refreshed");
  }
}
