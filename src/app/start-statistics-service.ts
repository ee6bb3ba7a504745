import { createHttpMetrics } from "../http/observation/http-metrics.ts";
import type { Listener } from "../http/server.ts";
import type { Config } from "../platform/config.ts";
import type { Logger } from "../platform/logger.ts";
import { createMetrics } from "../platform/metrics.ts";
import { Database } from "../platform/postgres/database.ts";
import { migrate } from "../platform/postgres/migrate.ts";
import { openTracing } from "../platform/tracing/tracing.ts";
import { collectOpened, STOP_GRACE_MS } from "./connect-corpus.ts";
import { type StatisticsOptions, shareStatistics, startStatistics } from "./start-statistics.ts";

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
