import { setTimeout as sleep } from "node:timers/promises";
import type { DocumentHit } from "../../core/report/explanation.ts";
import {
  documentEvidence,
  SHINGLE_EVIDENCE,
  STRONG_EVIDENCE,
  type WeighedChunk,
} from "../../core/retrieval/reuse-evidence.ts";
import type { ChunkHit } from "../../corpus/index.ts";
import type { RetrievedChunk, RetrievedHit } from "../retrieval-store.ts";
import { findByShingles, type SearchShingles, type ShingleFindings } from "./shingle-candidates.ts";
import type { FindByWords, QueryCounts, WordFindings } from "./word-candidates.ts";

/** Query chunks searched for in one request, each by about 40 shingles and by six windows of 10 words. */
const SEARCH_BATCH = 16;

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
  readonly counts: Pick<QueryCounts, "searchPriority" | "countWords" | "corpusChunks">;
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
  const candidates = new Map<string, Map<number, number>>();
  // When a query chunk is searched for again, its last search counts: it finds at least what the previous one found.
  const lastSearches = new Map<number, RetrievedChunk>();
  const keep = (chunk: RetrievedChunk) => {
    add(candidates, chunk);
    lastSearches.set(chunk.queryChunk, chunk);
  };
  for (const chunk of earlier) keep(chunk);
  const done = new Set(earlier.filter((chunk) => chunk.isComplete).map((chunk) => chunk.queryChunk));
  const termless = [...termLists.keys()].filter((position) => termLists[position]?.length === 0);
  for (const position of termless) done.add(position);
  if (termless.length > 0) await onProgress(done.size, []);
  const isInTime = () => !budget.isSpent;
  const unsearched = isInTime() ? [...termLists.keys()].filter((position) => !done.has(position)) : [];
  // A single batch needs no order, so it is searched for while its words are counted.
  const isOneBatch = unsearched.length <= SEARCH_BATCH;
  const counted = isOneBatch ? input.counts.countWords(unsearched) : undefined;
  let waiting = isOneBatch ? unsearched : await input.counts.searchPriority(unsearched, isInTime);
  // The first batch is always searched for, even if sorting took all of the time; otherwise there would be no result.
  for (let isFirst = true; waiting.length > 0 && (isFirst || isInTime()); isFirst = false) {
    const batch = await searchBatch(input, waiting.slice(0, SEARCH_BATCH), counted);
    for (const chunk of batch) {
      keep(chunk);
      if (chunk.isComplete) done.add(chunk.queryChunk);
    }
    const unfinished = batch.filter((chunk) => !chunk.isComplete).map((chunk) => chunk.queryChunk);
    waiting = [...waiting.slice(SEARCH_BATCH), ...unfinished];
    await onProgress(done.size, batch);
    if (unfinished.length > 0) await sleep(RETRY_WAIT_MS);
  }
  const searched = [...lastSearches.values()];
  const evidenceMin = documentEvidence(input.counts.corpusChunks);
  return {
    candidates: new Map([...candidates].filter(([, chunks]) => Math.max(...chunks.values()) >= evidenceMin)),
    hits: hitsByDocument(searched),
    checkedChunks: done.size,
    incompleteChunks: searched.filter(({ isComplete }) => !isComplete).length,
  };
}

function hitsByDocument(chunks: readonly RetrievedChunk[]): ReadonlyMap<string, DocumentHit[]> {
  const hits = new Map<string, DocumentHit[]>();
  for (const { queryChunk, candidates } of chunks) {
    for (const { documentId, evidence, ...found } of candidates) {
      const ofDocument = hits.get(documentId);
      if (ofDocument === undefined) hits.set(documentId, [{ queryChunk, ...found }]);
      else ofDocument.push({ queryChunk, ...found });
    }
  }
  return hits;
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
  const keyOf = ({ documentId, chunkIndex }: ChunkHit | WeighedChunk) => `${documentId}:${chunkIndex}`;
  for (const hit of shingles?.certain ?? []) {
    const { documentId, chunkIndex, score } = hit;
    const found = { documentId, chunkIndex, sharedShingles: score, sharedTerms: 0 };
    hits.set(keyOf(hit), { ...found, evidence: STRONG_EVIDENCE });
  }
  const doubtful = new Set(shingles?.doubtful.map(keyOf));
  for (const found of words?.candidates ?? []) {
    const { documentId, chunkIndex, sharedTerms } = found;
    const known = hits.get(keyOf(found));
    const sharedShingles = known?.sharedShingles ?? Number(doubtful.has(keyOf(found)));
    const ofShingles = sharedShingles > 0 ? SHINGLE_EVIDENCE : 0;
    const evidence = Math.max(found.evidence + ofShingles, known?.evidence ?? 0);
    hits.set(keyOf(found), { documentId, chunkIndex, sharedShingles, sharedTerms, evidence });
  }
  return [...hits.values()];
}

function add(candidates: Map<string, Map<number, number>>, chunk: RetrievedChunk): void {
  for (const { documentId, chunkIndex, evidence } of chunk.candidates) {
    const chunks = candidates.get(documentId) ?? new Map<number, number>();
    chunks.set(chunkIndex, Math.max(evidence, chunks.get(chunkIndex) ?? 0));
    candidates.set(documentId, chunks);
  }
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
