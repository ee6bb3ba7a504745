import { segmenterLocale } from "./languages.ts";
import {
  isAsciiBorder,
  isAsciiSpace,
  isAsciiWordUnit,
  RUN_LENGTH_MAX,
  UNSPACED_CHARACTER,
} from "./word-characters.ts";

/** The words a person would count: "well-known", "3.14" and "and/or" are one each. ICU counts in scripts without spaces. */
export function wordCount(text: string, language: string): number {
  if (!UNSPACED.test(text)) return stretchCount(text);
  const segmenter = new Intl.Segmenter(segmenterLocale(language), { granularity: "word" });
  let count = 0;
  for (const [stretch] of text.matchAll(STRETCHES)) {
    if (!UNSPACED.test(stretch)) count++;
    else for (const { isWordLike } of segmenter.segment(stretch)) if (isWordLike === true) count++;
  }
  return count;
}

/** The number of matches of `STRETCHES`; ASCII ones, which are most, are counted without it. */
function stretchCount(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; ) {
    if (isAsciiBorder(text.charCodeAt(at))) {
      at++;
      continue;
    }
    const plainEnd = asciiStretchEnd(text, at);
    if (plainEnd > at) {
      at = plainEnd;
    } else {
      NEXT_STRETCH.lastIndex = at;
      if (NEXT_STRETCH.exec(text) === null) break;
      at = NEXT_STRETCH.lastIndex;
    }
    count++;
  }
  return count;
}

/** Where the stretch that begins at `at` ends, when it is all of ASCII characters and not too long; else `at`. */
function asciiStretchEnd(text: string, at: number): number {
  if (!isAsciiWordUnit(text.charCodeAt(at))) return at;
  let end = at + 1;
  while (end - at <= RUN_LENGTH_MAX && end < text.length) {
    const unit = text.charCodeAt(end);
    if (isAsciiSpace(unit)) return end;
    if (unit >= 128) return at;
    end++;
  }
  return end === text.length ? end : at;
}

const UNSPACED = new RegExp(UNSPACED_CHARACTER, "v");
const STRETCHES = new RegExp(
  String.raw`[\p{L}\p{Nd}\p{Nl}][^\s\u2014\u2015\u2026]{0,${RUN_LENGTH_MAX}}`,
  "gv",
);
/** A copy with its own `lastIndex`. */
const NEXT_STRETCH = new RegExp(STRETCHES);
