import { wordTerm } from "../fingerprint/word-terms.ts";
import { type TermCounts, termShare } from "../retrieval/search-terms.ts";
import { tokenise } from "../text/tokenise.ts";

/** The first letters of a text's words, as the index knows them. */
export function termsOf(text: string, language: string): Set<string> {
  return new Set(tokenise(text, language).words.map(wordTerm));
}

/** The terms of two sentences that correspond. */
export type TermPair = { readonly query: ReadonlySet<string>; readonly source: ReadonlySet<string> };

/**
 * The sum over pairs of sentences: the share of the query sentence's words that its counterpart has, less the greatest share that
 * any sentence around has. Words count by their inverse document frequency. Words of the subject are in many sentences and
 * cancel out; words of a reused sentence are in its source alone.
 */
export function wordContrast(
  pairs: readonly TermPair[],
  around: readonly ReadonlySet<string>[],
  counts: TermCounts,
): number {
  let sum = 0;
  for (const { query, source } of pairs) {
    const weights = [...query].map((term) => [term, -Math.log(termShare(counts, term))] as const);
    const total = weights.reduce((all, [, weight]) => all + weight, 0);
    const shareIn = (sentence: ReadonlySet<string>) =>
      weights.reduce((all, [term, weight]) => all + (sentence.has(term) ? weight : 0), 0) /
      Math.max(total, 1);
    sum += shareIn(source) - around.reduce((most, sentence) => Math.max(most, shareIn(sentence)), 0);
  }
  return sum;
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
