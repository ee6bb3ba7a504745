import { wordTerms } from "../../core/fingerprint/word-terms.ts";
import type { TermCounts } from "../../core/retrieval/search-terms.ts";
import { searchPriority } from "../../core/retrieval/search-terms.ts";
import type { ChunkIndex } from "../../corpus/index.ts";

/** Chunks whose terms are counted in one request: 11,000 words, whose answer of 400 KB is read in some milliseconds. */
const COUNTED_AT_ONCE = 64;

export type QueryTexts = {
  /** Of each query chunk, the terms that it is searched for by. */
  readonly termLists: readonly (readonly string[])[];
  /** Of each query chunk. */
  readonly forms: readonly string[];
};

/** How often the terms of a query stand in the corpus: what is rare, and which of its chunks may tell most. */
export class QueryCounts {
  readonly #chunkIndex: Pick<ChunkIndex, "countTerms">;
  readonly #query: QueryTexts;
  readonly #shingles = new Map<string, number>();
  readonly #words = new Map<string, number>();
  #chunks = 0;

  constructor(chunkIndex: Pick<ChunkIndex, "countTerms">, query: QueryTexts) {
    this.#chunkIndex = chunkIndex;
    this.#query = query;
  }

  /**
   * Counts the terms of these query chunks, and gives the chunks by what searching for them may tell, most first; those that
   * were not counted in time are left out.
   */
  async tellingOrder(
    queryChunks: readonly number[],
    isInTime: () => boolean = () => true,
  ): Promise<number[]> {
    let counted = 0;
    while (counted < queryChunks.length && isInTime()) {
      await this.#count(queryChunks.slice(counted, counted + COUNTED_AT_ONCE));
      counted += COUNTED_AT_ONCE;
    }
    const { termLists, forms } = this.#query;
    return searchPriority(
      queryChunks.slice(0, counted).map((queryChunk) => ({
        queryChunk,
        shingles: termLists[queryChunk] ?? [],
        form: forms[queryChunk] ?? "",
      })),
      { shingles: this.#counts(this.#shingles), words: this.#counts(this.#words) },
    );
  }

  /** Of the words of some chunks that were counted. */
  wordsOf(forms: readonly string[]): TermCounts {
    const ofForms = new Map<string, number>();
    for (const term of forms.flatMap(wordTerms)) ofForms.set(term, this.#words.get(term) ?? 0);
    return this.#counts(ofForms);
  }

  async #count(queryChunks: readonly number[]): Promise<void> {
    const { termLists, forms } = this.#query;
    const { shingles, words } = await this.#chunkIndex.countTerms({
      shingles: [...new Set(queryChunks.flatMap((queryChunk) => termLists[queryChunk] ?? []))],
      words: [...new Set(queryChunks.flatMap((queryChunk) => wordTerms(forms[queryChunk] ?? "")))],
    });
    for (const [term, count] of shingles.chunksWith) this.#shingles.set(term, count);
    for (const [term, count] of words.chunksWith) this.#words.set(term, count);
    this.#chunks = words.chunks;
  }

  #counts(chunksWith: ReadonlyMap<string, number>): TermCounts {
    return { chunks: this.#chunks, chunksWith };
  }
}
