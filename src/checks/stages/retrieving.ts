import { setTimeout as sleep } from "node:timers/promises";
import type { ChunkHit, ChunkSearch } from "../../corpus/index.ts";
import type { TimeBudget } from "../time-budget.ts";

/** Query chunks that are searched for in one request: about 50 terms each, 40 KB, 20 to 60 ms. */
const SEARCH_BATCH = 16;

/**
 * Corpus chunks that are fetched for a query chunk, at least. A query chunk overlaps three chunks of a source at most,
 * so there is room for six sources of the same passage, and each of a long passage's chunks brings its own.
 */
const HITS_MAX = 20;

/**
 * Corpus chunks that are fetched for a text of few chunks, over all of them. Its chunks have no neighbours to bring
 * what one leaves out: of 25 documents with one paragraph in common, 20 were found. Aligned with their surroundings
 * these are 600 chunks, 200 ms of a thread, and only if there are so many that share more than a phrase.
 */
const HITS_OF_SHORT_TEXT = 200;

/**
 * How many of them may rest on a single shared shingle. Those are mostly set phrases, yet one of them may be a copied
 * sentence of which the sample kept one shingle.
 */
const SINGLE_SHINGLE_HITS_MAX = 6;

/**
 * Up to this many terms, a query chunk has some 16 words at most, and a single shingle is much of it: all its hits
 * count. With the limit above, ten documents that began with the same five words hid an eleventh of six from itself.
 */
const FEW_TERMS = 4;

/** The wait before chunks are searched again whose search was not complete. */
const RETRY_WAIT_MS = 500;

/** Chunks of corpus documents to align with, by document. */
export type Candidates = ReadonlyMap<string, ReadonlySet<number>>;

export type Retrieved = {
  readonly candidates: Candidates;
  /** Query chunks for which the whole corpus was searched. */
  readonly checkedChunks: number;
};

export type RetrieveInput = {
  /** The search terms of each query chunk. */
  readonly termLists: readonly (readonly string[])[];
  readonly search: (
    termLists: readonly (readonly string[])[],
    size: number,
  ) => Promise<readonly ChunkSearch[]>;
  readonly budget: TimeBudget;
  readonly onProgress: (checkedChunks: number) => Promise<void>;
};

/**
 * Searches the corpus for each query chunk until all are done or the time budget is spent.
 * A search that timed out or missed a shard does not count as done: it is repeated as long as there is time. What it
 * found is kept, for a match that was found is a match.
 */
export async function retrieve({ termLists, search, budget, onProgress }: RetrieveInput): Promise<Retrieved> {
  const candidates = new Map<string, Set<number>>();
  let waiting = [...termLists];
  const hitsMax = Math.max(HITS_MAX, Math.ceil(HITS_OF_SHORT_TEXT / termLists.length));
  let checkedChunks = 0;
  while (waiting.length > 0 && !budget.isSpent) {
    const batch = waiting.slice(0, SEARCH_BATCH);
    const results = await search(batch, hitsMax);
    for (const [position, { hits }] of results.entries()) {
      const terms = batch[position]?.length ?? 0;
      for (const hit of worthAligning(hits, terms)) add(candidates, hit);
    }
    const unfinished = batch.filter((_, position) => results[position]?.complete !== true);
    checkedChunks += batch.length - unfinished.length;
    waiting = [...waiting.slice(SEARCH_BATCH), ...unfinished];
    await onProgress(checkedChunks);
    if (unfinished.length > 0) await sleep(RETRY_WAIT_MS);
  }
  return { candidates, checkedChunks };
}

function worthAligning(hits: readonly ChunkHit[], terms: number): readonly ChunkHit[] {
  if (terms <= FEW_TERMS) return hits;
  const several = hits.filter((hit) => hit.sharedShingles > 1);
  const single = hits.filter((hit) => hit.sharedShingles <= 1);
  return [...several, ...single.slice(0, SINGLE_SHINGLE_HITS_MAX)];
}

function add(candidates: Map<string, Set<number>>, { documentId, chunkIndex }: ChunkHit): void {
  const chunks = candidates.get(documentId) ?? new Set();
  chunks.add(chunkIndex);
  candidates.set(documentId, chunks);
}
