import { createPipeline, type Pipeline } from "../corpus/index.ts";
import type { Logger } from "../platform/logger.ts";
import { type CorpusOptions, type CorpusParts, collectOpened, connectCorpus } from "./connect-corpus.ts";

/** The parts of the corpus without the service, for the commands that look after it. */
export type Corpus = CorpusParts & {
  /** Closes the connections. Safe to call twice. */
  close(): Promise<void>;
};

/**
 * Opens the corpus on its two stores, beside any services that run on them.
 * @throws when a store can't be reached; what was opened until then is closed.
 */
export async function openCorpus(options: CorpusOptions, log: Logger): Promise<Corpus> {
  const { opened, closeAll } = collectOpened(log);
  try {
    return { ...(await connectCorpus(options, false, log, opened)), close: closeAll };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

/** The functions that feed the corpus from a program, with the connections that they use. */
export type OpenPipeline = Pipeline & {
  /** Brings the stores' statistics up to date: call it after a bulk load. */
  refreshStatistics(): Promise<void>;
  /** Closes the connections and ends the threads. Safe to call twice. */
  close(): Promise<void>;
};

/**
 * Connects to the stores for a bulk load of a program's own.
 * @throws when a store can't be reached.
 */
export async function openPipeline(options: CorpusOptions, log: Logger): Promise<OpenPipeline> {
  const corpus = await openCorpus(options, log);
  return {
    ...createPipeline(corpus),
    refreshStatistics: async () => {
      await corpus.refreshStatistics({ merge: false, say: () => undefined });
    },
    close: corpus.close,
  };
}
