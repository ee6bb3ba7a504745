import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { SampleArticle } from "../../../src/corpus/sample-corpus/select-articles.ts";
import type { BenchmarkStores } from "../benchmark-stores.ts";
import type { Figure } from "../check-benchmark.ts";
import { type IngestRun, runIngest } from "../run-ingest.ts";
import { storedBytes } from "../stored-bytes.ts";
import { type BareBulk, bareBulk } from "./bare-bulk.ts";
import { type CorpusStep, corpusSteps, writeStep } from "./generated-corpus.ts";
import { measureSize, type SizeFigures } from "./measure-size.ts";
import { TextModel } from "./text-model.ts";

export type StepFigures = SizeFigures & {
  /** Undefined for a step that was there already. */
  readonly ingest: IngestRun | undefined;
  readonly bare: BareBulk | undefined;
  readonly stored: readonly Figure[];
};

export type GrowthInput = {
  readonly sizes: readonly number[];
  readonly articles: readonly SampleArticle[];
  /** Where the generated files are kept while they are ingested. */
  readonly dataDir: string;
  readonly say: (line: string) => void;
  readonly onStep: (figures: StepFigures) => void;
};

/** Grows a corpus from one size to the next, and measures at each. */
export async function growthBenchmark(stores: BenchmarkStores, input: GrowthInput): Promise<void> {
  const { articles, say } = input;
  const model = new TextModel(articles.map(({ text }) => text));
  const articleWords = articles.reduce((sum, { text }) => sum + text.split(/\s+/).length, 0);
  for (const [at, step] of corpusSteps(input.sizes, articleWords).entries()) {
    const folder = join(input.dataDir, "bench", `growth-${step.chunks}`);
    const ingest = await load(stores, folder, step, model, at === 0 ? articles : [], say);
    const bare = ingest === undefined ? undefined : await floor(stores, ingest, say);
    const figures = await measureSize(stores, { model, articles }, say);
    const { database, opensearch, environment } = stores;
    const stored = await storedBytes(database, opensearch, environment.OPENSEARCH_INDEX_PREFIX);
    input.onStep({ ...figures, ingest, bare, stored });
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
    return await runIngest(folder, environment, ["--collection", collection]);
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
