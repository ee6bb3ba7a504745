import type { FindByWords } from "../../src/matching/find-by-words.ts";
import { type RetrieveInput, retrieve as retrieveBoth } from "../../src/matching/retrieve.ts";
import type { ChunkSearch, WordIndex } from "../../src/matching/set.ts";
import { TimeBudget } from "../../src/matching/time-budget.ts";
import { SHINGLE_EVIDENCE } from "../../src/matching/words/reuse-evidence.ts";

/** A query of this many chunks, each with one term that is its number. */
export const query = (chunks: number) => Array.from({ length: chunks }, (_, chunk) => [String(chunk)]);

export const hit = (documentId: string, chunkIndex = 0, score = 5) => ({ documentId, chunkIndex, score });

/** The index is as it should be. */
const isCurrent = async () => {};

/** Words that find nothing: what is left is what shingles find. */
const noWords: FindByWords = async (queryChunks) => queryChunks.map(() => ({ isComplete: true, found: [] }));

/** Counts nothing: the chunks are searched for as they stand in the text. */
export const noCounts: RetrieveInput["counts"] = {
  searchPriority: async (queryChunks) => [...queryChunks],
  countWords: async () => undefined,
};

type Defaulted = "counts" | "findByWords" | "budget" | "onProgress";

type Input = Omit<RetrieveInput, Defaulted | "index"> &
  Partial<Pick<RetrieveInput, Defaulted>> & {
    readonly search: WordIndex["findShared"];
    readonly assertCurrent?: WordIndex["assertCurrent"];
  };

/** Retrieves as a check does; by default only shingles find something, and there is an hour for it. */
export const retrieve = ({ search, assertCurrent = isCurrent, ...input }: Input) =>
  retrieveBoth({
    counts: noCounts,
    findByWords: noWords,
    index: { findShared: search, assertCurrent },
    budget: hour(),
    onProgress: async () => undefined,
    ...input,
  });

/** A chunk that an earlier run has found. */
export const found = (documentId: string, chunkIndex: number) => ({
  documentId,
  chunkIndex,
  sharedShingles: 5,
  sharedTerms: 0,
  evidence: 5 * SHINGLE_EVIDENCE,
  isSufficient: true,
});

/** Chunks that five shingles have found. */
export const chunks = (...numbers: readonly number[]) =>
  new Map(numbers.map((chunk) => [chunk, 5 * SHINGLE_EVIDENCE]));

/** Answers each query chunk by its number, and counts how often it was asked for. */
export function fakeSearch(answer: (chunk: number, time: number) => ChunkSearch, onSearch = () => {}) {
  const asked = new Map<number, number>();
  const search = async (shingleLists: readonly (readonly string[])[]) => {
    onSearch();
    return shingleLists.map(([term]) => {
      const chunk = Number(term);
      asked.set(chunk, (asked.get(chunk) ?? 0) + 1);
      return answer(chunk, asked.get(chunk) ?? 0);
    });
  };
  return { search, asked };
}

export function progressLog() {
  const log: number[] = [];
  const onProgress = async (done: number) => {
    log.push(done);
  };
  return { log, onProgress };
}

export const hour = () => new TimeBudget(3_600_000, 0);
