import { codePointLength, codePointOffsets } from "../../text/code-points.ts";
import type { Span } from "../../text/span.ts";
import { type Explanation, type ExplanationInUnit, explanationInUnit } from "./explanation.ts";
import { percent, reportFigures } from "./figures.ts";
import { type FilteredFigures, filterReport, type ReportFilters } from "./filters.ts";
import { type ReportInUnit, type ReportUnits, reportInUnit, unitConversion } from "./offset-unit.ts";
import type { FoundSource, MatchTypeSpans, ReportFigures } from "./report.ts";

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
  readonly flags: readonly Span[];
  readonly pageMargins: readonly Span[];
  /** The stored explanation, if it is requested. */
  readonly explanation: Explanation | undefined;
};

export type ReadFigures = {
  readonly report: ReportInUnit;
  readonly unfilteredSimilarityPct: number;
  /** The places of the integrity flags, in their order. */
  readonly flags: readonly Span[];
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
      ? asFound(input, reportFigures(codePointOffsets(queryText), charCount, sources))
      : filterReport({ text: queryText, language }, sources, filters);
  const conversion = unitConversion(queryText, units.offsets);
  return {
    report: reportInUnit(queryText, figures, units),
    unfilteredSimilarityPct,
    flags: input.flags.map(conversion.span),
    pageMargins: input.pageMargins.map(conversion.span),
    explanation: explanation && explanationInUnit(explanation, figures.filteredOut, conversion),
  };
}

/** The figures of the sources that are left, with the totals as the check found them. */
function asFound(input: ReadFiguresInput, figures: ReportFigures): FilteredFigures {
  const { uniquePassages, totalMatchedChars } = input;
  const stored = new Map(input.sources.map(({ documentId, exclusive }) => [documentId, exclusive]));
  return {
    ...figures,
    sources: figures.sources.map((source) => ({
      ...source,
      exclusive: stored.get(source.documentId) ?? source.exclusive,
    })),
    uniquePassages,
    totalMatchedChars,
    overallSimilarityPct: percent(totalMatchedChars, figures.countedChars),
    byMatchType: input.byMatchType,
    excluded: [],
    filteredOut: [],
  };
}
