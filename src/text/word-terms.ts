import { formWords } from "./fingerprint-form.ts";

/** A word's beginning, in place of its stem; as the analyzer `chunk_words` (`index-templates/chunk-analysis.json`). */
export function wordTerm(word: string): string {
  return wordBeginning(word, TERM_LETTERS);
}

/** The terms of a normalised form's words, in their order; repeated as the words are. */
export function wordTerms(form: string): string[] {
  return formWords(form).map(wordTerm);
}

/**
 * Code points. In 21,400 English chunks 6 letters find as many sources of edited and translated passages as Snowball stems (98.5%
 * and 99.0% with 8 words of 40); of planted passages 5 letters lose 0.4% more, 7 letters 0.2% less.
 */
const TERM_LETTERS = 6;

/** The first letters of a word, counted in code points; all of a word that has no more. */
export function wordBeginning(word: string, letters: number): string {
  if (word.length <= letters) return word;
  // Letters outside the basic plane are two units long, and are not to be cut in two.
  for (let at = 0; at < letters; at++) {
    if ((word.charCodeAt(at) & 0xf800) === 0xd800) return [...word].slice(0, letters).join("");
  }
  return word.slice(0, letters);
}
