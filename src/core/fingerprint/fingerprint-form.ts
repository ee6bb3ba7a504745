/** The words of one shingle. Five in a row are seldom shared by chance, and a copy with a word changed here and there keeps many. */
export const SHINGLE_WORDS = 5;

/**
 * The most UTF-16 units of a word in the normalised form. Only words of no language are longer; the index's white space tokenizer
 * would cut at 255 by itself, inside what is one word here.
 */
export const FORM_WORD_LENGTH_MAX = 64;

/** Fills a short chunk up to one shingle. Tokens never hold an underscore, so it can't be taken for a word. */
export const PADDING_WORD = "_";

/**
 * The normalised form of a chunk with the given normalised words: what the index analyses and retrieval scans. The words, each cut
 * to `FORM_WORD_LENGTH_MAX`, stand between single spaces; fewer than one shingle's are padded at the end. No words give "".
 */
export function fingerprintForm(words: readonly string[]): string {
  if (words.length === 0) return "";
  const form = (words.some(isLong) ? words.map(cutWord) : words).join(" ");
  return form + ` ${PADDING_WORD}`.repeat(Math.max(0, SHINGLE_WORDS - words.length));
}

function isLong(word: string): boolean {
  return word.length > FORM_WORD_LENGTH_MAX;
}

function cutWord(word: string): string {
  if (!isLong(word)) return word;
  const cut = word.slice(0, FORM_WORD_LENGTH_MAX);
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
}
