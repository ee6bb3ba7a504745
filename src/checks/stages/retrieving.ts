import { setTimeout as sleep } from "node:timers/promises";
import type { ChunkHit, ChunkSearch } from "../../corpus/index.ts";
import type { RetrievedChunk } from "../retrieval-store.ts";
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
 * Corpus chunks that are fetched for a query chunk whose last hit is about as good as its first: a passage that stands in
 * more documents than there was room for. Of 25 documents with one paragraph in common, 20 were found.
 */
const CROWDED_HITS_MAX = 200;

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
  /** The search terms of each query chunk. One without any is searched for nothing, and counts as checked. */
  readonly termLists: readonly (readonly string[])[];
  /** What earlier runs of the check have retrieved. */
  readonly earlier?: readonly RetrievedChunk[];
  readonly search: (
    termLists: readonly (readonly string[])[],
    size: number,
    timeMs: number,
  ) => Promise<readonly ChunkSearch[]>;
  readonly budget: TimeBudget;
  /** Told after each batch how many chunks are done, and what the batch gave. */
  readonly onProgress: (checkedChunks: number, batch: readonly RetrievedChunk[]) => Promise<void>;
};

/**
 * Searches the corpus for each query chunk until all are done or the time budget is spent.
 * A search that timed out or missed a shard does not count as done: it is repeated as long as there is time. What it
 * found is kept, for a match that was found is a match.
 */
export async function retrieve(input: RetrieveInput): Promise<Retrieved> {
  const { termLists, earlier = [], budget, onProgress } = input;
  const candidates = new Map<string, Set<number>>();
  for (const chunk of earlier) add(candidates, chunk);
  const done = new Set(earlier.filter((chunk) => chunk.isComplete).map((chunk) => chunk.queryChunk));
  const termless = [...termLists.keys()].filter((position) => termLists[position]?.length === 0);
  for (const position of termless) done.add(position);
  if (termless.length > 0) await onProgress(done.size, []);
  let waiting = [...termLists.keys()].filter((position) => !done.has(position));
  while (waiting.length > 0 && !budget.isSpent) {
    const batch = await searchBatch(input, waiting.slice(0, SEARCH_BATCH));
    for (const chunk of batch) {
      add(candidates, chunk);
      if (chunk.isComplete) done.add(chunk.queryChunk);
    }
    const unfinished = batch.filter((chunk) => !chunk.isComplete).map((chunk) => chunk.queryChunk);
    waiting = [...waiting.slice(SEARCH_BATCH), ...unfinished];
    await onProgress(done.size, batch);
    if (unfinished.length > 0) await sleep(RETRY_WAIT_MS);
  }
  return { candidates, checkedChunks: done.size };
}

async function searchBatch(input: RetrieveInput, positions: readonly number[]): Promise<RetrievedChunk[]> {
  const { termLists, budget } = input;
  const searched = termLists.filter((terms) => terms.length > 0).length;
  const hitsMax = Math.max(HITS_MAX, Math.ceil(HITS_OF_SHORT_TEXT / searched));
  const termsOf = (position: number) => termLists[position] ?? [];
  const searches = [...(await input.search(positions.map(termsOf), hitsMax, budget.remainingMs))];

  const crowded = positions.filter((_, at) => isCrowded(searches[at], hitsMax));
  if (crowded.length > 0) {
    const wider = await input.search(crowded.map(termsOf), CROWDED_HITS_MAX, budget.remainingMs);
    for (const [at, position] of crowded.entries()) {
      const found = wider[at];
      if (found !== undefined) searches[positions.indexOf(position)] = found;
    }
  }
  return positions.map((queryChunk, at) => ({
    queryChunk,
    isComplete: searches[at]?.complete === true,
    candidates: worthAligning(searches[at]?.hits ?? [], termsOf(queryChunk).length),
  }));
}

/** True when there may be more behind the last hit that are as good as the first ones. */
function isCrowded(search: ChunkSearch | undefined, hitsMax: number): boolean {
  const first = search?.hits[0]?.sharedShingles ?? 0;
  const last = search?.hits.at(-1)?.sharedShingles ?? 0;
  return search?.hits.length === hitsMax && hitsMax < CROWDED_HITS_MAX && last > 1 && last >= first / 2;
}

function worthAligning(hits: readonly ChunkHit[], terms: number): RetrievedChunk["candidates"] {
  const addresses = mostPromising(hits, terms);
  return addresses.map(({ documentId, chunkIndex }) => ({ documentId, chunkIndex }));
}

function mostPromising(hits: readonly ChunkHit[], terms: number): readonly ChunkHit[] {
  if (terms <= FEW_TERMS) return hits;
  const several = hits.filter((hit) => hit.sharedShingles > 1);
  const single = hits.filter((hit) => hit.sharedShingles <= 1);
  return [...several, ...single.slice(0, SINGLE_SHINGLE_HITS_MAX)];
}

function add(candidates: Map<string, Set<number>>, chunk: RetrievedChunk): void {
  for (const { documentId, chunkIndex } of chunk.candidates) {
    const chunks = candidates.get(documentId) ?? new Set();
    chunks.add(chunkIndex);
    candidates.set(documentId, chunks);
  }
}
