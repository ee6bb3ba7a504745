import {
  type MatchedSource,
  runsOf,
  type SourcePassage,
  withQuery,
} from "../../matching/words/source-passage.ts";
import { type CodePointOffsets, codePointLength, codePointOffsets } from "../../text/code-points.ts";
import { joinSpans, type Span, spanLength } from "../../text/span.ts";
import { RUN_LENGTH_MAX, WORD_CHARACTER } from "../../text/word-characters.ts";
import { byMatchType, type Claim, exclusiveSpans } from "./exclusive-spans.ts";
import type { FoundSource, ReportFigures, ScoredSource } from "./report.ts";

/**
 * The report on a query text. White space and punctuation between two neighbouring passages of one source, and at the text's
 * ends beside one, become part of the passage before (at the start, after). The source side stays as it was aligned.
 */
export function computeFigures({
  queryText,
  sources,
}: {
  queryText: string;
  sources: readonly MatchedSource[];
}): ReportFigures {
  const boundaries = wordBoundaries(queryText);
  const widened = sources.map((source) => ({
    documentId: source.documentId,
    passages: widenedPassages(source.passages, boundaries, queryText.length),
  }));
  return reportFigures(codePointOffsets(queryText), codePointLength(queryText), widened);
}

function widenedPassages(
  passages: readonly SourcePassage[],
  boundaries: WordBoundaries,
  textLength: number,
): SourcePassage[] {
  const widened: SourcePassage[] = [];
  // The passage that reaches furthest so far: overlapping passages need not end in the order in which they start.
  let furthest = -1;
  let reached = 0;
  const moveFurthestEnd = (end: number): void => {
    const passage = widened[furthest];
    if (passage !== undefined) widened[furthest] = withQuery(passage, { ...passage.query, end });
  };

  for (const passage of passages.toSorted((a, b) => a.query.start - b.query.start)) {
    const { start, end } = passage.query;
    const gapIsEmptyOfWords = start > reached && boundaries.nextWord(reached) >= start;
    if (gapIsEmptyOfWords) moveFurthestEnd(start);
    const isFirst = widened.length === 0;
    widened.push(isFirst && gapIsEmptyOfWords ? withQuery(passage, { start: 0, end }) : passage);
    if (isFirst || end > reached) {
      furthest = widened.length - 1;
      reached = end;
    }
  }
  if (boundaries.nextWord(reached) >= textLength) moveFurthestEnd(textLength);
  return widened;
}

// A mark belongs to the letter before it; one that follows none, such as the selector after an emoji, is part of no word.
const WORDS = new RegExp(String.raw`(?!\p{M})${WORD_CHARACTER}${WORD_CHARACTER}{0,${RUN_LENGTH_MAX}}`, "gv");

/** Finds word borders around an offset in constant time. Offsets are UTF-16. */
export type WordBoundaries = {
  /** The start of the first letter, digit or mark at or after `offset`; the text's length when none follows. */
  readonly nextWord: (offset: number) => number;
  /** The end of the last letter, digit or mark before `offset`; 0 when none precedes. */
  readonly previousWordEnd: (offset: number) => number;
};

/** The tokeniser finds the words; the rest is white space and punctuation. Linear time; 8 bytes per UTF-16 unit. */
export function wordBoundaries(text: string): WordBoundaries {
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

/** All figures of the sources with passages; percentages are shares of `countedChars`, which holds all passages. */
export function reportFigures(
  offsets: CodePointOffsets,
  countedChars: number,
  sources: readonly MatchedSource[],
): ReportFigures {
  const matched = sources.filter((source) => source.passages.length > 0);
  const uniquePassages = joinSpans(matched.flatMap(querySpans));
  const totalMatchedChars = codePointsIn(offsets, uniquePassages);
  const exclusive = [...exclusiveSpans(claimsOf(matched))];
  const bySource = Map.groupBy(exclusive, ([{ documentId }]) => documentId);
  const byType = Map.groupBy(exclusive, ([{ matchType }]) => matchType);
  return {
    sources: scoredSources(
      offsets,
      countedChars,
      matched.map((source) => ({ ...source, exclusive: joined(bySource.get(source.documentId)) })),
    ),
    uniquePassages,
    totalMatchedChars,
    countedChars,
    overallSimilarityPct: percent(totalMatchedChars, countedChars),
    byMatchType: byMatchType((type) => joined(byType.get(type))),
  };
}

function claimsOf(sources: readonly MatchedSource[]): Claim[] {
  return sources.flatMap(({ documentId, passages }) =>
    passages.flatMap((passage) =>
      runsOf(passage).map(({ query, matchType }) => ({
        query,
        matchType,
        documentId,
        passageLength: spanLength(passage.query),
      })),
    ),
  );
}

/** The spans of some runs, ascending. */
function joined(exclusive: readonly (readonly [Claim, readonly Span[]])[] = []): Span[] {
  return joinSpans(exclusive.flatMap(([, spans]) => spans));
}

/**
 * Percentages of parts of a whole, in their order. Rounded alone, they need not add up to the rounded sum; so each is rounded down,
 * and the difference is given to the parts with the largest remainders.
 */
export function percentages(parts: readonly number[], whole: number): number[] {
  const exact = parts.map((part) => (HUNDREDTHS * part) / Math.max(1, whole));
  const floors = exact.map(Math.floor);
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const missing = Math.round(percent(sum(parts), whole) * 100) - sum(floors);
  const lost = (at: number) => (exact[at] ?? 0) - (floors[at] ?? 0);
  const lostMost = [...parts.keys()].toSorted((a, b) => lost(b) - lost(a) || a - b);
  const raised = new Set(lostMost.slice(0, missing));
  return floors.map((floor, at) => (floor + Number(raised.has(at))) / 100);
}

/** The number of code points in spans that don't overlap. */
export function codePointsIn(offsets: CodePointOffsets, spans: readonly Span[]): number {
  const { toCodePoint } = offsets;
  return spans.reduce((length, { start, end }) => length + toCodePoint(end) - toCodePoint(start), 0);
}

export function querySpans(source: MatchedSource): Span[] {
  return source.passages.map((passage) => passage.query);
}

/** Sources with their shares, and their passages, in the order of `ReportFigures`. */
export function scoredSources(
  offsets: CodePointOffsets,
  countedChars: number,
  sources: readonly FoundSource[],
): ScoredSource[] {
  const scored = sources.map(({ documentId, passages, exclusive }) => {
    const matchedChars = codePointsIn(offsets, joinSpans(passages.map(({ query }) => query)));
    return {
      documentId,
      passages: passages.toSorted((a, b) => a.query.start - b.query.start || a.query.end - b.query.end),
      matchedChars,
      similarityPct: percent(matchedChars, countedChars),
      exclusive,
    };
  });
  return scored.sort(byMatchedChars);
}

/** Equal counts are ordered by identifier in code units, which is the same for every locale. */
function byMatchedChars(a: ScoredSource, b: ScoredSource): number {
  return b.matchedChars - a.matchedChars || (a.documentId < b.documentId ? -1 : 1);
}

const HUNDREDTHS = 10_000;

/** `part` of `whole` in percent, rounded half up to two decimals; an empty whole is 0%. Exact for integers below 4 × 10^11. */
export function percent(part: number, whole: number): number {
  if (whole === 0) return 0;
  // Half up in integers: floor(part × 10,000 / whole + 1/2) is floor((2 × part × 10,000 + whole) / (2 × whole)).
  const dividend = 2 * part * HUNDREDTHS + whole;
  const divisor = 2 * whole;
  return (dividend - (dividend % divisor)) / divisor / 100;
}
