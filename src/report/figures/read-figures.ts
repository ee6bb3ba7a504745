import { codePointLength, codePointOffsets } from "../../text/code-points.ts";
import type { IntegrityFlag } from "../../text/integrity.ts";
import type { Span } from "../../text/span.ts";
import { type Explanation, type ExplanationInUnit, explanationInUnit } from "./explanation.ts";
import { percent, scoredSources } from "./figures.ts";
import { type FilteredFigures, filterReport, type ReportFilters } from "./filters.ts";
import {
  flagsInUnit,
  type ReportInUnit,
  type ReportUnits,
  reportInUnit,
  unitConversion,
} from "./offset-unit.ts";
import type { FoundSource, MatchTypeSpans } from "./report.ts";

export type ReadFiguresInput = {
  readonly queryText: string;
  readonly language: string;
  /** The check's sources that are still in the corpus. */
  readonly sources: readonly FoundSource[];
  /** As the check found them; deleted sources are still in them. */
  readonly uniquePassages: readonly Span[];
  readonly totalMatchedChars: number;
  readonly byMatchType: MatchTypeSpans;
  /** Undefined for the unfiltered report. */
  readonly filters: ReportFilters | undefined;
  readonly units: ReportUnits;
  readonly flags: readonly IntegrityFlag[];
  readonly pageMargins: readonly Span[];
  /** The stored explanation, if it is requested. */
  readonly explanation: Explanation | undefined;
};

export type ReadFigures = {
  readonly report: ReportInUnit;
  readonly unfilteredSimilarityPct: number;
  readonly flags: readonly IntegrityFlag[];
  readonly pageMargins: readonly Span[];
  readonly explanation: ExplanationInUnit | undefined;
};

/** The figures of a stored report, filtered if requested, in one offset unit. */
export function readFigures(input: ReadFiguresInput): ReadFigures {
  const { queryText, language, sources, filters, units, explanation } = input;
  const charCount = codePointLength(queryText);
  const unfilteredSimilarityPct = percent(input.totalMatchedChars, charCount);
  const figures =
    filters === undefined
      ? asFound(input, charCount)
      : filterReport({ text: queryText, language }, sources, filters);
  const conversion = unitConversion(queryText, units.offsets);
  return {
    report: reportInUnit(queryText, figures, units),
    unfilteredSimilarityPct,
    flags: flagsInUnit(input.flags, conversion),
    pageMargins: input.pageMargins.map(conversion.span),
    explanation: explanation && explanationInUnit(explanation, figures.filteredOut, conversion),
  };
}

/** The figures of the sources that are left, with the totals as the check found them. */
function asFound(
  { queryText, sources, uniquePassages, totalMatchedChars, byMatchType }: ReadFiguresInput,
  charCount: number,
): FilteredFigures {
  return {
    sources: scoredSources(codePointOffsets(queryText), charCount, sources),
    uniquePassages,
    totalMatchedChars,
    countedChars: charCount,
    overallSimilarityPct: percent(totalMatchedChars, charCount),
    byMatchType,
    excluded: [],
    filteredOut: [],
  };
}
