import type { Span } from "../../text/span.ts";
import type { TokenisedText } from "../pair/tokenised-text.ts";
import type { Box } from "../pair/word-range.ts";

/** What belongs to the word beside it: all but white space, letters and digits. */
const PUNCTUATION = /^[^\s\p{L}\p{N}]$/u;

/**
 * Where a box stands in the two texts: from its first word's start to its last word's end, and on over the
 * punctuation that directly precedes or follows there and is the same on both sides (a bracket, a quote, a full stop).
 * `queryFloor` and `queryCeiling` are offsets that the query's span must not pass: its neighbours.
 */
export function boxSpans(
  query: TokenisedText,
  source: TokenisedText,
  box: Box,
  queryFloor: number,
  queryCeiling: number,
): { readonly query: Span; readonly source: Span } {
  const queryStart = query.tokens.starts[box.query.start] ?? 0;
  const queryEnd = query.tokens.ends[box.query.end - 1] ?? 0;
  const sourceStart = source.tokens.starts[box.source.start] ?? 0;
  const sourceEnd = source.tokens.ends[box.source.end - 1] ?? 0;
  const before = punctuationBefore(query.text, queryStart, source.text, sourceStart, queryFloor);
  const after = punctuationAfter(query.text, queryEnd, source.text, sourceEnd, queryCeiling);
  return {
    query: { start: queryStart - before, end: queryEnd + after },
    source: { start: sourceStart - before, end: sourceEnd + after },
  };
}

/** Code units of equal punctuation that end at the two offsets, none of them before `floor` in the query. */
function punctuationBefore(
  query: string,
  queryEnd: number,
  source: string,
  sourceEnd: number,
  floor: number,
): number {
  let length = 0;
  for (;;) {
    const character = characterBefore(query, queryEnd - length);
    if (!PUNCTUATION.test(character) || queryEnd - length - character.length < floor) return length;
    if (characterBefore(source, sourceEnd - length) !== character) return length;
    length += character.length;
  }
}

/** Code units of equal punctuation that start at the two offsets, none of them past `ceiling` in the query. */
function punctuationAfter(
  query: string,
  queryStart: number,
  source: string,
  sourceStart: number,
  ceiling: number,
): number {
  let length = 0;
  for (;;) {
    const character = characterAt(query, queryStart + length);
    if (!PUNCTUATION.test(character) || queryStart + length + character.length > ceiling) return length;
    if (characterAt(source, sourceStart + length) !== character) return length;
    length += character.length;
  }
}

/** The whole character (one or two code units) at an offset; empty at the text's end. */
function characterAt(text: string, offset: number): string {
  const codePoint = text.codePointAt(offset);
  return codePoint === undefined ? "" : String.fromCodePoint(codePoint);
}

/** The whole character that ends at an offset; empty at the text's start. */
function characterBefore(text: string, offset: number): string {
  const pair = characterAt(text, offset - 2);
  return offset >= 2 && pair.length === 2 ? pair : text.slice(Math.max(0, offset - 1), offset);
}
