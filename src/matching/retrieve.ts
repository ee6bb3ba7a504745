import { setTimeout as sleep } from "node:timers/promises";
import { findByShingles } from "./find-by-shingles.ts";
import type { FindByWords } from "./find-by-words.ts";
import type { QueryCounts } from "./query-counts.ts";
import type { WordIndex } from "./set.ts";
import type { TimeBudget } from "./time-budget.ts";
import { type ChunkPair, type EvidenceByChunk, joinFound, type SearchedChunk } from "./words/found-chunks.ts";
import { chunkKey } from "./words/reuse-evidence.ts";

/** Query chunks searched for in one request, each by about 40 shingles and by up to 10 rare words of each window of 30. */
const SEARCH_BATCH = 16;

/** While the chunks found for one batch are read and weighed, OpenSearch searches for the next. */
const BATCHES_AT_ONCE = 2;

/** The wait before an incomplete search is repeated. */
const RETRY_WAIT_MS = 500;

export type Retrieved = {
  /** The found documents that are worth aligning. */
  readonly documentsToAlign: ReadonlyMap<string, EvidenceByChunk>;
  /** The pairs of chunks by which each document was found, including documents that are not aligned. */
  readonly pairs: ReadonlyMap<string, readonly ChunkPair[]>;
  /** Query chunks for which the whole set was searched. */
  readonly checkedChunks: number;
  /** Query chunks whose last search did not reach the whole set. */
  readonly incompleteChunks: number;
};

export type RetrieveInput = {
  /** The search terms of each query chunk. A chunk without any needs no search and counts as checked. */
  readonly termLists: readonly (readonly string[])[];
  /** The results of earlier runs. */
  readonly earlier?: readonly SearchedChunk[];
  /**
   * Used once, before `findByWords`, which needs the counts. Several batches are sorted by search priority, so that the least
   * promising chunks are left when the time ends; of a single batch only the words are counted.
   */
  readonly counts: Pick<QueryCounts, "searchPriority" | "countWords">;
  readonly index: Pick<WordIndex, "findShared" | "assertCurrent">;
  readonly findByWords: FindByWords;
  readonly budget: TimeBudget;
  /** Called after each batch with the number of chunks done and the results of the batch. */
  readonly onProgress: (checkedChunks: number, batch: readonly SearchedChunk[]) => Promise<void>;
};

/**
 * Searches the set for each query chunk until all are done or the time budget is spent: by shingles for copied text, by
 * rare words for reworded text. A search that timed out or missed a shard is repeated while there is time; its hits
 * are kept.
 */
export async function retrieve(input: RetrieveInput): Promise<Retrieved> {
  const { termLists, earlier = [], budget, onProgress } = input;
  const retrieved = new Map(earlier.map((chunk) => [chunk.queryChunk, chunk]));
  const done = new Set(earlier.filter((chunk) => chunk.isComplete).map((chunk) => chunk.queryChunk));
  const termless = [...termLists.keys()].filter((position) => termLists[position]?.length === 0);
  for (const position of termless) done.add(position);
  if (termless.length > 0) await onProgress(done.size, []);
  const isInTime = () => !budget.isSpent;
  const unsearched = isInTime() ? [...termLists.keys()].filter((position) => !done.has(position)) : [];
  // A single batch needs no order, so it is searched for while its words are counted.
  const isOneBatch = unsearched.length <= SEARCH_BATCH;
  const counted = isOneBatch ? input.counts.countWords(unsearched) : undefined;
  const waiting = isOneBatch ? unsearched : await input.counts.searchPriority(unsearched, isInTime);
  const inProgress: Promise<SearchedChunk[]>[] = [];
  const searchNext = () => {
    const batch = searchBatch(input, waiting.splice(0, SEARCH_BATCH), counted);
    // It is awaited later, and until then must not count as an unhandled rejection.
    batch.catch(() => undefined);
    inProgress.push(batch);
  };
  // The first batch is always searched for, even if sorting took all of the time; otherwise there would be no result.
  if (waiting.length > 0) searchNext();
  for (;;) {
    while (waiting.length > 0 && inProgress.length < BATCHES_AT_ONCE && isInTime()) searchNext();
    // In the order of the searches, so that a text has the same hits each time.
    const batch = await inProgress.shift();
    if (batch === undefined) break;
    const united = batch.map((chunk) => withEarlier(chunk, retrieved.get(chunk.queryChunk)));
    for (const chunk of united) {
      retrieved.set(chunk.queryChunk, chunk);
      if (chunk.isComplete) done.add(chunk.queryChunk);
    }
    const unfinished = united.filter((chunk) => !chunk.isComplete).map((chunk) => chunk.queryChunk);
    waiting.push(...unfinished);
    await onProgress(done.size, united);
    if (unfinished.length > 0 && isInTime()) await sleep(RETRY_WAIT_MS);
  }
  const chunks = [...retrieved.values()];
  return {
    ...byDocument(chunks),
    checkedChunks: done.size,
    incompleteChunks: chunks.filter(({ isComplete }) => !isComplete).length,
  };
}

async function searchBatch(
  input: RetrieveInput,
  positions: readonly number[],
  counted: Promise<void> | undefined,
): Promise<SearchedChunk[]> {
  const { termLists, budget } = input;
  const timeMs = () => budget.remainingMs;
  const ofBatch = positions.map((position) => termLists[position] ?? []);
  const searchedChunks = termLists.filter((terms) => terms.length > 0).length;
  const shingles = findByShingles(ofBatch, searchedChunks, input.index, timeMs);
  const doubtful = shingles.then((all) => all.map((found) => found.doubtful));
  doubtful.catch(() => undefined);
  const words = async () => {
    await counted;
    return input.findByWords(positions, doubtful, timeMs);
  };
  const [byShingles, byWords] = await Promise.all([shingles, words()]);
  await input.index.assertCurrent();
  return positions.map((queryChunk, at) => {
    const [ofShingles, ofWords] = [byShingles[at], byWords[at]];
    return {
      queryChunk,
      isComplete: ofShingles?.isComplete === true && ofWords?.isComplete === true,
      found: joinFound(ofShingles, ofWords?.found),
    };
  });
}

/** A repeated search adds to the earlier one, because a rejected search finds nothing. */
function withEarlier(chunk: SearchedChunk, earlier: SearchedChunk | undefined): SearchedChunk {
  if (earlier === undefined) return chunk;
  const found = new Map([...earlier.found, ...chunk.found].map((one) => [chunkKey(one), one]));
  return { ...chunk, found: [...found.values()] };
}

function byDocument(chunks: readonly SearchedChunk[]): Pick<Retrieved, "documentsToAlign" | "pairs"> {
  const all = chunks.flatMap(({ queryChunk, found }) => found.map((one) => ({ queryChunk, ...one })));
  const found = [...Map.groupBy(all, ({ documentId }) => documentId)];
  const sufficient = found.filter(([, ofDocument]) => ofDocument.some(({ isSufficient }) => isSufficient));
  return {
    pairs: new Map(
      found.map(([id, ofDocument]) => [
        id,
        ofDocument.map(({ documentId, evidence, isSufficient, ...pair }): ChunkPair => pair),
      ]),
    ),
    // The last of several entries for a chunk counts, which is the greatest.
    documentsToAlign: new Map(
      sufficient.map(([id, ofDocument]) => [
        id,
        new Map(
          ofDocument
            .toSorted((a, b) => a.evidence - b.evidence)
            .map(({ chunkIndex, evidence }) => [chunkIndex, evidence]),
        ),
      ]),
    ),
  };
}
