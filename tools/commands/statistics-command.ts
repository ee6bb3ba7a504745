import { createLogger } from "../../src/platform/logger.ts";
import { Database } from "../../src/platform/postgres/database.ts";
import { migrate } from "../../src/platform/postgres/migrate.ts";
import { LOAD_ANSWER_TIMEOUT_MS } from "../../src/service/statistics-service.ts";
import type { LoadStatistics } from "../../src/statistics/load/load-statistics.ts";
import { createLoadStatistics } from "../../src/statistics/load/load-statistics.ts";
import { type CommandContext, runOnStores } from "./command.ts";

// Apart from the commands on the corpus, which would otherwise load all code of the statistics at every start.

type StatisticsContext = CommandContext & {
  readonly database: Database;
  readonly databaseUrl: string;
  readonly loadStatistics: LoadStatistics;
};

/** As `runCorpusCommand`, for the statistics, which need only PostgreSQL. @param whenStopped tells the state after Ctrl-C. */
export function runStatisticsCommand(
  work: (context: StatisticsContext) => Promise<number>,
  say: CommandContext["say"],
  whenStopped = "Nothing has changed.",
): Promise<void> {
  return runOnStores({ wanted: ["postgres"] }, say, whenStopped, async ({ databaseUrl }, context) => {
    const log = createLogger(context.config.logLevel, "stderr");
    await migrate(databaseUrl, log);
    const database = new Database(databaseUrl, log, LOAD_ANSWER_TIMEOUT_MS);
    try {
      return await work({
        ...context,
        database,
        databaseUrl,
        loadStatistics: createLoadStatistics({ database }),
      });
    } finally {
      await database.close();
    }
  });
}
