import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { askOpenSearch, type OpenSearch } from "../../platform/opensearch/opensearch.ts";
import { BegunTask, readServerTask } from "../../platform/opensearch/server-task.ts";
import { makeFindable } from "../../platform/opensearch/whole-answer.ts";
import type { ChunkIndex } from "../chunk-index/chunk-index.ts";

/**
 * OpenSearch's own merging makes no larger segments. A larger one would not be touched again before most of it is deleted,
 * and would keep what is deleted until then.
 */
const SEGMENT_BYTES_MAX = 5 * 1024 ** 3;

/** Lucene lets the segments of a forced merge grow beyond their even share by a quarter, to rewrite fewer of them. */
const SHARE_EXCEEDED_BY = 1.25;

const MERGE_POLL_MS = 500;

/** How long OpenSearch repeats the sizes that it read last; segments that were merged still count meanwhile. */
const SIZES_KEPT_MS = 10_000;

export type IndexParts = { readonly opensearch: OpenSearch; readonly chunkIndex: ChunkIndex };

export type IndexFigures = {
  readonly chunks: number;
  readonly segments: number;
  /** Of the primary shards. */
  readonly indexBytes: number;
  /** With the copies on other nodes. */
  readonly indexBytesWithCopies: number;
};

/** The standing index as it is, with everything that was written findable; sizes are up to 10 s old. */
export async function readIndexFigures({ opensearch, chunkIndex }: IndexParts): Promise<IndexFigures> {
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
 * Merges the segments of the standing index into as few as hold at most 5 GB each: a search then looks into fewer, and
 * deleted chunks give back their room. It reads and writes the whole index, as a task in the background.
 * @throws DomainError `store_unavailable`; the signal's reason, while the task goes on: OpenSearch can't end it.
 */
export async function mergeSegments(
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
  say(`OpenSearch merges the segments of each shard to ${segments}, as task ${task}.`);
  for (;;) {
    const read = await readServerTask(opensearch, task);
    if (read.state === "ended" && read.fault !== undefined)
      throw new Error(`OpenSearch has not merged the index: ${read.fault}`);
    if (read.state !== "running") break;
    await pause(MERGE_POLL_MS, signal);
  }
  await askOpenSearch(() => opensearch.indices.flush({ index }));
  await pause(SIZES_KEPT_MS, signal);
}

/** How many segments a shard of this size is merged to. */
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
