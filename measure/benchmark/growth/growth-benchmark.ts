import { rm } from "node:fs/promises";
import { join } from "node:path";
import { pino } from "pino";
import type { SampleArticle } from "../../../src/corpus/sample-corpus/select-articles.ts";
import { type Corpus, openCorpus } from "../../../src/service/connect-corpus.ts";
import { prepareEncoder } from "../../../tools/encoder/prepare-encoder.ts";
import type { BenchmarkStores } from "../benchmark-stores.ts";
import type { Figure } from "../check-benchmark.ts";
import { type IngestRun, runIngest } from "../run-ingest.ts";
import { storedBytes } from "../stored-bytes.ts";
import { type BareBulk, bareBulk } from "./bare-bulk.ts";
import { type EncodingFigures, encodeArticles, encodeWaiting } from "./encode-corpus.ts";
import { type CorpusStep, corpusSteps, writeStep } from "./generated-corpus.ts";
import { type MeaningRecall, meaningRecall } from "./meaning-recall.ts";
import { measureSize, type SizeFigures } from "./measure-size.ts";
import { TextModel } from "./text-model.ts";

export type StepFigures = SizeFigures & {
  /** Undefined for a step that was there already. */
  readonly ingest: IngestRun | undefined;
  readonly bare: BareBulk | undefined;
  readonly stored: readonly Figure[];
  /** The same before any sentence was encoded; undefined for a step that was there already. */
  readonly storedByWords: readonly Figure[] | undefined;
  /** Undefined where words alone are measured. */
  readonly encoded:
    | { readonly articles: EncodingFigures; readonly recall: readonly MeaningRecall[] }
    | undefined;
};

export type GrowthInput = {
  readonly sizes: readonly number[];
  readonly articles: readonly SampleArticle[];
  /** Where the generated files are kept while they are ingested. */
  readonly dataDir: string;
  /** Whether no sentence is encoded and no meaning compared. */
  readonly isWordsOnly: boolean;
  readonly say: (line: string) => void;
  readonly onStep: (figures: StepFigures) => void;
};

/** Grows a corpus from one size to the next, and measures at each. */
export async function growthBenchmark(stores: BenchmarkStores, input: GrowthInput): Promise<void> {
  const { articles, isWordsOnly, say } = input;
  const model = new TextModel(articles.map(({ text }) => text));
  const articleWords = articles.reduce((sum, { text }) => sum + text.split(/\s+/).length, 0);
  const real = isWordsOnly ? undefined : await encodeArticlesOnce(stores, input);
  for (const [at, step] of corpusSteps(input.sizes, articleWords).entries()) {
    const folder = join(input.dataDir, "bench", `growth-${step.chunks}`);
    const ingest = await load(stores, folder, step, model, at === 0 ? articles : [], say);
    const bare = ingest === undefined ? undefined : await floor(stores, ingest, say);
    const { database, opensearch, environment } = stores;
    const size = () => storedBytes(database, opensearch, environment.OPENSEARCH_INDEX_PREFIX);
    const storedByWords = ingest === undefined ? undefined : await size();
    const encoded =
      real &&
      (await withCorpus(stores, input, async (corpus) => {
        say(`Drawing the meaning of the sentences of ${step.chunks} chunks`);
        await encodeWaiting(corpus, real.real);
        say(`${step.chunks} chunks: recall by meaning`);
        return { articles: real.figures, recall: await meaningRecall(corpus, say) };
      }));
    const figures = await measureSize(stores, { model, articles, isWordsOnly }, say);
    const stored = await size();
    input.onStep({ ...figures, ingest, bare, stored, storedByWords, encoded });
  }
}

async function encodeArticlesOnce(stores: BenchmarkStores, input: GrowthInput) {
  input.say("Encoding the sentences of the articles");
  return withCorpus(stores, input, (corpus) => encodeArticles(corpus, input.articles));
}

async function withCorpus<T>(
  { environment }: BenchmarkStores,
  { dataDir }: GrowthInput,
  work: (corpus: Corpus) => Promise<T>,
): Promise<T> {
  const options = {
    databaseUrl: environment.DATABASE_URL,
    opensearchNodes: environment.OPENSEARCH_URL.split(","),
    opensearchIndexPrefix: environment.OPENSEARCH_INDEX_PREFIX,
    semantic: true,
    dataDir,
    prepareEncoder,
  };
  const corpus = await openCorpus(options, pino({ level: "silent" }));
  try {
    return await work(corpus);
  } finally {
    await corpus.close();
  }
}

async function load(
  { environment, database }: BenchmarkStores,
  folder: string,
  step: CorpusStep,
  model: TextModel,
  articles: readonly SampleArticle[],
  say: (line: string) => void,
): Promise<IngestRun | undefined> {
  const collection = `growth-${step.chunks}`;
  if (await isLoaded(database, collection)) {
    say(`${collection} is loaded already`);
    return undefined;
  }
  say(`Writing ${step.end - step.first + articles.length} files`);
  await rm(folder, { recursive: true, force: true });
  await writeStep(folder, step, model, articles);
  try {
    say(`Ingesting them, to ${step.chunks} chunks`);
    return await runIngest("ingest", [folder, "--collection", collection], environment);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function isLoaded(database: BenchmarkStores["database"], collection: string): Promise<boolean> {
  const { rows } = await database.query<{ present: string | null }>(
    "select to_regclass('similarity.documents') as present",
  );
  if (rows[0]?.present === null) return false;
  const found = await database.query("select from similarity.documents where collection = $1 limit 1", [
    collection,
  ]);
  return found.rowCount === 1;
}

async function floor(
  { environment, opensearch }: BenchmarkStores,
  { chunks }: IngestRun,
  say: (line: string) => void,
): Promise<BareBulk> {
  say(`Writing ${chunks} chunks by _bulk alone`);
  return bareBulk(environment.OPENSEARCH_URL, opensearch, {
    index: `${environment.OPENSEARCH_INDEX_PREFIX}chunks-read`,
    prefix: environment.OPENSEARCH_INDEX_PREFIX,
    chunksMax: chunks,
  });
}
