import type {
  MatchedSource,
  MeaningEvidence,
  SourcePassage,
  SourceRun,
} from "../../matching/words/source-passage.ts";
import { type CodePointOffsets, codePointOffsets } from "../../text/code-points.ts";
import {
  joinSpans,
  overlapLength,
  overlappingSpans,
  type Span,
  spanLength,
  spansLength,
} from "../../text/span.ts";
import { codePointsIn } from "./figures.ts";

/** A passage of two members of a batch. A marked one lies mostly in quotation marks, or in text that many members share. */
export type PairPassage = SourcePassage & { readonly isQuoted: boolean; readonly isCommon: boolean };

/** Which marked passages do not count. */
export type PairFilters = { readonly excludeQuotes: boolean; readonly excludeCommon: boolean };

/** Both sides of a pair: `a` is the source of the alignment, `b` its query. */
export type PairFigures = {
  readonly passages: readonly PairPassage[];
  /** Code points of all passages on either side, and of those that each choice of filters keeps: see `MATCHED_BY`. */
  readonly aMatched: readonly number[];
  readonly bMatched: readonly number[];
  /** The passages that each choice of filters keeps, and the code points of the longest of them in `b`. */
  readonly passageCounts: readonly number[];
  readonly longestPassages: readonly number[];
};

/** Text of fewer members is never common: in a class of 30, a ring of six is a fifth of the class. */
const COMMON_MEMBERS_MIN = 10;

/**
 * Text of more members than this is not searched for: it is shown as common, and the pairs that it alone would make are not. So the
 * number of pairs grows with the number of members and not with its square.
 */
export const SEARCHED_MEMBERS_MAX = 100;

/** From how many members on text counts as common. @param share of all members, from 0 to 1 */
export function commonFrom(share: number, members: number): number {
  return Math.min(SEARCHED_MEMBERS_MAX + 1, Math.max(COMMON_MEMBERS_MIN, Math.ceil(share * members)));
}

/** The order of the figures of a pair. */
export const MATCHED_BY: readonly PairFilters[] = [
  { excludeQuotes: false, excludeCommon: false },
  { excludeQuotes: true, excludeCommon: false },
  { excludeQuotes: false, excludeCommon: true },
  { excludeQuotes: true, excludeCommon: true },
];

/** A passage counts as quoted or common from this part of its length on. */
const MARKED_SHARE_MIN = 0.5;

export type PairInput = {
  readonly queryText: string;
  readonly queryQuotations: readonly Span[];
  readonly queryCommon: readonly Span[];
  readonly sources: readonly (MatchedSource & { readonly quotations: readonly Span[] })[];
};

/** The figures of a member with each of the members that it has passages in common with. */
export function pairFigures({ queryText, queryQuotations, queryCommon, sources }: PairInput): PairFigures[] {
  const offsets = codePointOffsets(queryText);
  return sources.map(({ passages, quotations }) => {
    const marked = passages
      .map((passage) => ({
        ...passage,
        isQuoted:
          isWithin(passage.query, queryQuotations) || isWithin(passage.sourceDocument.utf16, quotations),
        isCommon: isWithin(passage.query, queryCommon),
      }))
      .toSorted((x, y) => x.query.start - y.query.start);
    const counted = MATCHED_BY.map((filters) => marked.filter((passage) => isCounted(passage, filters)));
    return {
      passages: marked,
      aMatched: counted.map((kept) =>
        spansLength(joinSpans(kept.map((one) => one.sourceDocument.codePoint))),
      ),
      bMatched: counted.map((kept) => codePointsIn(offsets, joinSpans(kept.map(({ query }) => query)))),
      passageCounts: counted.map((kept) => kept.length),
      longestPassages: counted.map((kept) =>
        Math.max(0, ...kept.map(({ query }) => lengthOf(offsets, query))),
      ),
    };
  });
}

/** Whether a passage counts under these filters. */
export function isCounted(
  { isQuoted, isCommon }: Pick<PairPassage, "isQuoted" | "isCommon">,
  { excludeQuotes, excludeCommon }: PairFilters,
): boolean {
  return !(excludeQuotes && isQuoted) && !(excludeCommon && isCommon);
}

function isWithin(span: Span, marked: readonly Span[]): boolean {
  const overlaps = overlappingSpans(span, marked).map((one) => overlapLength(span, one));
  return overlaps.reduce((sum, length) => sum + length, 0) >= MARKED_SHARE_MIN * spanLength(span);
}

function lengthOf({ toCodePoint }: CodePointOffsets, { start, end }: Span): number {
  return toCodePoint(end) - toCodePoint(start);
}

/** A passage with the two sides exchanged: the source's text becomes the query. */
export function seenFromSource(passage: SourcePassage, { toCodePoint }: CodePointOffsets): SourcePassage {
  const inQuery = (query: Span) => ({
    utf16: query,
    codePoint: { start: toCodePoint(query.start), end: toCodePoint(query.end) },
  });
  const { runs, evidence, ...rest } = passage;
  const swap = ({ query, sourceDocument, ...more }: SourceRun): SourceRun => ({
    ...more,
    query: sourceDocument.utf16,
    sourceDocument: inQuery(query),
  });
  // The other text has `ownNames`, so they are left out.
  const seenMeaning = ({ pairs, languages, sharedWords }: MeaningEvidence): MeaningEvidence => ({
    sharedWords,
    pairs: pairs.map(({ query, source, margin }) => ({
      ...{ query: source.utf16, source: inQuery(query), margin },
    })),
    languages: { query: languages.source, source: languages.query },
  });
  return {
    ...rest,
    query: passage.sourceDocument.utf16,
    sourceDocument: inQuery(passage.query),
    ...(runs && { runs: runs.map(swap).toSorted((x, y) => x.query.start - y.query.start) }),
    ...(evidence && {
      evidence: {
        ...evidence,
        ...(evidence.meaning && { meaning: seenMeaning(evidence.meaning) }),
      },
    }),
  };
}
