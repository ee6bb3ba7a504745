import { wordTerm } from "../fingerprint/word-terms.ts";
import { type TermCounts, termShare } from "../retrieval/search-terms.ts";
import { tokenise } from "../text/tokenise.ts";

/** The first letters of a text's words, as the index knows them. */
export function termsOf(text: string, language: string): Set<string> {
  return new Set(tokenise(text, language).words.map(wordTerm));
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
    const written = query.slice(starts[at], ends[at]);
    if (!known.has(term) || shared.has(term) || share > RARE_SHARE_MAX || isShortWord(written)) continue;
    shared.set(term, { written, share });
  }
  return [...shared.values()].toSorted((a, b) => a.share - b.share).map(({ written }) => written);
}

/**
 * Words of up to three letters with a lower-case letter are mostly common ones, which the counts of a small corpus don't show. Names this
 * short are lost; abbreviations, numbers and words of scripts without case are kept.
 */
const SHORT_WORD_LETTERS_MAX = 3;

function isShortWord(written: string): boolean {
  return written.length <= SHORT_WORD_LETTERS_MAX && written !== written.toUpperCase();
}
