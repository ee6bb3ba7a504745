import { pino } from "pino";
import type { CorpusOptions } from "../../src/service/connect-corpus.ts";
import { type Corpus, openCorpus } from "../../src/service/connect-corpus.ts";
import { freshPrefix, migratedDatabase, testStores } from "./stores.ts";

/** The first start on a new machine fetches OpenSearch, several hundred megabytes. */
const START_TIMEOUT_MS = 240_000;

/** The parts of a corpus of its own, on empty stores, with nobody at work on it but the test. */
export function useCorpus(changes: Partial<CorpusOptions> = {}): {
  readonly corpus: Corpus;
  readonly options: CorpusOptions;
} {
  let opened: { readonly corpus: Corpus; readonly options: CorpusOptions } | undefined;
  before(async function () {
    this.timeout(START_TIMEOUT_MS);
    const { opensearchNodes } = await testStores();
    const options = {
      databaseUrl: await migratedDatabase(),
      opensearchNodes,
      opensearchIndexPrefix: freshPrefix(),
      ...changes,
    };
    opened = {
      options,
      corpus: await openCorpus(options, pino({ level: process.env.TEST_LOG_LEVEL ?? "silent" })),
    };
  });
  after(() => opened?.corpus.close());
  const started = () => {
    if (opened === undefined)
      throw new Error("the corpus is open in the hooks and tests of its describe only");
    return opened;
  };
  return {
    get corpus() {
      return started().corpus;
    },
    get options() {
      return started().options;
    },
  };
}
