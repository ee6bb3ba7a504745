import type { SampleArticle } from "../../../src/corpus/sample-corpus/select-articles.ts";
import { ServiceProcess } from "../../../test/support/processes/service-process.ts";
import type { BenchmarkStores } from "../benchmark-stores.ts";
import { peakMemoryWithChildrenMb } from "../check-benchmark.ts";
import { checkLatency, type Latency } from "./check-latency.ts";
import { type Throughput, throughput } from "./concurrency.ts";
import { type EncodingBeside, encodingBeside } from "./encoding-beside.ts";
import { type GrowthQuery, growthQueries } from "./growth-queries.ts";
import { SearchRecorder } from "./search-recorder.ts";
import type { TextModel } from "./text-model.ts";

/** Lengths of texts, in words, and how many of each are checked; 80,000 words are the longest text that is taken. */
const LENGTHS = [
  { words: 300, checks: 20 },
  { words: 1_500, checks: 20 },
  { words: 10_000, checks: 20 },
  { words: 80_000, checks: 3 },
] as const;

/** The length of the longest accepted text, in code points. */
const CHARS_MAX = 500_000;

const CLIENTS = [1, 4, 16] as const;
const CONCURRENT_WORDS = 1_500;
const CONCURRENT_CHECKS = 64;
const ENCODING_CHECKS = 20;

/** Java compiles the code of the searches while it runs, so these checks come before anything is measured. */
const WARM_UP_CHECKS = 300;

/** Of a service that compares words alone, or also the meaning. */
export type ServiceFigures = {
  readonly latencies: readonly Latency[];
  readonly throughputs: readonly Throughput[];
  /** Of the service's process and of its encoder, after all of these checks. */
  readonly peakMemoryMb: number;
};

export type SizeFigures = {
  readonly chunks: number;
  readonly words: ServiceFigures;
  /** Undefined where words alone are measured. */
  readonly meaning: (ServiceFigures & { readonly encoding: EncodingBeside }) | undefined;
};

type Material = {
  readonly model: TextModel;
  readonly articles: readonly SampleArticle[];
  readonly isWordsOnly: boolean;
};

/** The texts of one length, and the recorded searches of each. */
type Prepared = { words: number; queries: GrowthQuery[]; bodies: (readonly string[])[] };

/**
 * Measures checks against a corpus of the size that it has now, by a service in a process of its own. The service that
 * compares words alone runs first and not beside the other, as both would take checks from the same queue.
 */
export async function measureSize(
  { environment, opensearch }: BenchmarkStores,
  { isWordsOnly, ...material }: Material,
  say: (line: string) => void,
): Promise<SizeFigures> {
  const index = `${environment.OPENSEARCH_INDEX_PREFIX}chunks-read`;
  const node = environment.OPENSEARCH_URL;
  const { count } = (await opensearch.count({ index })).body;
  const queriesOf = (words: number, checks: number) =>
    growthQueries(material.model, material.articles, words, checks).map(cut);

  const recorder = await SearchRecorder.open(node);
  const recorded = { ...environment, OPENSEARCH_URL: recorder.url, SEMANTIC: "off" };
  const prepared = await withService(recorded, async ({ client }) => {
    say(`${count} chunks: ${WARM_UP_CHECKS} checks to warm up`);
    await throughput(client, 4, queriesOf(CONCURRENT_WORDS, WARM_UP_CHECKS));
    recorder.take();
    const prepared: Prepared[] = [];
    for (const { words, checks } of LENGTHS) {
      say(`${count} chunks: recording the searches of ${checks} texts of ${words} words`);
      const queries = queriesOf(words, checks);
      const bodies: (readonly string[])[] = [];
      for (const { text } of queries) {
        await client.ended(await client.submit(text));
        bodies.push(recorder.take());
      }
      prepared.push({ words, queries, bodies });
    }
    return prepared;
  }).finally(() => recorder.close());

  const measure = async ({ client, pid }: ServiceProcess): Promise<ServiceFigures> => {
    const latencies: Latency[] = [];
    for (const { words, queries, bodies } of prepared) {
      say(`${count} chunks: ${queries.length} checks of ${words} words`);
      latencies.push(await checkLatency(client, words, queries, { node, index, bodies }));
    }
    const throughputs: Throughput[] = [];
    for (const clients of CLIENTS) {
      say(`${count} chunks: ${CONCURRENT_CHECKS} checks by ${clients} clients`);
      throughputs.push(await throughput(client, clients, queriesOf(CONCURRENT_WORDS, CONCURRENT_CHECKS)));
    }
    return { latencies, throughputs, peakMemoryMb: await peakMemoryWithChildrenMb(pid) };
  };
  const words = await withService({ ...environment, SEMANTIC: "off" }, measure);
  if (isWordsOnly) return { chunks: count, words, meaning: undefined };
  const meaning = await withService(environment, async (service) => {
    const figures = await measure(service);
    say(`${count} chunks: checks of ${CONCURRENT_WORDS} words while documents are encoded`);
    const encoding = await encodingBeside(
      service.client,
      queriesOf(CONCURRENT_WORDS, ENCODING_CHECKS),
      (seed, length) => material.model.text(seed, length),
    );
    return { ...figures, encoding };
  });
  return { chunks: count, words, meaning };
}

async function withService<T>(
  environment: Parameters<typeof ServiceProcess.start>[0],
  use: (service: ServiceProcess) => Promise<T>,
): Promise<T> {
  const service = await ServiceProcess.start(environment);
  try {
    return await use(service);
  } finally {
    await service.end("SIGTERM");
  }
}

function cut({ text, planted }: GrowthQuery): GrowthQuery {
  return text.length <= CHARS_MAX
    ? { text, planted }
    : { text: text.slice(0, CHARS_MAX), planted: planted.filter(({ end }) => end <= CHARS_MAX) };
}
