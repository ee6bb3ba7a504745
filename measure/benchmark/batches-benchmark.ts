import { setTimeout as sleep } from "node:timers/promises";
import { SubmittedBatch } from "../../src/batches/api/schema.ts";
import type { SampleArticle } from "../../src/corpus/sample-corpus/select-articles.ts";
import { BatchClient } from "../../test/batches/batch-client.ts";
import { EngineClient } from "../../test/support/client.ts";
import { ServiceProcess } from "../../test/support/processes/service-process.ts";
import { ArchiveClients } from "../load/archive-attack.ts";
import type { BenchmarkStores } from "./benchmark-stores.ts";
import { peakMemoryWithChildrenMb } from "./check-benchmark.ts";
import { TextModel } from "./growth/text-model.ts";

export type BatchFigures = {
  readonly members: number;
  /** Until the last text was read, and from there to the end; some may have been compared before. */
  readonly readSeconds: number;
  readonly compareSeconds: number;
  /** The memory of the service with its child processes, without the stores. */
  readonly peakMemoryMb: number;
  readonly pairs: Pairs;
  /** From the submission of `LATECOMERS` more members to the end of their comparison with all. */
  readonly latecomersSeconds: number;
  readonly deleteSeconds: number;
  /** The pairs of the latecomers, as those above. */
  readonly late: Pairs;
  /** Requests for the batch that were refused with 503 or 429, and sent again. */
  readonly refused: number;
};

/** Planted pairs, how many of them were found, and found pairs of at least 3% that were not planted. */
type Pairs = { readonly planted: number; readonly found: number; readonly others: number };

export const WORDS_EACH = 2_000;
export const LATECOMERS = 100;

/** Each hundred members has a ring of three that share a paragraph of a tenth of a text. */
const RING_EVERY = 100;
const RING_SIZE = 3;
const SHARED_WORDS = 200;

/** Each tenth latecomer has the paragraph of an earlier ring. */
const LATE_COPY_EVERY = 10;

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
    /** Whether the members are of one group, so that only the latecomers are compared. */
    readonly isOneGroup: boolean;
    /** Whether 24 clients send archives which are costly to unpack, and hang up, all the while. */
    readonly isAttacked: boolean;
    readonly onFigures: (figures: BatchFigures) => void;
  },
): Promise<void> {
  const model = new TextModel(input.articles.map(({ text }) => text));
  for (const members of input.sizes) {
    const service = await ServiceProcess.start({
      ...environment,
      DATA_DIR: input.dataDir,
      SEMANTIC: input.isWordsOnly ? "off" : "on",
      WAITING_FACTOR: ((members + LATECOMERS) / 10_000 + 0.001).toFixed(3),
    });
    try {
      const attack = input.isAttacked ? new ArchiveClients(service.client) : undefined;
      input.onFigures(await measure(service, model, members, input.isOneGroup));
      await attack?.end();
    } finally {
      await service.end("SIGTERM");
    }
  }
}

async function measure(
  service: ServiceProcess,
  model: TextModel,
  members: number,
  isOneGroup: boolean,
): Promise<BatchFigures> {
  const client = new PatientClient(service.client.base);
  const batches = new BatchClient(() => client);
  const started = performance.now();
  const since = () => (performance.now() - started) / 1000;
  const fields = isOneGroup ? { group: "last year" } : {};
  let batchId: string | undefined;
  for (let from = 0; from < members; from += SENT_TOGETHER) {
    const numbers = range(from, Math.min(members, from + SENT_TOGETHER));
    const texts = numbers.map((member) => textOf(model, member, ringOf(member)));
    batchId = await send(batches, texts, from, fields, batchId);
  }
  if (batchId === undefined) throw new Error("a batch has at least one member");
  while ((await batches.batch(batchId)).status === "reading") await sleep(POLL_MS);
  const readSeconds = since();
  await untilCompared(batches, batchId);
  const compareSeconds = since() - readSeconds;
  const pairs = await findPairs(batches, batchId, isOneGroup ? [] : ringPairs(members));
  const late = range(members, members + LATECOMERS);
  const lateTexts = late.map((member) => textOf(model, member, copiedRing(members, member)));
  const submitted = since();
  await send(batches, lateTexts, members, {}, batchId);
  await untilCompared(batches, batchId);
  const latecomersSeconds = since() - submitted;
  const latePairs = await findPairs(batches, batchId, copiedPairs(members, late), members);
  const peakMemoryMb = await peakMemoryWithChildrenMb(service.pid);
  const deleteFrom = since();
  const deleted = await batches.engine.request(`/v1/batches/${batchId}`, { method: "DELETE" });
  if (deleted.status !== 204) throw new Error(`delete: ${deleted.status} ${await deleted.text()}`);
  const seconds = { readSeconds, compareSeconds, latecomersSeconds, deleteSeconds: since() - deleteFrom };
  return { members, ...seconds, peakMemoryMb, pairs, late: latePairs, refused: client.refused };
}

/** A client that sends again what a busy service refuses, as its answer asks for. */
class PatientClient extends EngineClient {
  refused = 0;

  override async request(path: string, init?: RequestInit): Promise<Response> {
    for (;;) {
      const answer = await super.request(path, init);
      if (answer.status !== 503 && answer.status !== 429) return answer;
      this.refused += 1;
      await answer.body?.cancel();
      await sleep(POLL_MS);
    }
  }
}

/** A stream of progress may break off under attack, so its end alone says nothing. */
async function untilCompared(batches: BatchClient, batchId: string): Promise<void> {
  while ((await batches.ended(batchId)).status !== "complete") await sleep(POLL_MS);
}

/** How many of the planted pairs are found among those with a member from `first` on. */
async function findPairs(
  batches: BatchClient,
  batchId: string,
  planted: readonly (readonly [number, number])[],
  first = 0,
): Promise<Pairs> {
  const { pairs } = await batches.graph(batchId, "?min_similarity=3");
  const found = new Set(
    pairs.a.flatMap((a, at) => ((pairs.b[at] ?? 0) < first ? [] : [`${a} ${pairs.b[at]}`])),
  );
  const plantedFound = planted.filter(([a, b]) => found.has(`${a} ${b}`)).length;
  return { planted: planted.length, found: plantedFound, others: found.size - plantedFound };
}

/** Submits texts, to a batch that is there or as a new one. @param first the ordinal of the first. */
async function send(
  batches: BatchClient,
  texts: readonly string[],
  first: number,
  fields: Record<string, string>,
  batchId?: string,
): Promise<string> {
  const files = Object.fromEntries(
    texts.map((text, at) => [`${String(first + at).padStart(6, "0")}.txt`, text]),
  );
  const path = batchId === undefined ? "/v1/batches" : `/v1/batches/${batchId}/members`;
  const answer = await batches.submitFiles(files, fields, path);
  if (answer.status !== 202) throw new Error(`submit: ${answer.status} ${await answer.text()}`);
  return batchId ?? SubmittedBatch.parse(await answer.json()).batch_id;
}

/** The text of a member, with the paragraph of a ring. */
function textOf(model: TextModel, member: number, ring: number | undefined): string {
  if (ring === undefined) return model.text(member, WORDS_EACH);
  return `${model.text(member, WORDS_EACH - SHARED_WORDS)}\n\n${model.text(-1 - ring, SHARED_WORDS)}`;
}

/** The ring whose paragraph a latecomer has: they are spread over the whole batch. */
function copiedRing(members: number, latecomer: number): number | undefined {
  const at = latecomer - members;
  return at % LATE_COPY_EVERY === 0 ? Math.floor((at * members) / LATECOMERS / RING_EVERY) : undefined;
}

function ringPairs(members: number): [number, number][] {
  return [...rings(members).values()].flatMap((ring) =>
    ring.flatMap((b, at) => ring.slice(0, at).map((a): [number, number] => [a, b])),
  );
}

function copiedPairs(members: number, latecomers: readonly number[]): [number, number][] {
  const earlier = rings(members);
  const copies = latecomers
    .map((b) => ({ b, ring: copiedRing(members, b) }))
    .filter((copy): copy is { b: number; ring: number } => copy.ring !== undefined);
  return copies.flatMap(({ b, ring }) => {
    const together = copies.filter((other) => other.ring === ring && other.b < b).map((other) => other.b);
    return [...(earlier.get(ring) ?? []), ...together].map((a): [number, number] => [a, b]);
  });
}

/** The members of each ring among the first members. */
function rings(members: number): Map<number | undefined, number[]> {
  const inRings = range(0, members).filter((member) => ringOf(member) !== undefined);
  return Map.groupBy(inRings, ringOf);
}

/** The ring of a member, if it is in one. The members of a ring stand apart, as they do in a class. */
function ringOf(member: number): number | undefined {
  const isInRing = member % RING_EVERY < RING_SIZE * 10 && member % 10 === 0;
  return isInRing ? Math.floor(member / RING_EVERY) : undefined;
}

function range(first: number, end: number): number[] {
  return Array.from({ length: end - first }, (_, at) => first + at);
}
