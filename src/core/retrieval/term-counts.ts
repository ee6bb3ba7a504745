/** In how many of the corpus's chunks terms stand; a term that is not named stands in none. */
export type TermCounts = {
  readonly chunks: number;
  readonly chunksWith: ReadonlyMap<string, number>;
};

/**
 * The share of chunks of text, in the corpus and beyond it, that hold a term: as if some chunks had been looked at before
 * the corpus was, so that a corpus of a single document doesn't take all of its words for common ones.
 */
export function termShare({ chunks, chunksWith }: TermCounts, term: string): number {
  return ((chunksWith.get(term) ?? 0) + PRIOR_CHUNKS * PRIOR_SHARE) / (chunks + PRIOR_CHUNKS);
}

/** About as many as a corpus needs to tell a rare word from a common one. Among 20,000 chunks they change nothing. */
const PRIOR_CHUNKS = 1_000;

/** The share of chunks in which an average word of a text stands that is neither common nor a name. */
const PRIOR_SHARE = 0.01;
