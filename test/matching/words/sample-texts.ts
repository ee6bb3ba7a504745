import type { TokenisedText } from "../../../src/matching/words/boundaries.ts";
import { type Candidate, exactCandidate } from "../../../src/matching/words/candidates.ts";
import type { Passage } from "../../../src/matching/words/passages.ts";
import { exactMatches, type SegmentPair } from "../../../src/matching/words/seeds.ts";
import {
  pairTexts,
  prepareQuery,
  type QueryOptions,
  type TextPair,
} from "../../../src/matching/words/text-pair.ts";

/** A text with plain words: runs of letters and digits in lower case. The laws hold for any tokeniser. */
export function tokenised(text: string): TokenisedText {
  const matches = [...text.matchAll(/[\p{L}\p{N}]+/gu)];
  return {
    text,
    tokens: {
      words: matches.map(([word]) => word.toLowerCase()),
      starts: Int32Array.from(matches, ({ index }) => index),
      ends: Int32Array.from(matches, ({ 0: word, index }) => index + word.length),
    },
  };
}

/** `count` words made by `wordAt`, between spaces. */
export function wordsText(count: number, wordAt: (position: number) => string): string {
  return Array.from({ length: count }, (_, position) => wordAt(position)).join(" ");
}

/** Different words that no two calls with different names share: `name0 name1 …`. */
export function newWords(name: string, count: number): string {
  return wordsText(count, (position) => `${name}${position}`);
}

/** The query's and the source's text of a passage. */
export function passageTexts(
  query: TokenisedText,
  source: TokenisedText,
  passage: Passage,
): [string, string] {
  return [
    query.text.slice(passage.query.start, passage.query.end),
    source.text.slice(passage.source.start, passage.source.end),
  ];
}

/** Two texts, ready to be compared. */
export function pairOf(query: string, source: string, options?: QueryOptions): TextPair {
  return pairTexts(prepareQuery(tokenised(query), options), tokenised(source));
}

/** The exact matches of two texts as candidates. */
export function matchCandidates(pair: TextPair): Candidate[] {
  const { query, sourceSide } = pair;
  return exactMatches(query, sourceSide.ids).map((match) => exactCandidate(pair, match));
}

/** Where a segment pair begins and ends in the query and in the source, in words. */
export function places({ query, source }: SegmentPair): number[] {
  return [query.start, query.end, source.start, source.end];
}
