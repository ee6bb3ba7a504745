import { wordTerms } from "../text/word-terms.ts";
import type { CountTerms } from "./set.ts";
import { bySearchPriority, type SearchWeight, searchWeight, type TermCounts } from "./words/search-terms.ts";

/** Chunks whose terms are counted in one request: 11,000 words, and an answer of 400 KB that is read in a few milliseconds. */
const COUNTED_AT_ONCE = 64;

/** The search terms and the normalised form of each query chunk. */
export type QueryTerms = {
  readonly shingleLists: readonly (readonly string[])[];
  readonly forms: readonly string[];
};

/** Counts in how many corpus chunks the terms of a query occur, which tells rare terms and promising query chunks. */
export class QueryCounts {
  readonly #countTerms: CountTerms;
  readonly #query: QueryTerms;
  readonly #shingles = new Map<string, number>();
  readonly #words = new Map<string, number>();
  readonly #counted = new Set<number>();
  #chunks = 0;

  constructor(countTerms: CountTerms, query: QueryTerms) {
    this.#countTerms = countTerms;
    this.#query = query;
  }

  /** Counts the terms of these query chunks and returns the chunks by search priority, without those not counted in time. */
  async searchPriority(
    queryChunks: readonly number[],
    isInTime: () => boolean = () => true,
  ): Promise<number[]> {
    const { shingleLists, forms } = this.#query;
    const weights: SearchWeight[] = [];
    while (weights.length < queryChunks.length && isInTime()) {
      const batch = queryChunks.slice(weights.length, weights.length + COUNTED_AT_ONCE);
      await this.#count(
        batch,
        batch.flatMap((queryChunk) => shingleLists[queryChunk] ?? []),
      );
      // Weighed batch by batch: all chunks of a long query together would hold up the event loop.
      const counts = { shingles: this.#counts(this.#shingles), words: this.#counts(this.#words) };
      for (const queryChunk of batch) {
        const chunk = { queryChunk, shingles: shingleLists[queryChunk] ?? [], form: forms[queryChunk] ?? "" };
        weights.push(searchWeight(chunk, counts));
      }
    }
    return bySearchPriority(weights);
  }

  /** Counts only the words of these query chunks. */
  async countWords(queryChunks: readonly number[]): Promise<void> {
    for (let from = 0; from < queryChunks.length; from += COUNTED_AT_ONCE)
      await this.#count(queryChunks.slice(from, from + COUNTED_AT_ONCE), []);
  }

  /** The counts of the words of all chunks, including chunks that an earlier run has searched for. */
  async ofAllWords(): Promise<TermCounts> {
    await this.countWords(
      [...this.#query.forms.keys()].filter((queryChunk) => !this.#counted.has(queryChunk)),
    );
    return this.#counts(this.#words);
  }

  /** The counts of the words of some query chunks. @throws unless they were counted by one of the methods above. */
  wordsOf(queryChunks: readonly number[]): TermCounts {
    const ofChunks = new Map<string, number>();
    for (const queryChunk of queryChunks) {
      if (!this.#counted.has(queryChunk))
        throw new Error(`the words of query chunk ${queryChunk} are not counted`);
      const terms = wordTerms(this.#query.forms[queryChunk] ?? "");
      for (const term of terms) ofChunks.set(term, this.#words.get(term) ?? 0);
    }
    return this.#counts(ofChunks);
  }

  async #count(queryChunks: readonly number[], shingleTerms: readonly string[]): Promise<void> {
    const { forms } = this.#query;
    const { shingles, words } = await this.#countTerms({
      shingles: [...new Set(shingleTerms)],
      words: [...new Set(queryChunks.flatMap((queryChunk) => wordTerms(forms[queryChunk] ?? "")))],
    });
    for (const [term, count] of shingles.chunksWith) this.#shingles.set(term, count);
    for (const [term, count] of words.chunksWith) this.#words.set(term, count);
    this.#chunks = words.chunks;
    for (const queryChunk of queryChunks) this.#counted.add(queryChunk);
  }

  #counts(chunksWith: ReadonlyMap<string, number>): TermCounts {
    return { chunks: this.#chunks, chunksWith };
  }
}
