import { type MatchedSource, runsOf } from "../../matching/words/source-passage.ts";
import type { CodePointOffsets } from "../../text/code-points.ts";
import { joinSpans, type Span, spanLength } from "../../text/span.ts";
import { byMatchType, type Claim, exclusiveSpans } from "./exclusive-spans.ts";
import type { FoundSource, ReportFigures, ScoredSource } from "./report.ts";

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
