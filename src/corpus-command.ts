import process from "node:process";
import { explainError } from "./explain-error.ts";
import { type Corpus, openCorpus } from "./open-corpus.ts";
import { type Config, readConfig } from "./platform/config.ts";
import { createLogger } from "./platform/logger.ts";
import { openStores } from "./platform/stores/open-stores.ts";
import { stopSignal } from "./stop-signal.ts";

export type CommandContext = {
  readonly config: Config;
  /** Is aborted by Ctrl-C: the work ends as soon as it can, and a rerun goes on. */
  readonly signal: AbortSignal;
  /** Tells a person, on the standard error: the standard output belongs to the result. */
  readonly say: (line: string) => void;
};

/** What an interrupted command exits with, as shells do: 128 and the number of SIGINT. */
const INTERRUPTED_STATUS = 130;

/**
 * Runs a command on the corpus: settings from the environment, the same stores as the service's, which may run beside it.
 * The process exits with the status that `work` gives; with 1 and one clear message when it throws.
 */
export async function runCorpusCommand(
  work: (corpus: Corpus, context: CommandContext) => Promise<number>,
): Promise<void> {
  const signal = stopSignal();
  try {
    process.exitCode = await onStores(work, readConfig(process.env), signal);
  } catch (error) {
    process.exitCode = signal.aborted ? INTERRUPTED_STATUS : 1;
    if (!signal.aborted) say(explainError(error));
  }
}

async function onStores(
  work: (corpus: Corpus, context: CommandContext) => Promise<number>,
  config: Config,
  signal: AbortSignal,
): Promise<number> {
  const stores = await openStores({ ...config, say, signal });
  try {
    const corpus = await openCorpus({ ...config, ...stores }, createLogger(config.logLevel, "stderr"));
    try {
      return await work(corpus, { config, signal, say });
    } finally {
      await corpus.close();
    }
  } finally {
    await stores.stop();
  }
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
