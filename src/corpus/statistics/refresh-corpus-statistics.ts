import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import type { MetricsIndex } from "../../platform/opensearch/metrics-index.ts";
import { askOpenSearch, type OpenSearch } from "../../platform/opensearch/opensearch.ts";
import { makeFindable } from "../../platform/opensearch/whole-answer.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { Session } from "../../platform/postgres/session.ts";
import type { ChunkIndex } from "../chunk-index/chunk-index.ts";
import type { DocumentStore } from "../document-store.ts";

/** VACUUM marks the pages of a bulk load as visible to all. For 3,230 new documents it took 30 ms, as ANALYZE alone did. */
const MAINTENANCE = "vacuum (analyze) documents, document_chunks, pending_documents, text_sections";

/** The size of the corpus and of its storage. */
export type CorpusStatistics = IndexFigures & {
  /** All documents, as in the check statistics; beyond 100,000 the planner's estimate. */
  readonly documents: number;
  /** Documents that a check compares with (`corpus_sources` in reports); estimated likewise. */
  readonly corpusSources: number;
  /** The plain text in UTF-8. */
  readonly textBytes: number;
  /** The tables of the documents with their indexes. */
  readonly postgresBytes: number;
  /** Both stores relative to the plain text, without replicas; null for an empty corpus. */
  readonly bytesPerTextByte: number | null;
  readonly seconds: number;
};

export type RefreshInput = {
  readonly merge: boolean;
  readonly say: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
};

/**
 * Updates the stores' own statistics after a bulk load or deletion, and records the size of the corpus for dashboards.
 * @throws DomainError `store_unavailable`; the signal's reason, while a merge continues in OpenSearch.
 */
export type RefreshCorpusStatistics = (input: RefreshInput) => Promise<CorpusStatistics>;

type Parts = IndexParts & {
  readonly database: Database;
  readonly databaseUrl: string;
  readonly documents: DocumentStore;
  /** `corpus-metrics`, for dashboards. */
  readonly corpusMetricsIndex: MetricsIndex;
};

export function createRefreshCorpusStatistics(parts: Parts): RefreshCorpusStatistics {
  const { database, documents } = parts;
  return async (input) => {
    const started = performance.now();
    await parts.chunkIndex.assertPresent();
    await maintainTables(parts, input.signal);
    if (input.merge) await mergeSegments(parts, input);
    const index = await readIndexFigures(parts);
    const [corpusSources, all] = await Promise.all([
      documents.countMatchable(database),
      documents.countAll(database),
    ]);
    const { textBytes, postgresBytes } = await tableSizes(database);
    const bytesPerTextByte = textBytes === 0 ? null : (postgresBytes + index.indexBytes) / textBytes;
    const seconds = (performance.now() - started) / 1000;
    const at = new Date().toISOString();
    await parts.corpusMetricsIndex.write(at, {
      at,
      documents: all,
      chunks: index.chunks,
      text_bytes: textBytes,
      index_bytes: index.indexBytes,
      postgres_bytes: postgresBytes,
      stored_per_text_byte: bytesPerTextByte,
    });
    return { documents: all, corpusSources, textBytes, postgresBytes, bytesPerTextByte, ...index, seconds };
  };
}

/** On a connection of its own, as it may exceed the usual query timeout. */
async function maintainTables({ database, databaseUrl }: Parts, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  const session = await Session.open(databaseUrl, 0);
  let cancel = () => {};
  try {
    const [row] = await session.query<{ pid: number }>("select pg_backend_pid() as pid");
    cancel = () => {
      database.query("select pg_cancel_backend($1)", [row?.pid]).catch(() => undefined);
    };
    signal?.addEventListener("abort", cancel, { once: true });
    await session.query(MAINTENANCE);
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener("abort", cancel);
    await session.close();
  }
}

/** The sum reads every row of `documents`: a third of a second for a million. */
async function tableSizes(database: Database) {
  const [row] = await database.query<{ text_bytes: number; postgres_bytes: number }>(
    `select coalesce((select sum(text_bytes) from documents), 0) as text_bytes,
            (select sum(pg_total_relation_size(name::regclass))
               from unnest(array['documents', 'document_chunks', 'pending_documents', 'text_sections']) as tables (name)) as postgres_bytes`,
  );
  return { textBytes: row?.text_bytes ?? 0, postgresBytes: row?.postgres_bytes ?? 0 };
}

/** OpenSearch merges to no larger segments, and would not touch a larger one again before most of it is deleted. */
const SEGMENT_BYTES_MAX = 5 * 1024 ** 3;

/** In a forced merge, Lucene lets segments exceed their even share by a quarter, to rewrite fewer of them. */
const SHARE_EXCEEDED_BY = 1.25;

const MERGE_POLL_MS = 500;

/** How long OpenSearch caches sizes, which meanwhile still include merged segments. */
const SIZES_KEPT_MS = 10_000;

type IndexParts = { readonly opensearch: OpenSearch; readonly chunkIndex: ChunkIndex };

type IndexFigures = {
  readonly chunks: number;
  readonly segments: number;
  /** Of the primary shards. */
  readonly indexBytes: number;
  /** Including replicas. */
  readonly indexBytesWithCopies: number;
};

/** Makes all chunks of the current index findable first; sizes are up to 10 s old. */
async function readIndexFigures({ opensearch, chunkIndex }: IndexParts): Promise<IndexFigures> {
  const index = chunkIndex.readAlias;
  await makeFindable(opensearch, index);
  const { primaries, total } = (await readStats(opensearch, index))._all;
  return {
    chunks: primaries.docs.count,
    segments: primaries.segments.count,
    indexBytes: primaries.store.size_in_bytes,
    indexBytesWithCopies: total.store.size_in_bytes,
  };
}

/**
 * Merges the segments of the current index into as few as possible of at most 5 GB each, in a task that reads and writes all
 * of it.
 * @throws DomainError `store_unavailable`; the signal's reason, while the task continues: OpenSearch can't cancel it.
 */
async function mergeSegments(
  { opensearch, chunkIndex }: IndexParts,
  { say, signal }: { readonly say: (line: string) => void; readonly signal?: AbortSignal | undefined },
): Promise<void> {
  const index = chunkIndex.readAlias;
  const { indices } = await readStats(opensearch, index);
  const shards = Object.values(indices).flatMap(({ shards }) => Object.values(shards).flat());
  const largest = Math.max(0, ...shards.map(({ store }) => store.size_in_bytes));
  const segments = segmentsOf(largest);
  const { body } = await askOpenSearch(() =>
    opensearch.indices.forcemerge({ index, max_num_segments: segments, wait_for_completion: false }),
  );
  const { task } = BegunTask.parse(body);
  say(`OpenSearch is merging each shard to ${segments} segments, as task ${task}.`);
  while (!(await hasEnded(opensearch, task))) await pause(MERGE_POLL_MS, signal);
  await askOpenSearch(() => opensearch.indices.flush({ index }));
  await pause(SIZES_KEPT_MS, signal);
}

/** Whether a task has ended, or was lost with its node. @throws Error with OpenSearch's own words when it failed. */
async function hasEnded(opensearch: OpenSearch, taskId: string): Promise<boolean> {
  const { statusCode, body } = await askOpenSearch(() =>
    opensearch.tasks.get({ task_id: taskId }, { ignore: [404] }),
  );
  if (statusCode === 404) return true;
  const { completed, error, response } = MergeTask.parse(body);
  const fault = error ?? response?._shards?.failures?.[0];
  if (completed && fault !== undefined)
    throw new Error(`OpenSearch could not merge the index: ${JSON.stringify(fault)}`);
  return completed;
}

const BegunTask = z.looseObject({ task: z.string() });

const MergeTask = z.looseObject({
  completed: z.boolean(),
  error: z.unknown().optional(),
  response: z
    .looseObject({ _shards: z.looseObject({ failures: z.array(z.unknown()).optional() }).optional() })
    .optional(),
});

/** The number of segments to which a shard of this size is merged. */
export function segmentsOf(shardBytes: number): number {
  return shardBytes <= SEGMENT_BYTES_MAX
    ? 1
    : Math.ceil((shardBytes * SHARE_EXCEEDED_BY) / SEGMENT_BYTES_MAX);
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await sleep(ms, undefined, signal === undefined ? {} : { signal }).catch(() => signal?.throwIfAborted());
}

async function readStats(opensearch: OpenSearch, index: string): Promise<z.output<typeof Stats>> {
  const { body } = await askOpenSearch(() =>
    opensearch.indices.stats({ index, metric: ["docs", "segments", "store"], level: "shards" }),
  );
  return Stats.parse(body);
}

const Store = z.looseObject({ size_in_bytes: z.int() });

const Stats = z.looseObject({
  _all: z.looseObject({
    primaries: z.looseObject({
      docs: z.looseObject({ count: z.int() }),
      segments: z.looseObject({ count: z.int() }),
      store: Store,
    }),
    total: z.looseObject({ store: Store }),
  }),
  indices: z.record(
    z.string(),
    z.looseObject({ shards: z.record(z.string(), z.array(z.looseObject({ store: Store }))) }),
  ),
});
