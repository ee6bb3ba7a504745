import process from "node:process";
import { GOES_ON } from "../corpus/index.ts";
import { type Config, readConfig } from "../platform/config.ts";
import { createLogger } from "../platform/logger.ts";
import { Database } from "../platform/postgres/database.ts";
import { migrate } from "../platform/postgres/migrate.ts";
import { openStores, type StoreOptions, type Stores } from "../platform/stores/open-stores.ts";
import { explainError, stopSignal } from "../platform/terminal/command.ts";
import { createLoadStatistics, type LoadStatistics } from "../statistics/index.ts";
import { type Corpus, openCorpus } from "./connect-corpus.ts";

type CommandContext = {
  readonly config: Config;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  /** Prints a line for a person. */
  readonly say: (line: string) => void;
};

type StatisticsContext = CommandContext & {
  readonly database: Database;
  readonly databaseUrl: string;
  readonly loadStatistics: LoadStatistics;
};

/** The exit status that shells use for an interrupted command: 128 and the number of SIGINT. */
const INTERRUPTED_STATUS = 130;

/** Loading all institutions of the world takes statements of minutes. */
export const LOAD_ANSWER_TIMEOUT_MS = 3_600_000;

/**
 * Runs a command on the corpus, with settings from the environment and the stores of the service, which may be running.
 * The process exits with the status that `work` returns; with 1 and one clear message when it throws.
 * @param say prints lines for a person, by default on the standard error: the standard output is for the result.
 */
export function runCorpusCommand(
  work: (corpus: Corpus, context: CommandContext) => Promise<number>,
  say: CommandContext["say"] = (line) => process.stderr.write(`${line}\n`),
): Promise<void> {
  return runOnStores({}, say, GOES_ON, async (stores, context) => {
    const { config } = context;
    const corpus = await openCorpus({ ...config, ...stores }, createLogger(config.logLevel, "stderr"));
    try {
      return await work(corpus, context);
    } finally {
      await corpus.close();
    }
  });
}

/**
 * Runs a command on the statistics, as `runCorpusCommand` does on the corpus. It needs only PostgreSQL.
 * @param whenStopped a sentence about the state after Ctrl-C.
 */
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

async function runOnStores(
  options: Pick<StoreOptions, "wanted">,
  say: CommandContext["say"],
  whenStopped: string,
  work: (stores: Stores, context: CommandContext) => Promise<number>,
): Promise<void> {
  const signal = stopSignal();
  try {
    const config = readConfig(process.env);
    const stores = await openStores({ ...config, ...options, say, signal });
    try {
      process.exitCode = await work(stores, { config, say, signal });
    } finally {
      await stores.stop();
    }
  } catch (error) {
    process.exitCode = signal.aborted ? INTERRUPTED_STATUS : 1;
    say(signal.aborted ? `Stopped. ${whenStopped}` : explainError(error));
  }
}
