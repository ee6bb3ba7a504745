import type { MeaningComparison } from "../../../client/index.ts";
import { wordTerm } from "../../../text/word-terms.ts";

/** Sentences that correspond, or text between them that has no counterpart. */
export type SentenceRow = {
  /** The pairs that connect the sentences; empty for text without a counterpart. */
  readonly pairs: readonly SentencePair[];
  /** In the order of each text. */
  readonly query: readonly string[];
  readonly source: readonly string[];
};

export type SentencePair = MeaningComparison["sentence_pairs"][number];

/** One side of a passage. `at` is the place in the document where `text` begins. */
export type SentenceSide = {
  readonly text: string;
  readonly at: number;
  readonly start: number;
  readonly end: number;
};

/**
 * The sentences of a passage side by side, in the order of the query. Sentences that share a counterpart, because one side splits or
 * merges them, are in one row. Text between sentences follows the row of the sentence before it.
 */
export function sentenceRows(
  pairs: readonly SentencePair[],
  query: SentenceSide,
  source: SentenceSide,
): SentenceRow[] {
  const groups = connectedPairs(pairs);
  const sides = [
    sideOfRows(query, groups, ({ query_start: start, query_end: end }) => ({ start, end })),
    sideOfRows(source, groups, ({ source_document_start: start, source_document_end: end }) => ({
      start,
      end,
    })),
  ] as const;
  const before: SentenceRow = { pairs: [], query: sides[0].before, source: sides[1].before };
  const rows = groups.flatMap((group, at): SentenceRow[] => [
    { pairs: group, query: sides[0].sentences[at] ?? [], source: sides[1].sentences[at] ?? [] },
    { pairs: [], query: sides[0].after[at] ?? [], source: sides[1].after[at] ?? [] },
  ]);
  return [before, ...rows].filter((row) => row.query.length > 0 || row.source.length > 0);
}

/** The same pairs with both sides exchanged. Names that only the source has are not known. */
export function mirroredMeaning(meaning: MeaningComparison): MeaningComparison {
  return {
    ...meaning,
    own_names: [],
    query_language: meaning.source_language,
    source_language: meaning.query_language,
    sentence_pairs: meaning.sentence_pairs.map((pair) => ({
      query_start: pair.source_document_start,
      query_end: pair.source_document_end,
      source_document_start: pair.query_start,
      source_document_end: pair.query_end,
      margin: pair.margin,
    })),
  };
}

/** Groups pairs that have a sentence in common, by the first sentence of the query. */
export function connectedPairs(pairs: readonly SentencePair[]): SentencePair[][] {
  let groups: SentencePair[][] = [];
  for (const pair of pairs.toSorted((a, b) => a.query_start - b.query_start)) {
    const touches = (group: readonly SentencePair[]) =>
      group.some(
        (one) =>
          one.query_start === pair.query_start || one.source_document_start === pair.source_document_start,
      );
    const [first, ...joined] = groups.filter(touches);
    if (first === undefined) groups.push([pair]);
    else {
      first.push(...joined.flat(), pair);
      groups = groups.filter((group) => !joined.includes(group));
    }
  }
  return groups;
}

type Span = { readonly start: number; readonly end: number };

/** The text of one side, row by row: its sentences, and the text after them that belongs to no row. */
function sideOfRows(
  { text, at, start, end }: SentenceSide,
  groups: readonly (readonly SentencePair[])[],
  spanOf: (pair: SentencePair) => Span,
) {
  const cut = (from: number, to: number) => text.slice(Math.max(0, from - at), Math.max(0, to - at)).trim();
  const spans = groups
    .flatMap((group, row) => group.map((pair) => ({ row, ...spanOf(pair) })))
    .toSorted((a, b) => a.start - b.start)
    .filter((span, index, all) => index === 0 || all[index - 1]?.start !== span.start);
  const sentences: string[][] = groups.map(() => []);
  const after: string[][] = groups.map(() => []);
  const first = cut(start, spans[0]?.start ?? end);
  for (const [index, span] of spans.entries()) {
    sentences[span.row]?.push(cut(span.start, span.end));
    const gap = cut(span.end, spans[index + 1]?.start ?? end);
    if (gap !== "") after[span.row]?.push(gap);
  }
  return { before: first === "" ? [] : [first], sentences, after };
}

/** A piece of a text; `isShared` when it is one of the words. */
type WordPiece = { readonly text: string; readonly isShared: boolean };

/** Splits a text at words that begin like one of these, as the matching compares them across languages; case and accents do not count. */
export function splitAtWords(text: string, words: readonly string[]): WordPiece[] {
  const known = new Set(words.map(beginningOf));
  return text
    .split(WORDS)
    .filter((piece) => piece !== "")
    .map((piece) => ({ text: piece, isShared: known.has(beginningOf(piece)) }));
}

/** In a group, so that `split` keeps the words. */
const WORDS = /([\p{L}\p{M}\p{N}]+)/u;

function beginningOf(word: string): string {
  return wordTerm(word.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase());
}
