import process from "node:process";
import { GOES_ON } from "../../src/corpus/ingest/collection-ingest.ts";
import { type Config, readConfig } from "../../src/platform/config.ts";
import { createLogger } from "../../src/platform/logger.ts";
import { explainError, stopSignal } from "../../src/platform/terminal/command.ts";
import { checkGivenStores } from "../../src/service/check-given-stores.ts";
import { type Corpus, openCorpus } from "../../src/service/connect-corpus.ts";
import { prepareEncoder } from "../encoder/prepare-encoder.ts";
import { openStores, type StoreOptions, type Stores } from "../stores/open-stores.ts";

export type CommandContext = {
  readonly config: Config;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  /** Prints a line for a person. */
  readonly say: (line: string) => void;
};

/** The exit status that shells use for an interrupted command: 128 and the number of SIGINT. */
const INTERRUPTED_STATUS = 130;

/** What a command says at Ctrl-C, which may take a while: work that was begun is finished. */
export const STOPPING = "Stopping. Press Ctrl-C again to stop at once.";

/**
 * Runs a command on the corpus, with settings from the environment and the stores of the service, which may be running.
 * The process exits with the status that `work` returns; with 1 and one clear message when it throws.
 * @param say prints lines for a person, by default on the standard error: the standard output is for the result.
 * @param stopping the line at Ctrl-C.
 */
export function runCorpusCommand(
  work: (corpus: Corpus, context: CommandContext) => Promise<number>,
  say: CommandContext["say"] = (line) => process.stderr.write(`${line}\n`),
  stopping?: () => string,
): Promise<void> {
  return runOnStores({ stopping }, say, GOES_ON, async (stores, context) => {
    const { config } = context;
    const corpus = await openCorpus(
      { ...config, ...stores, prepareEncoder },
      createLogger(config.logLevel, "stderr"),
    );
    try {
      return await work(corpus, context);
    } finally {
      await corpus.close();
    }
  });
}

/** Runs `work` on the stores of the service and sets the exit status; see `runCorpusCommand`. */
export async function runOnStores(
  {
    stopping = () => STOPPING,
    ...options
  }: Pick<StoreOptions, "wanted"> & {
    readonly stopping?: (() => string) | undefined;
  },
  say: CommandContext["say"],
  whenStopped: string,
  work: (stores: Stores, context: CommandContext) => Promise<number>,
): Promise<void> {
  const signal = stopSignal();
  signal.addEventListener("abort", () => say(stopping()));
  try {
    const config = readConfig(process.env);
    await checkGivenStores(options.wanted === undefined ? config : { ...config, opensearchUrls: undefined });
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
