import { SHINGLE_WORDS } from "./fingerprint-form.ts";
import { placedShingles } from "./sampled-shingles.ts";
import { joinSpans, type Span } from "./span.ts";
import type { Tokens } from "./tokenise.ts";

/** A shingle as a signed 32-bit number (FNV-1a; Fowler, Noll, Vo). Of the 4 million shingles of a large batch, one in 1,000 shares its number. */
export function shingleNumber(shingle: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < shingle.length; at++) hash = Math.imul(hash ^ shingle.charCodeAt(at), 0x01000193);
  return hash | 0;
}

/** The distinct sampled shingles of a text as numbers. */
export function shingleNumbers(words: readonly string[]): number[] {
  return [...new Set(placedShingles(words).map(({ shingle }) => shingleNumber(shingle)))];
}

/**
 * The parts of a text that consist of common shingles, in UTF-16 units: ascending, disjoint. Only one shingle in five is sampled,
 * so the text between two neighbouring common ones counts as well.
 */
export function commonSpans({ words, starts, ends }: Tokens, common: ReadonlySet<number>): Span[] {
  const spans: Span[] = [];
  let firstWord: number | undefined;
  for (const placed of placedShingles(words)) {
    if (!common.has(shingleNumber(placed.shingle))) {
      firstWord = undefined;
      continue;
    }
    firstWord ??= placed.firstWord;
    spans.push({ start: starts[firstWord] ?? 0, end: ends[placed.firstWord + SHINGLE_WORDS - 1] ?? 0 });
  }
  return joinSpans(spans);
}
