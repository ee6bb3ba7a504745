import { wordTerms } from "../fingerprint/word-terms.ts";
import { type TermCounts, termShare } from "./term-counts.ts";

/** A chunk of the query by its number, the terms that it is searched for by, and its narrow form. */
export type TellingChunk = {
  readonly queryChunk: number;
  readonly shingles: readonly string[];
  readonly form: string;
};

/**
 * The chunks of a query by what searching for them may tell, most first: by the weight of their shingles that stand in the
 * corpus, the rarer the heavier, then by that of their rare words. A copy has all of its shingles there, a text of one's own next
 * to none, so that a search that is cut short has looked at the largest copies.
 */
export function tellingOrder(
  chunks: readonly TellingChunk[],
  counts: { readonly shingles: TermCounts; readonly words: TermCounts },
): number[] {
  return chunks
    .map(({ queryChunk, shingles, form }) => ({
      queryChunk,
      shingles: weight(shingles, counts.shingles),
      words: weight(wordTerms(form), counts.words),
    }))
    .toSorted((a, b) => b.shingles - a.shingles || b.words - a.words || a.queryChunk - b.queryChunk)
    .map(({ queryChunk }) => queryChunk);
}

/** In nats, of the distinct terms that stand somewhere. */
function weight(terms: readonly string[], counts: TermCounts): number {
  let sum = 0;
  for (const term of new Set(terms)) {
    if ((counts.chunksWith.get(term) ?? 0) > 0) sum -= Math.log(termShare(counts, term));
  }
  return sum;
}
