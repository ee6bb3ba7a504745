import process from "node:process";
import { type Config, readConfig } from "../platform/config.ts";
import { createLogger } from "../platform/logger.ts";
import { Database } from "../platform/postgres/database.ts";
import { migrate } from "../platform/postgres/migrate.ts";
import { openStores } from "../platform/stores/open-stores.ts";
import { createLoadStatistics, type LoadStatistics } from "../statistics/index.ts";
import { explainError } from "./explain-error.ts";
import { stopSignal } from "./stop-signal.ts";

export type StatisticsContext = {
  readonly database: Database;
  readonly databaseUrl: string;
  readonly loadStatistics: LoadStatistics;
  readonly config: Config;
  /** Is aborted by Ctrl-C. */
  readonly signal: AbortSignal;
};

/** What an interrupted command exits with, as shells do: 128 and the number of SIGINT. */
const INTERRUPTED_STATUS = 130;

/** Statements over the files of all the world's institutions take minutes. */
export const LOAD_ANSWER_TIMEOUT_MS = 3_600_000;

/**
 * Runs a command on the statistics: settings from the environment, the same database as the service's, which may run beside it.
 * The process exits with the status that `work` gives; with 1 and one clear message when it throws.
 * @param say where lines for a person go.
 * @param whenStopped what to say of the work when Ctrl-C has stopped it.
 */
export async function runStatisticsCommand(
  work: (context: StatisticsContext) => Promise<number>,
  say: (line: string) => void,
  whenStopped = "Nothing has changed.",
): Promise<void> {
  const signal = stopSignal();
  try {
    process.exitCode = await onDatabase(work, readConfig(process.env), signal, say);
  } catch (error) {
    process.exitCode = signal.aborted ? INTERRUPTED_STATUS : 1;
    say(signal.aborted ? `Stopped. ${whenStopped}` : explainError(error));
  }
}

async function onDatabase(
  work: (context: StatisticsContext) => Promise<number>,
  config: Config,
  signal: AbortSignal,
  say: (line: string) => void,
): Promise<number> {
  const stores = await openStores({ ...config, wanted: ["postgres"], say, signal });
  try {
    const log = createLogger(config.logLevel, "stderr");
    await migrate(stores.databaseUrl, log);
    const database = new Database(stores.databaseUrl, log, LOAD_ANSWER_TIMEOUT_MS);
    try {
      const { databaseUrl } = stores;
      const loadStatistics = createLoadStatistics({ database });
      return await work({ database, databaseUrl, loadStatistics, config, signal });
    } finally {
      await database.close();
    }
  } finally {
    await stores.stop();
  }
}
