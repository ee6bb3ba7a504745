import { type CorpusOptions, type CorpusParts, collectOpened, connectCorpus } from "./connect-corpus.ts";
import type { Logger } from "./platform/logger.ts";

/** The corpus without the service: for bulk pipelines, and for the commands that look after it. */
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
