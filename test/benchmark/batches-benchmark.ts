import { setTimeout as sleep } from "node:timers/promises";
import { SubmittedBatch } from "../../src/batches/api/schema.ts";
import type { SampleArticle } from "../../src/corpus/sample-corpus/select-articles.ts";
import { BatchClient } from "../batches/batch-client.ts";
import { EngineClient } from "../support/client.ts";
import { ServiceProcess } from "../support/processes/service-process.ts";
import type { BenchmarkStores } from "./benchmark-stores.ts";
import { peakMemoryWithChildrenMb } from "./check-benchmark.ts";
import { TextModel } from "./growth/text-model.ts";

export type BatchFigures = {
  readonly members: number;
  /** Until the last text was read, and from there to the end; some may have been compared before. */
  readonly readSeconds: number;
  readonly compareSeconds: number;
  /** Of the service with its child processes, beside the stores. */
  readonly peakMemoryMb: number;
  /** Planted pairs, how many of them were found, and found pairs of at least 3% that were not planted. */
  readonly planted: number;
  readonly found: number;
  readonly others: number;
  /** From the submission of `LATECOMERS` more members to the end of their comparison with all. */
  readonly latecomersSeconds: number;
};

export const WORDS_EACH = 2_000;
export const LATECOMERS = 100;

/** Each hundred members has a ring of three that share a paragraph of a tenth of a text. */
const RING_EVERY = 100;
const RING_SIZE = 3;
const SHARED_WORDS = 200;

/** Members of one request: 12 MB. */
const SENT_TOGETHER = 1_000;

const POLL_MS = 1_000;

/** Compares batches of generated texts, one size after the other, each with a new service. */
export async function batchesBenchmark(
  { environment }: BenchmarkStores,
  input: {
    readonly sizes: readonly number[];
    readonly articles: readonly SampleArticle[];
    readonly dataDir: string;
    readonly isWordsOnly: boolean;
    readonly onFigures: (figures: BatchFigures) => void;
  },
): Promise<void> {
  const model = new TextModel(input.articles.map(({ text }) => text));
  for (const members of input.sizes) {
    const service = await ServiceProcess.start({
      ...environment,
      DATA_DIR: input.dataDir,
      SEMANTIC: input.isWordsOnly ? "off" : "on",
      BATCH_MEMBERS_MAX: String(members + LATECOMERS),
      BATCH_MEMBERS_WAITING_MAX: String(members + LATECOMERS),
    });
    try {
      input.onFigures(await measure(service, model, members));
    } finally {
      await service.end("SIGTERM");
    }
  }
}

async function measure(service: ServiceProcess, model: TextModel, members: number): Promise<BatchFigures> {
  const batches = new BatchClient(() => new EngineClient(service.client.base));
  const started = performance.now();
  const since = () => (performance.now() - started) / 1000;
  const batchId = await send(batches, model, 0, Math.min(SENT_TOGETHER, members));
  for (let from = SENT_TOGETHER; from < members; from += SENT_TOGETHER)
    await send(batches, model, from, Math.min(members, from + SENT_TOGETHER), batchId);
  while ((await batches.batch(batchId)).status === "reading") await sleep(POLL_MS);
  const readSeconds = since();
  await batches.ended(batchId);
  const compareSeconds = since() - readSeconds;
  const graph = await batches.graph(batchId, "?min_similarity=3");
  const isPlanted = (a: number, b: number) =>
    Math.floor(a / RING_EVERY) === Math.floor(b / RING_EVERY) && isInRing(a) && isInRing(b);
  const found = graph.pairs.a.filter((a, at) => isPlanted(a, graph.pairs.b[at] ?? -1)).length;
  const late = since();
  await send(batches, model, members, members + LATECOMERS, batchId);
  await batches.ended(batchId);
  const latecomersSeconds = since() - late;
  const peakMemoryMb = await peakMemoryWithChildrenMb(service.pid);
  await batches.engine.request(`/v1/batches/${batchId}`, { method: "DELETE" });
  return {
    ...{ members, readSeconds, compareSeconds, latecomersSeconds, found, peakMemoryMb },
    planted: pairsPlanted(members),
    others: graph.pairs_total - found,
  };
}

/** Submits members `[first, end)`, to a batch that is there or as a new one. Their ordinals are these numbers. */
async function send(
  batches: BatchClient,
  model: TextModel,
  first: number,
  end: number,
  batchId?: string,
): Promise<string> {
  const files = Object.fromEntries(
    Array.from({ length: end - first }, (_, at) => [
      `${String(first + at).padStart(6, "0")}.txt`,
      textOf(model, first + at),
    ]),
  );
  const path = batchId === undefined ? "/v1/batches" : `/v1/batches/${batchId}/members`;
  const answer = await batches.submitFiles(files, {}, path);
  if (answer.status !== 202) throw new Error(`submit: ${answer.status} ${await answer.text()}`);
  return batchId ?? SubmittedBatch.parse(await answer.json()).batch_id;
}

function textOf(model: TextModel, member: number): string {
  const own = model.text(member, isInRing(member) ? WORDS_EACH - SHARED_WORDS : WORDS_EACH);
  if (!isInRing(member)) return own;
  return `${own}\n\n${model.text(-1 - Math.floor(member / RING_EVERY), SHARED_WORDS)}`;
}

function pairsPlanted(members: number): number {
  const all = Array.from({ length: members }, (_, at) => at).filter(isInRing);
  const rings = Map.groupBy(all, (member) => Math.floor(member / RING_EVERY));
  return [...rings.values()].reduce((sum, { length }) => sum + (length * (length - 1)) / 2, 0);
}

/** The members of a ring stand apart, as they do in a class. */
function isInRing(member: number): boolean {
  return member % RING_EVERY < RING_SIZE * 10 && member % 10 === 0;
}
