import { createApp, type SharedParts } from "../http/app.ts";
import { readBuiltPages } from "../http/built-files.ts";
import { createHttpMetrics } from "../http/observation.ts";
import { PendingAnswers } from "../http/pending-answers.ts";
import { type Readiness, untilStopping } from "../http/probes.ts";
import { trustedProxies } from "../http/security/client-address.ts";
import { type Listener, listen } from "../http/server.ts";
import type { Config } from "../platform/config.ts";
import type { Logger } from "../platform/logger.ts";
import { createMetrics, createObserveStore, type Metrics } from "../platform/metrics.ts";
import { openTracing } from "../platform/open-tracing.ts";
import { Database, rethrowRefused } from "../platform/postgres/database.ts";
import { migrate, schemaIsCurrent } from "../platform/postgres/migrate.ts";
import { Notifications } from "../platform/postgres/notifications.ts";
import { RequestCounter } from "../platform/postgres/request-counter.ts";
import type { Tracing } from "../platform/tracing.ts";
import { StatisticsAnswers } from "../statistics/api/statistics-answers.ts";
import { createLoadStatistics } from "../statistics/load/load-statistics.ts";
import { grantStatisticsReading, STATISTICS_READER } from "../statistics/read-model/grant-reading.ts";
import { STATISTICS_LOADED_CHANNEL, StatisticsStore } from "../statistics/read-model/statistics-store.ts";
import type { RefreshResult } from "../statistics/refresh-statistics.ts";
import { createRefreshStatistics, OtherRefresh } from "../statistics/refresh-statistics.ts";
import type { SourceSettings } from "../statistics/sources/fetching/fetch-context.ts";
import { registerRefreshMetric } from "./backlog-metrics.ts";
import {
  type ConnectedCorpus,
  collectOpened,
  type Opened,
  REFRESH_STATISTICS_QUEUE,
  STOP_GRACE_MS,
} from "./connect-corpus.ts";
import { statisticsMiddleware, statisticsRouters } from "./statistics-api.ts";

/** Loading all institutions of the world takes statements of minutes. */
export const LOAD_ANSWER_TIMEOUT_MS = 3_600_000;

/** Whether a process serves only the statistics. Then it needs no OpenSearch and no right to write. */
export function servesStatisticsAlone({ roles }: Pick<Config, "roles">): boolean {
  return roles.every((role) => role === "statistics");
}

/**
 * Starts a process that serves only the statistics. Its `stop` may be called twice.
 * @param ownerUrl of the role that owns the tables, to migrate the schema. Without it, `/ready` reports that the process is
 * not ready until another process has migrated the schema.
 * @throws when PostgreSQL can't be reached or the port is taken, after everything that was opened is closed.
 */
export async function startStatisticsService(
  options: StatisticsOptions & Partial<Pick<Config, "otlpEndpoint">>,
  ownerUrl: string | undefined,
  log: Logger,
): Promise<{ readonly statistics: Listener; readonly stop: () => Promise<void> }> {
  const { opened, closeAll } = collectOpened(log);
  try {
    if (ownerUrl !== undefined) await prepare(ownerUrl, log);
    const metrics = createMetrics();
    const tracing = opened(await openTracing(options.otlpEndpoint, log), (one) => one.close());
    const shared = {
      metrics: createHttpMetrics(metrics.registry),
      pendingAnswers: new PendingAnswers(),
      pages: readBuiltPages(),
    };
    const listener = await startStatistics({ metrics, tracing, log }, shared, options, opened);
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
  /** For a role that needs no other right than to read the statistics. */
  readonly statisticsDatabaseUrl: string;
  /** Aborted when the process is told to stop. */
  readonly stopping?: AbortSignal;
};

/** The specification limits requests per minute. */
const WINDOW_SECONDS = 60;

/**
 * Wires the statistics API and starts to listen. It needs only PostgreSQL, with its own connections.
 * @throws ConfigError when PostgreSQL refuses access or the port is not available; DomainError `store_unavailable`.
 */
export async function startStatistics(
  { metrics, tracing, log }: { readonly metrics: Metrics; readonly tracing: Tracing; readonly log: Logger },
  shared: SharedParts,
  options: StatisticsOptions,
  opened: Opened,
): Promise<Listener> {
  const { statisticsDatabaseUrl: databaseUrl, statisticsPort, statisticsRateLimit } = options;
  const database = opened(
    new Database(databaseUrl, log, undefined, createObserveStore("postgresql", { metrics, tracing })),
    (one) => one.close(),
  );
  const answers = new StatisticsAnswers(database, new StatisticsStore());
  registerRefreshMetric(metrics.registry, database);
  // A load notifies every process in its transaction. While the connection is lost, the last answers stay.
  const forget = () => answers.forget();
  const loads = new Notifications(
    databaseUrl,
    STATISTICS_LOADED_CHANNEL,
    { onPayload: forget, onReconnect: forget },
    log,
  );
  opened(loads, (one) => one.close());
  await loads.open().catch(rethrowRefused("STATISTICS_DATABASE_URL"));

  const rate = { limit: statisticsRateLimit, windowSeconds: WINDOW_SECONDS };
  const counter = new RequestCounter({ ...rate, databaseUrl, table: "statistics_request_counts" }, log);
  opened(counter, (one) => one.close());
  const isTrusted = trustedProxies(options.trustedProxies);
  const app = createApp({
    name: "statistics",
    log,
    ...shared,
    tracing,
    routers: statisticsRouters({
      answers,
      readiness: untilStopping(() => readiness(database), options.stopping),
      registry: metrics.registry,
      isTrusted,
      pages: shared.pages,
    }),
    beforeRoutes: statisticsMiddleware({ ...rate, isTrusted, take: (client) => counter.take(client) }),
  });
  return listen(app, { ...options, port: statisticsPort, portSetting: "STATISTICS_PORT" });
}

/** Grants the statistics role read access, if the server has that role. `owner` must own the tables. */
export async function shareStatistics(owner: Database, log: Logger): Promise<void> {
  if (await grantStatisticsReading(owner)) return;
  log.warn(
    { role: STATISTICS_READER },
    "the role may not read all statistics; the owner of the tables has to grant it",
  );
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

/** After the American working day, in which Retraction Watch renews its file, and not on the hour, when servers are busiest. */
const DAILY_CRON = "17 3 * * *";

/**
 * Schedules the daily refresh of the statistics or, by default, removes its schedule. All workers on the same stores should
 * have the same setting: the last one that starts decides.
 */
export async function startStatisticsRefresh(
  { queue, log }: Pick<ConnectedCorpus, "queue" | "log">,
  options: RefreshServiceOptions,
  opened: Opened,
): Promise<void> {
  if (options.statisticsRefresh === "off") {
    await queue.unschedule(REFRESH_STATISTICS_QUEUE);
    return;
  }
  const { databaseUrl, dataDir } = options;
  const database = opened(new Database(databaseUrl, log, LOAD_ANSWER_TIMEOUT_MS), (one) => one.close());
  const loadStatistics = createLoadStatistics({ database });
  const parts = { database, databaseUrl, loadStatistics, dataDir };
  const refreshStatistics = createRefreshStatistics({ ...parts, settings: options });
  await queue.work(REFRESH_STATISTICS_QUEUE, 1, async (_, signal) => {
    try {
      logOutcomes(await refreshStatistics({ signal }), log);
    } catch (error) {
      if (!(error instanceof OtherRefresh)) throw error;
      log.info("statistics are being refreshed by another process");
    }
  });
  await queue.schedule(REFRESH_STATISTICS_QUEUE, DAILY_CRON);
}

/** A failed source is fetched again the next day, so the job itself is done. */
function logOutcomes({ outcomes, datasetVersion }: RefreshResult, log: Logger): void {
  for (const outcome of outcomes) {
    const { part, kind } = outcome;
    if (kind === "failed") log.error({ part, reason: outcome.reason }, "statistics not refreshed");
    else log.info({ part, kind, datasetVersion }, "statistics refreshed");
  }
}
