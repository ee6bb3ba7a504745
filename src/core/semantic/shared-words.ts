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

/** Words in a larger share of the corpus's chunks are not rare. */
const RARE_SHARE_MAX = 0.02;

/** The names, numbers and rare words that both texts contain, as the query writes them, rarest first. */
export function rareSharedWords(
  query: string,
  queryLanguage: string,
  source: string,
  sourceLanguage: string,
  counts: TermCounts,
): string[] {
  const known = termsOf(source, sourceLanguage);
  const { words, starts, ends } = tokenise(query, queryLanguage);
  const shared = new Map<string, { readonly written: string; readonly share: number }>();
  for (const [at, word] of words.entries()) {
    const term = wordTerm(word);
    const share = termShare(counts, term);
    if (!known.has(term) || shared.has(term) || share > RARE_SHARE_MAX) continue;
    shared.set(term, { written: query.slice(starts[at], ends[at]), share });
  }
  return [...shared.values()].toSorted((a, b) => a.share - b.share).map(({ written }) => written);
}
