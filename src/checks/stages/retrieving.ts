import { setTimeout as sleep } from "node:timers/promises";
import { chunkKey, SHINGLE_EVIDENCE } from "../../matching/words/reuse-evidence.ts";
import type { DocumentHit } from "../../report/figures/explanation.ts";
import type { RetrievedChunk, RetrievedHit } from "../retrieval-store.ts";
import { findByShingles, type SearchShingles, type ShingleFindings } from "./shingle-candidates.ts";
import type { FindByWords, QueryCounts, WordFindings } from "./word-candidates.ts";

/** Query chunks searched for in one request, each by about 40 shingles and by six windows of 10 words. */
const SEARCH_BATCH = 16;

/** While the chunks found for one batch are read and weighed, OpenSearch searches for the next. */
const BATCHES_AT_ONCE = 2;

/** The wait before an incomplete search is repeated. */
const RETRY_WAIT_MS = 500;

/** Chunks of corpus documents to align the query with, by document, and the evidence for each in nats. */
export type HitChunks = ReadonlyMap<string, ReadonlyMap<number, number>>;

export type Retrieved = {
  /** Of the documents found, those that are worth aligning. */
  readonly candidates: HitChunks;
  /** The chunk pairs by which each document was found; also of those that are not aligned. */
  readonly hits: ReadonlyMap<string, readonly DocumentHit[]>;
  /** Query chunks for which the whole corpus was searched. */
  readonly checkedChunks: number;
  /** Query chunks whose last search did not reach the whole corpus. */
  readonly incompleteChunks: number;
};

export type RetrieveInput = {
  /** The search terms of each query chunk. A chunk without any needs no search and counts as checked. */
  readonly termLists: readonly (readonly string[])[];
  /** What earlier runs of the check have retrieved. */
  readonly earlier?: readonly RetrievedChunk[];
  /**
   * Used once, before `findByWords`, which needs the counts. Several batches are sorted by search priority, so that the least
   * promising chunks are left when the time ends; of a single batch only the words are counted.
   */
  readonly counts: Pick<QueryCounts, "searchPriority" | "countWords">;
  readonly search: SearchShingles;
  readonly findByWords: FindByWords;
  /** Called once after the searches of a batch. @throws when their results are not reliable. */
  readonly assertCurrent: () => Promise<void>;
  readonly budget: TimeBudget;
  /** Called after each batch with the number of chunks done and the results of the batch. */
  readonly onProgress: (checkedChunks: number, batch: readonly RetrievedChunk[]) => Promise<void>;
};

/**
 * Searches the corpus for each query chunk until all are done or the time budget is spent: by shingles for copied text, by
 * rare words for reworded text. A search that timed out or missed a shard is repeated as long as there is time; its hits
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
  const inProgress: Promise<RetrievedChunk[]>[] = [];
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
    if (unfinished.length > 0) await sleep(RETRY_WAIT_MS);
  }
  const chunks = [...retrieved.values()];
  return {
    ...hitsByDocument(chunks),
    checkedChunks: done.size,
    incompleteChunks: chunks.filter(({ isComplete }) => !isComplete).length,
  };
}

/** A repeated search adds to the earlier one, because a rejected search finds nothing. */
function withEarlier(chunk: RetrievedChunk, earlier: RetrievedChunk | undefined): RetrievedChunk {
  if (earlier === undefined) return chunk;
  const candidates = new Map([...earlier.candidates, ...chunk.candidates].map((hit) => [chunkKey(hit), hit]));
  return { ...chunk, candidates: [...candidates.values()] };
}

function hitsByDocument(chunks: readonly RetrievedChunk[]): Pick<Retrieved, "candidates" | "hits"> {
  const found = chunks.flatMap(({ queryChunk, candidates }) =>
    candidates.map((hit) => ({ queryChunk, ...hit })),
  );
  const byDocument = [...Map.groupBy(found, ({ documentId }) => documentId)];
  const sufficient = byDocument.filter(([, hits]) => hits.some(({ isSufficient }) => isSufficient));
  return {
    hits: new Map(
      byDocument.map(([id, hits]) => [
        id,
        hits.map(({ documentId, evidence, isSufficient, ...hit }): DocumentHit => hit),
      ]),
    ),
    // The last of several entries for a chunk counts, which is the greatest.
    candidates: new Map(
      sufficient.map(([id, hits]) => [
        id,
        new Map(
          hits
            .toSorted((a, b) => a.evidence - b.evidence)
            .map(({ chunkIndex, evidence }) => [chunkIndex, evidence]),
        ),
      ]),
    ),
  };
}

async function searchBatch(
  input: RetrieveInput,
  positions: readonly number[],
  counted: Promise<void> | undefined,
): Promise<RetrievedChunk[]> {
  const { termLists, budget } = input;
  const timeMs = () => budget.remainingMs;
  const ofBatch = positions.map((position) => termLists[position] ?? []);
  const searchedChunks = termLists.filter((terms) => terms.length > 0).length;
  const shingles = findByShingles(ofBatch, searchedChunks, input.search, timeMs);
  const doubtful = shingles.then((all) => all.map((found) => found.doubtful));
  doubtful.catch(() => undefined);
  const words = async () => {
    await counted;
    return input.findByWords(positions, doubtful, timeMs);
  };
  const [byShingles, byWords] = await Promise.all([shingles, words()]);
  await input.assertCurrent();
  return positions.map((queryChunk, at) => {
    const [ofShingles, ofWords] = [byShingles[at], byWords[at]];
    return {
      queryChunk,
      isComplete: ofShingles?.isComplete === true && ofWords?.isComplete === true,
      candidates: merged(ofShingles, ofWords),
    };
  });
}

/** Merges what shingles and words found: each chunk once, with the counts of both. */
function merged(
  shingles: ShingleFindings | undefined,
  words: WordFindings | undefined,
): RetrievedChunk["candidates"] {
  const hits = new Map<string, RetrievedHit>();
  for (const hit of shingles?.certain ?? []) {
    const { documentId, chunkIndex, score } = hit;
    const found = { documentId, chunkIndex, sharedShingles: score, sharedTerms: 0 };
    hits.set(chunkKey(hit), { ...found, evidence: SHINGLE_EVIDENCE * score, isSufficient: true });
  }
  const doubtful = new Set(shingles?.doubtful.map(chunkKey));
  for (const found of words?.candidates ?? []) {
    const key = chunkKey(found);
    const { documentId, chunkIndex, sharedTerms } = found;
    const known = hits.get(key);
    const sharedShingles = known?.sharedShingles ?? Number(doubtful.has(key));
    const evidence = found.evidence + (known?.evidence ?? 0);
    const isSufficient = found.isSufficient || known !== undefined;
    hits.set(key, { documentId, chunkIndex, sharedShingles, sharedTerms, evidence, isSufficient });
  }
  return [...hits.values()];
}

/** The time that a check may spend retrieving, including the `earlierMs` of its earlier runs. The clock starts now. */
export class TimeBudget {
  readonly #limitMs: number;
  readonly #now: () => number;
  readonly #startedAt: number;

  constructor(limitMs: number, earlierMs: number, now: () => number = () => performance.now()) {
    this.#limitMs = limitMs;
    this.#now = now;
    this.#startedAt = now() - earlierMs;
  }

  get spentMs(): number {
    return this.#now() - this.#startedAt;
  }

  get remainingMs(): number {
    return Math.max(0, this.#limitMs - this.spentMs);
  }

  get isSpent(): boolean {
    return this.remainingMs === 0;
  }
}
