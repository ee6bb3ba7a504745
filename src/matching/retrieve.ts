import { setTimeout as sleep } from "node:timers/promises";
import type { FindByWords } from "./find-by-words.ts";
import type { QueryCounts } from "./query-counts.ts";
import type { ChunkHit, ChunkSearch, WordIndex } from "./set.ts";
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
  /**
   * The sampled shingles of each query chunk that are not frequent. A chunk without any is shorter than a shingle or is boilerplate
   * throughout: neither shingles nor words are searched for, and it counts as checked.
   */
  readonly shingleLists: readonly (readonly string[])[];
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
  const { shingleLists, earlier = [], budget, onProgress } = input;
  const retrieved = new Map(earlier.map((chunk) => [chunk.queryChunk, chunk]));
  const done = new Set(earlier.filter((chunk) => chunk.isComplete).map((chunk) => chunk.queryChunk));
  const withoutShingles = [...shingleLists.keys()].filter((position) => shingleLists[position]?.length === 0);
  for (const position of withoutShingles) done.add(position);
  if (withoutShingles.length > 0) await onProgress(done.size, []);
  const isInTime = () => !budget.isSpent;
  const unsearched = isInTime() ? [...shingleLists.keys()].filter((position) => !done.has(position)) : [];
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
  const { shingleLists, budget } = input;
  const timeMs = () => budget.remainingMs;
  const ofBatch = positions.map((position) => shingleLists[position] ?? []);
  const chunksWithShingles = shingleLists.filter((terms) => terms.length > 0).length;
  const shingles = findByShingles(ofBatch, chunksWithShingles, input.index, timeMs);
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

/**
 * Fewest corpus chunks fetched for a query chunk. A query chunk overlaps at most three chunks of a source, so six sources
 * of the same passage fit, and each chunk of a long passage fetches its own.
 */
const HITS_MIN = 20;

/**
 * Corpus chunks fetched in total for a text of few chunks. Such a text has no neighbouring chunks to find the documents that one
 * chunk misses: only 20 of 25 documents with one paragraph in common were found. With their surroundings, at most 600 chunks
 * must be aligned, which takes 200 ms of a thread.
 */
const HITS_OF_SHORT_TEXT = 200;

/**
 * Corpus chunks fetched for a query chunk whose last hit is about as good as its first, because its passage occurs in more
 * documents than were fetched. Without this, only 20 of 25 documents with one paragraph in common were found.
 */
const CROWDED_HITS_MAX = 200;

/** How many may share only one shingle. These are mostly boilerplate, but the sample may keep only one shingle of a copied sentence. */
const SINGLE_SHINGLE_HITS_MAX = 6;

/**
 * Up to this many terms, a query chunk has at most about 15 words and one shingle is a large part of it, so all hits count.
 * With the limit above, a document of six words was not found by its own text when ten others began with the same five words.
 */
const FEW_TERMS = 3;

/** The hits of the sampled shingles of one query chunk. */
type ShingleFindings = {
  readonly isComplete: boolean;
  readonly certain: readonly ChunkHit[];
  /** They share a single shingle, which may be chance, so they need further evidence. */
  readonly doubtful: readonly ChunkHit[];
};

/** Searches for some query chunks by their shingles. @param chunksWithShingles how many chunks of the whole query have some. */
async function findByShingles(
  shingleLists: readonly (readonly string[])[],
  chunksWithShingles: number,
  index: Pick<WordIndex, "findShared">,
  timeMs: () => number,
): Promise<ShingleFindings[]> {
  const hitsMax = Math.max(HITS_MIN, Math.ceil(HITS_OF_SHORT_TEXT / chunksWithShingles));
  const searches = [...(await index.findShared(shingleLists, hitsMax, timeMs()))];

  const crowded = [...shingleLists.keys()].filter((at) => isCrowded(searches[at], hitsMax));
  if (crowded.length > 0) {
    const wider = await index.findShared(
      crowded.map((at) => shingleLists[at] ?? []),
      CROWDED_HITS_MAX,
      timeMs(),
    );
    for (const [position, at] of crowded.entries()) {
      const found = wider[position];
      if (found !== undefined) searches[at] = found;
    }
  }
  return shingleLists.map((terms, at) => ({
    isComplete: searches[at]?.complete === true,
    ...sorted(searches[at]?.hits ?? [], terms.length),
  }));
}

/** True when further hits may be as good as the first ones. */
function isCrowded(search: ChunkSearch | undefined, hitsMax: number): boolean {
  const first = search?.hits[0]?.score ?? 0;
  const last = search?.hits.at(-1)?.score ?? 0;
  return search?.hits.length === hitsMax && hitsMax < CROWDED_HITS_MAX && last > 1 && last >= first / 2;
}

function sorted(hits: readonly ChunkHit[], terms: number): Pick<ShingleFindings, "certain" | "doubtful"> {
  if (terms <= FEW_TERMS) return { certain: hits, doubtful: [] };
  const single = hits.filter(({ score }) => score <= 1);
  return {
    certain: hits.filter(({ score }) => score > 1),
    doubtful: single.slice(0, SINGLE_SHINGLE_HITS_MAX),
  };
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
