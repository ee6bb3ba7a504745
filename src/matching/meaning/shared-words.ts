import { tokenise } from "../../text/tokenise.ts";
import { wordTerm } from "../../text/word-terms.ts";
import { type TermCounts, termShare } from "../words/search-terms.ts";
import { formulaLength } from "./formulas.ts";

/** The first letters of a text's words, as the index knows them. */
export function termsOf(text: string, language: string): Set<string> {
  return new Set(tokenise(text, language).words.map(wordTerm));
}

/** The terms of a sentence's words; `names`: the written form of each name and number, by its term; `formulas`: their UTF-16 units. */
export type SentenceWords = {
  readonly terms: ReadonlySet<string>;
  readonly formulas: number;
  readonly names: ReadonlyMap<string, string>;
};

/**
 * The terms of a sentence. Names are rare words with a digit or, behind the first word, a capital letter. Where all nouns or most words
 * of the sentence have capitals, only words with digits count.
 */
export function sentenceWords(sentence: string, language: string, counts: TermCounts): SentenceWords {
  const { words, starts, ends } = tokenise(sentence, language);
  const written = words.map((_, at) => sentence.slice(starts[at], ends[at]));
  const capitals = written.filter((word) => CAPITAL.test(word)).length;
  const isNameCapital = !CAPITAL_NOUNS.has(language) && capitals <= CAPITALS_MAX * written.length;
  const terms = new Set<string>();
  const names = new Map<string, string>();
  for (const [at, word] of words.entries()) {
    const term = wordTerm(word);
    const form = written[at] ?? "";
    terms.add(term);
    const isName = DIGIT.test(form) || (isNameCapital && at > 0 && form.length > 1 && CAPITAL.test(form));
    if (isName && termShare(counts, term) <= NAME_SHARE_MAX) names.set(term, form);
  }
  return { terms, names, formulas: formulaLength(sentence) };
}

const CAPITAL = /^\p{Lu}/u;
const DIGIT = /\p{Nd}/u;

/** German and Luxembourgish write every noun with a capital. */
const CAPITAL_NOUNS: ReadonlySet<string> = new Set(["de", "lb"]);

/** Titles and text in capitals have a greater share of words with a capital letter. */
const CAPITALS_MAX = 0.6;

/** Words in a larger share of the chunks tell no subject from another. */
const NAME_SHARE_MAX = 0.05;

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
