import { codePointLength, codePointOffsets } from "../text/code-points.ts";
import type { Span } from "../text/span.ts";
import type { Explanation } from "./explanation.ts";
import { type ExplanationInUnit, explanationInUnit } from "./explanation.ts";
import { percent, reportFigures } from "./figures.ts";
import { filterReport, type ReportFilters } from "./filters.ts";
import { type OffsetUnit, type ReportInUnit, reportInUnit, unitConversion } from "./offset-unit.ts";
import type { MatchedSource } from "./report.ts";

export type ReadFiguresInput = {
  readonly queryText: string;
  readonly language: string;
  /** Those of the check's sources that still are in the corpus. */
  readonly sources: readonly MatchedSource[];
  /** As the check found them; they outlive deleted sources. */
  readonly uniquePassages: readonly Span[];
  readonly totalMatchedChars: number;
  /** Undefined for the report as it was written. */
  readonly filters: ReportFilters | undefined;
  readonly unit: OffsetUnit;
  readonly flags: readonly Span[];
  /** Given when the report is to explain itself; `recorded` is what was kept with it, if anything was. */
  readonly explain: { readonly recorded: Explanation | undefined } | undefined;
};

export type ReadFigures = {
  readonly report: ReportInUnit;
  readonly unfilteredSimilarityPct: number;
  /** The places of the integrity flags, in their order. */
  readonly flags: readonly Span[];
  /** Where it was asked for. */
  readonly explanation: ExplanationInUnit | undefined;
};

/** The figures of a stored report as they are shown: filtered where that was asked for, and in one offset unit. */
export function readFigures(input: ReadFiguresInput): ReadFigures {
  const { queryText, language, sources, filters, unit, explain } = input;
  const charCount = codePointLength(queryText);
  const unfilteredSimilarityPct = percent(input.totalMatchedChars, charCount);
  const figures =
    filters === undefined
      ? {
          ...reportFigures(codePointOffsets(queryText), charCount, sources),
          uniquePassages: input.uniquePassages,
          totalMatchedChars: input.totalMatchedChars,
          overallSimilarityPct: unfilteredSimilarityPct,
          filteredOut: [],
        }
      : filterReport({ text: queryText, language }, sources, filters);
  const { span } = unitConversion(queryText, unit);
  return {
    report: reportInUnit(queryText, figures, unit),
    unfilteredSimilarityPct,
    flags: input.flags.map(span),
    explanation: explain && explanationInUnit(explain.recorded, figures.filteredOut, unit, span),
  };
}
