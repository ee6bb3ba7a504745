import type { SampleArticle } from "../../../src/corpus/sample-corpus/select-articles.ts";
import { descendants } from "../../support/processes/process-tree.ts";
import { ServiceProcess } from "../../support/processes/service-process.ts";
import type { BenchmarkStores } from "../benchmark-stores.ts";
import { peakMemoryMb } from "../check-benchmark.ts";
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

/** Of the longest text that is taken, in code points. */
const CHARS_MAX = 500_000;

const CLIENTS = [1, 4, 16] as const;
const CONCURRENT_WORDS = 1_500;
const CONCURRENT_CHECKS = 64;
const ENCODING_CHECKS = 20;

export type SizeFigures = {
  readonly chunks: number;
  readonly latencies: readonly Latency[];
  readonly throughputs: readonly Throughput[];
  readonly encoding: EncodingBeside;
  /** Of the service's process and of its encoder, after all of these checks. */
  readonly peakMemoryMb: number;
};

/** Measures checks against a corpus of the size that it has now, by a service in a process of its own. */
export async function measureSize(
  { environment, opensearch }: BenchmarkStores,
  material: { readonly model: TextModel; readonly articles: readonly SampleArticle[] },
  say: (line: string) => void,
): Promise<SizeFigures> {
  const index = `${environment.OPENSEARCH_INDEX_PREFIX}chunks-read`;
  const node = environment.OPENSEARCH_URL;
  const { count } = (await opensearch.count({ index })).body;
  const queriesOf = (words: number, checks: number) =>
    growthQueries(material.model, material.articles, words, checks).map(cut);

  const recorder = await SearchRecorder.open(node);
  const recording = await ServiceProcess.start({ ...environment, OPENSEARCH_URL: recorder.url });
  const prepared: { words: number; queries: GrowthQuery[]; bodies: (readonly string[])[] }[] = [];
  try {
    for (const { words, checks } of LENGTHS) {
      say(`${count} chunks: recording the searches of ${checks} texts of ${words} words`);
      const queries = queriesOf(words, checks);
      const bodies: (readonly string[])[] = [];
      for (const { text } of queries) {
        await recording.client.ended(await recording.client.submit(text));
        bodies.push(recorder.take());
      }
      prepared.push({ words, queries, bodies });
    }
  } finally {
    await recording.end("SIGTERM");
    await recorder.close();
  }

  const service = await ServiceProcess.start(environment);
  const wordsOnly = await ServiceProcess.start({ ...environment, SEMANTIC: "off" });
  const clients = { meaning: service.client, wordsOnly: wordsOnly.client };
  try {
    const latencies: Latency[] = [];
    for (const { words, queries, bodies } of prepared) {
      say(`${count} chunks: ${queries.length} checks of ${words} words`);
      latencies.push(await checkLatency(clients, words, queries, { node, index, bodies }));
    }
    const throughputs: Throughput[] = [];
    for (const clients of CLIENTS) {
      say(`${count} chunks: ${CONCURRENT_CHECKS} checks by ${clients} clients`);
      throughputs.push(
        await throughput(service.client, clients, queriesOf(CONCURRENT_WORDS, CONCURRENT_CHECKS)),
      );
    }
    say(`${count} chunks: checks of ${CONCURRENT_WORDS} words while documents are encoded`);
    const encoding = await encodingBeside(
      service.client,
      queriesOf(CONCURRENT_WORDS, ENCODING_CHECKS),
      (seed, words) => material.model.text(seed, words),
    );
    const processes = [service.pid, ...descendants(service.pid ?? 0)];
    const memory = await Promise.all(processes.map(peakMemoryMb));
    const peak = memory.reduce((sum, mb) => sum + mb, 0);
    return { chunks: count, latencies, throughputs, encoding, peakMemoryMb: peak };
  } finally {
    await service.end("SIGTERM");
    await wordsOnly.end("SIGTERM");
  }
}

function cut({ text, planted }: GrowthQuery): GrowthQuery {
  return text.length <= CHARS_MAX
    ? { text, planted }
    : { text: text.slice(0, CHARS_MAX), planted: planted.filter(({ end }) => end <= CHARS_MAX) };
}
