import { firstIndex } from "./span.ts";

/** Converts the offsets of one text between UTF-16 units and code points, both from 0 to the text's length. */
export type CodePointOffsets = {
  /** An offset inside a surrogate pair counts as the pair's start. */
  readonly toCodePoint: (utf16: number) => number;
  readonly toUtf16: (codePoint: number) => number;
};

/** The length of `text` in Unicode code points; a lone surrogate counts as one. */
export function codePointLength(text: string): number {
  if (!SURROGATE_PAIR.test(text)) return text.length;
  let length = text.length;
  for (const _ of surrogatePairs(text)) length--;
  return length;
}

/** Converts by binary search over the surrogate pairs, which take 4 bytes each. A lone surrogate is one code point. */
export function codePointOffsets(text: string): CodePointOffsets {
  if (!SURROGATE_PAIR.test(text)) return { toCodePoint: (utf16) => utf16, toUtf16: (codePoint) => codePoint };
  const pairs = Int32Array.from(surrogatePairs(text));
  return {
    toCodePoint: (utf16) => utf16 - firstIndex(pairs.length, (at) => (pairs[at] ?? 0) >= utf16),
    toUtf16: (codePoint) => codePoint + firstIndex(pairs.length, (at) => (pairs[at] ?? 0) - at >= codePoint),
  };
}

/** The code point that begins at `at`, in UTF-16 units; empty at the end of the text. */
export function codePointAt(text: string, at: number): string {
  const codePoint = text.codePointAt(at);
  return codePoint === undefined ? "" : String.fromCodePoint(codePoint);
}

/** The code point that ends at `at`, in UTF-16 units; empty at the start of the text. */
export function codePointBefore(text: string, at: number): string {
  const pair = text.slice(Math.max(0, at - 2), at);
  return /^[\ud800-\udbff][\udc00-\udfff]$/.test(pair) ? pair : pair.slice(-1);
}

/** The offset, or the start of the surrogate pair that a cut there would divide. */
export function outsidePair(text: string, at: number): number {
  return (text.codePointAt(at - 1) ?? 0) > 0xffff ? at - 1 : at;
}

/** The code point of a character in Unicode's notation: `U+200B`. */
export function codePointName(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

/** Few texts have one. An expression without flags rules the others out ten times as fast as the loop below. */
const SURROGATE_PAIR = /[\ud800-\udbff][\udc00-\udfff]/;

/** The UTF-16 offsets at which surrogate pairs begin, ascending. */
function* surrogatePairs(text: string): Generator<number> {
  for (let at = 0; at + 1 < text.length; at++) {
    if (
      isBetween(text.charCodeAt(at), 0xd800, 0xdbff) &&
      isBetween(text.charCodeAt(at + 1), 0xdc00, 0xdfff)
    ) {
      yield at++;
    }
  }
}

function isBetween(value: number, low: number, high: number): boolean {
  return value >= low && value <= high;
}
