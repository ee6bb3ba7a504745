import type { Span } from "../../text/span.ts";
import type { FilteredOut } from "../filters.ts";
import type { OffsetUnit, UnitConversion } from "../offset-unit.ts";
import type { CandidateExplanation, DroppedMatch, Explanation } from "./explanation.ts";

export type DroppedMatchInUnit = Omit<DroppedMatch, "sourceDocument"> & { readonly sourceDocument: Span };

export type CandidateInUnit = Omit<CandidateExplanation, "dropped"> & {
  readonly dropped: {
    readonly matches: readonly DroppedMatchInUnit[];
    readonly counts: CandidateExplanation["dropped"]["counts"];
  };
};

/** An explanation with every offset in one unit. */
export type ExplanationInUnit = {
  /** What was kept when the check ran; undefined for checks of releases that kept nothing. */
  readonly recorded:
    | {
        readonly reported: readonly CandidateInUnit[];
        readonly unreported: readonly CandidateInUnit[];
        readonly candidateCount: number;
      }
    | undefined;
  /** What the filters of this reading leave out. */
  readonly filteredOut: readonly FilteredOut[];
};

/** @param span converts the UTF-16 offsets of the query text. */
export function explanationInUnit(
  recorded: Explanation | undefined,
  filteredOut: readonly FilteredOut[],
  unit: OffsetUnit,
  span: UnitConversion["span"],
): ExplanationInUnit {
  const inUnit = (candidate: CandidateExplanation) => candidateInUnit(candidate, unit, span);
  return {
    recorded: recorded && {
      reported: recorded.reported.map(inUnit),
      unreported: recorded.unreported.map(inUnit),
      candidateCount: recorded.candidateCount,
    },
    filteredOut: filteredOut.map((part) => ({ ...part, query: span(part.query) })),
  };
}

function candidateInUnit(
  candidate: CandidateExplanation,
  unit: OffsetUnit,
  span: UnitConversion["span"],
): CandidateInUnit {
  const { matches, counts } = candidate.dropped;
  const inUnit = (match: DroppedMatch): DroppedMatchInUnit => ({
    ...match,
    query: span(match.query),
    sourceDocument: unit === "utf16" ? match.sourceDocument.utf16 : match.sourceDocument.codePoint,
  });
  return { ...candidate, dropped: { matches: matches.map(inUnit), counts } };
}
