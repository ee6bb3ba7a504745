import type { Config } from "../platform/config.ts";
import type { Logger } from "../platform/logger.ts";
import { Database } from "../platform/postgres/database.ts";
import {
  createLoadStatistics,
  createRefreshStatistics,
  OtherRefresh,
  type RefreshResult,
  type SourceSettings,
} from "../statistics/index.ts";
import type { CorpusParts, Opened } from "./connect-corpus.ts";
import { LOAD_ANSWER_TIMEOUT_MS } from "./statistics-command.ts";

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
    await queue.unschedule("refresh-statistics");
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
  await queue.work("refresh-statistics", 1, async (_, signal) => {
    try {
      note(await refreshStatistics({ signal }), log);
    } catch (error) {
      if (!(error instanceof OtherRefresh)) throw error;
      log.info("statistics are being refreshed by another process");
    }
  });
  await queue.schedule("refresh-statistics", DAILY_CRON);
}

/** A source that fails is asked again the next day: the job itself is done. */
function note({ outcomes, datasetVersion }: RefreshResult, log: Logger): void {
  for (const outcome of outcomes) {
    const { part, kind } = outcome;
    if (outcome.kind === "failed") log.error({ part, reason: outcome.reason }, "statistics not refreshed");
    else log.info({ part, kind, datasetVersion }, "statistics refreshed");
  }
}
