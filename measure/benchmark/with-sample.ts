import { join } from "node:path";
import process from "node:process";
import { readSampleCorpus } from "../../src/corpus/sample-corpus/read-sample-corpus.ts";
import type { SampleArticle } from "../../src/corpus/sample-corpus/select-articles.ts";
import { readConfig } from "../../src/platform/config.ts";
import { openStores } from "../../tools/stores/open-stores.ts";

/** The input of a benchmark: the sample's articles, and the stores of this installation. */
export type BenchmarkParts = {
  readonly articles: readonly SampleArticle[];
  readonly stores: Awaited<ReturnType<typeof openStores>>;
  readonly dataDir: string;
  readonly say: (line: string) => void;
};

/** Runs a benchmark, and stops the stores that it has started. @throws Error without the sample corpus */
export async function withSample(work: (parts: BenchmarkParts) => Promise<void>): Promise<void> {
  const config = readConfig(process.env);
  const { dataDir } = config;
  const say = (line: string) => process.stderr.write(`${line}\n`);
  const sample = await readSampleCorpus({ cacheDir: join(dataDir, "sample-corpus"), say });
  if (!sample.available) throw new Error(`The benchmark needs the sample corpus: ${sample.reason}`);
  const stores = await openStores({ ...config, say });
  try {
    await work({ articles: sample.articles, stores, dataDir, say });
  } finally {
    await stores.stop();
  }
}
