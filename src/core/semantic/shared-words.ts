import { wordTerm } from "../fingerprint/word-terms.ts";
import { type TermCounts, termShare } from "../retrieval/search-terms.ts";
import { tokenise } from "../text/tokenise.ts";

/** Shares of the weight of a query passage's words, from 0 to 1; the weight of a word is its inverse document frequency. */
export type SharedWords = {
  /** Words that the source passage has, and its document nowhere else: they speak for this place. */
  readonly ownShare: number;
  /** Words that the document has around the passage and not in it: they speak for the subject alone. */
  readonly displacedShare: number;
  /** Words that the passage has and the document around it too. */
  readonly repeatedShare: number;
};

/** The first letters of a text's words, as the index knows them. */
export function termsOf(text: string, language: string): Set<string> {
  return new Set(tokenise(text, language).words.map(wordTerm));
}

export function sharedWords(
  query: ReadonlySet<string>,
  passage: ReadonlySet<string>,
  around: ReadonlySet<string>,
  counts: TermCounts,
): SharedWords {
  let total = 0;
  let own = 0;
  let displaced = 0;
  let repeated = 0;
  for (const term of query) {
    const weight = -Math.log(termShare(counts, term));
    total += weight;
    if (passage.has(term)) {
      if (around.has(term)) repeated += weight;
      else own += weight;
    } else if (around.has(term)) displaced += weight;
  }
  const share = (weight: number) => weight / Math.max(total, 1);
  return { ownShare: share(own), displacedShare: share(displaced), repeatedShare: share(repeated) };
}
