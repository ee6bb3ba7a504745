import type { CodePointOffsets } from "../text/code-points.ts";
import { joinSpans, type Span } from "../text/span.ts";
import type { MatchedSource, ReportFigures, ScoredSource } from "./report.ts";

/** All figures of the sources with passages; percentages are shares of `countedChars`, which holds all passages. */
export function reportFigures(
  offsets: CodePointOffsets,
  countedChars: number,
  sources: readonly MatchedSource[],
): ReportFigures {
  const matched = sources.filter((source) => source.passages.length > 0);
  const uniquePassages = joinSpans(matched.flatMap(querySpans));
  const totalMatchedChars = codePointsIn(offsets, uniquePassages);
  return {
    sources: matched.map((source) => scored(offsets, countedChars, source)).sort(byMatchedChars),
    uniquePassages,
    totalMatchedChars,
    countedChars,
    overallSimilarityPct: percent(totalMatchedChars, countedChars),
  };
}

/** The number of code points in spans that don't overlap. */
export function codePointsIn(offsets: CodePointOffsets, spans: readonly Span[]): number {
  const { toCodePoint } = offsets;
  return spans.reduce((length, { start, end }) => length + toCodePoint(end) - toCodePoint(start), 0);
}

export function querySpans(source: MatchedSource): Span[] {
  return source.passages.map((passage) => passage.query);
}

function scored(offsets: CodePointOffsets, countedChars: number, source: MatchedSource): ScoredSource {
  const matchedChars = codePointsIn(offsets, joinSpans(querySpans(source)));
  return {
    documentId: source.documentId,
    passages: source.passages.toSorted((a, b) => a.query.start - b.query.start || a.query.end - b.query.end),
    matchedChars,
    similarityPct: percent(matchedChars, countedChars),
  };
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
