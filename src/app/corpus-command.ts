import process from "node:process";
import { GOES_ON } from "../corpus/index.ts";
import { type Config, readConfig } from "../platform/config.ts";
import { createLogger } from "../platform/logger.ts";
import { openStores } from "../platform/stores/open-stores.ts";
import { explainError } from "./explain-error.ts";
import { type Corpus, openCorpus } from "./open-corpus.ts";
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

type Work = (corpus: Corpus, context: CommandContext) => Promise<number>;

/**
 * Runs a command on the corpus: settings from the environment, the same stores as the service's, which may run beside it.
 * The process exits with the status that `work` gives; with 1 and one clear message when it throws.
 * @param say where lines for a person go, for a command that shows its progress among them.
 */
export async function runCorpusCommand(
  work: Work,
  say: CommandContext["say"] = toStandardError,
): Promise<void> {
  const signal = stopSignal();
  try {
    process.exitCode = await onStores(work, { config: readConfig(process.env), signal, say });
  } catch (error) {
    process.exitCode = signal.aborted ? INTERRUPTED_STATUS : 1;
    say(signal.aborted ? `Stopped. ${GOES_ON}` : explainError(error));
  }
}

async function onStores(work: Work, context: CommandContext): Promise<number> {
  const { config, say, signal } = context;
  const stores = await openStores({ ...config, say, signal });
  try {
    const corpus = await openCorpus({ ...config, ...stores }, createLogger(config.logLevel, "stderr"));
    try {
      return await work(corpus, context);
    } finally {
      await corpus.close();
    }
  } finally {
    await stores.stop();
  }
}

function toStandardError(line: string): void {
  process.stderr.write(`${line}\n`);
}
