import { segmenterLocale } from "./segmenter-locale.ts";
import { RUN_LENGTH_MAX, UNSPACED_CHARACTER } from "./word-characters.ts";

/**
 * The number of words a person would count: what stands between spaces and long dashes and holds a letter or digit, so
 * "well-known", "don't", "3.14" and "and/or" are one each (four of them are two tokens). Where scripts without spaces
 * occur, such a stretch has the words that ICU's dictionary finds in it.
 */
export function wordCount(text: string, language: string): number {
  const segmenter = UNSPACED.test(text)
    ? new Intl.Segmenter(segmenterLocale(language), { granularity: "word" })
    : undefined;
  let count = 0;
  for (const [stretch] of text.matchAll(STRETCHES)) {
    count += segmenter !== undefined && UNSPACED.test(stretch) ? segmentedWords(segmenter, stretch) : 1;
  }
  return count;
}

const UNSPACED = new RegExp(UNSPACED_CHARACTER, "v");
const STRETCHES = new RegExp(
  String.raw`[\p{L}\p{Nd}\p{Nl}][^\s\u2014\u2015\u2026]{0,${RUN_LENGTH_MAX}}`,
  "gv",
);

function segmentedWords(segmenter: Intl.Segmenter, stretch: string): number {
  let count = 0;
  for (const { isWordLike } of segmenter.segment(stretch)) if (isWordLike === true) count++;
  return count;
}
