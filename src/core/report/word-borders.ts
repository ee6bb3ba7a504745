import { RUN_LENGTH_MAX, WORD_CHARACTER } from "../text/words/word-characters.ts";

// A mark belongs to the letter before it; one that follows none, such as the selector after an emoji, is part of no word.
const WORDS = new RegExp(String.raw`(?!\p{M})${WORD_CHARACTER}${WORD_CHARACTER}{0,${RUN_LENGTH_MAX}}`, "gv");

/** Where the words of a text stand; each question takes constant time. Offsets are UTF-16. */
export type WordBorders = {
  /** The start of the first letter, digit or mark at or after `offset`; the text's length when none follows. */
  readonly nextWord: (offset: number) => number;
  /** The end of the last letter, digit or mark before `offset`; 0 when none precedes. */
  readonly previousWordEnd: (offset: number) => number;
};

/**
 * Finds the words of a text: runs of the characters that words are made of for the tokeniser too, so that all it passes
 * over counts as white space and punctuation here. Linear in the text; the answer holds eight bytes per UTF-16 unit.
 */
export function wordBorders(text: string): WordBorders {
  const next = new Int32Array(text.length + 1);
  const previousEnd = new Int32Array(text.length + 1);
  let gapStart = 0;
  for (const { 0: run, index } of text.matchAll(WORDS)) {
    next.fill(index, gapStart, index);
    previousEnd.fill(gapStart, gapStart, index + 1);
    gapStart = index + run.length;
    for (let offset = index; offset < gapStart; offset++) {
      next[offset] = offset;
      previousEnd[offset + 1] = offset + 1;
    }
  }
  next.fill(text.length, gapStart);
  previousEnd.fill(gapStart, gapStart);
  return {
    nextWord: (offset) => next[offset] ?? text.length,
    previousWordEnd: (offset) => previousEnd[offset] ?? gapStart,
  };
}
