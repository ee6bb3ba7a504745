import { outsidePair } from "./code-points.ts";

/** The words of a shingle. Five in a row are seldom equal by chance, and an edited copy keeps many of them. */
export const SHINGLE_WORDS = 5;

/** The most UTF-16 units of a word in the form. Real words are shorter; the index's tokenizer would cut at 255 inside one. */
export const FORM_WORD_LENGTH_MAX = 64;

/** Fills a short chunk up to one shingle. Words never contain an underscore. */
export const PADDING_WORD = "_";

/** The chunk's form for the index: words cut to `FORM_WORD_LENGTH_MAX`, joined by spaces, padded to one shingle. */
export function fingerprintForm(words: readonly string[]): string {
  if (words.length === 0) return "";
  const form = words.map((word) => word.slice(0, outsidePair(word, FORM_WORD_LENGTH_MAX))).join(" ");
  return form + ` ${PADDING_WORD}`.repeat(Math.max(0, SHINGLE_WORDS - words.length));
}

/** The words of a form, without its padding. */
export function formWords(form: string): string[] {
  if (form === "") return [];
  return form.split(" ").filter((word) => word !== PADDING_WORD);
}
