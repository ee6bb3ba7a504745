import type { DroppedMatch } from "../../matching/words/dropped-matches.ts";
import { codePointLength, codePointOffsets } from "../../text/code-points.ts";
import type { IntegrityFlag } from "../../text/integrity.ts";
import { joinSpans, overlappingSpans, type Span, spansLength, subtractSpans } from "../../text/span.ts";
import type { CandidateExplanation, Explanation } from "./explanation.ts";
import { codePointsIn, percent, percentages, scoredSources } from "./figures.ts";
import { type FilteredFigures, type FilteredOut, filterReport, type ReportFilters } from "./filters.ts";
import {
  type Acknowledgement,
  byMatchGroup,
  type GroupOf,
  groupsOfParts,
  MATCH_GROUPS,
  type MatchGroup,
  matchGroups,
  type NamedSource,
} from "./match-groups.ts";
import {
  flagsInUnit,
  type ReportInUnit,
  type ReportUnits,
  reportInUnit,
  type UnitConversion,
  unitConversion,
} from "./offset-unit.ts";
import type { FoundSource, MatchTypeSpans } from "./report.ts";
import { type StandingExclusions, standingText } from "./standing-exclusions.ts";

export type ReadFiguresInput = {
  readonly queryText: string;
  readonly language: string;
  /** The check's sources that are still in the corpus. */
  readonly sources: readonly (FoundSource & NamedSource)[];
  /** As the check found them; deleted sources are still in them. */
  readonly uniquePassages: readonly Span[];
  readonly totalMatchedChars: number;
  readonly byMatchType: MatchTypeSpans;
  /** Undefined for the unfiltered report. */
  readonly filters: ReportFilters | undefined;
  /** What an operator leaves out of all reports; undefined where nothing is, or it is switched off. */
  readonly standing: Pick<StandingExclusions, "sources" | "phrases" | "sections"> | undefined;
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
  /** The passages and parts of passages that standing exclusions took away. */
  readonly leftOut: { readonly passages: number; readonly chars: number } | undefined;
  /** Of each passage of each source of `report`, in the same order and unit. */
  readonly acknowledgements: readonly (readonly Acknowledgement[])[];
  readonly byMatchGroup: Readonly<Record<MatchGroup, MatchGroupShare>>;
};

/** The passages of a group, and the text that is in no better acknowledged one; the texts of all groups add up to that of all sources. */
type MatchGroupShare = {
  readonly passages: number;
  readonly matchedChars: number;
  readonly similarityPct: number;
};

/** The figures of a stored report, filtered if requested, in one offset unit. */
export function readFigures(input: ReadFiguresInput): ReadFigures {
  const { queryText, language, sources, filters, units, explanation } = input;
  const charCount = codePointLength(queryText);
  const unfilteredSimilarityPct = percent(input.totalMatchedChars, charCount);
  const groupOf = groupsOfParts(sources, matchGroups(queryText, language, sources));
  const standing = input.standing && {
    sources: input.standing.sources,
    text: standingText(queryText, input.standing),
  };
  const figures =
    filters === undefined && standing === undefined
      ? asFound(input, charCount)
      : filterReport({ text: queryText, language, groupOf }, sources, { ...filters, standing });
  const leftOut = figures.filteredOut.filter(({ filter }) => filter === "standing");
  const conversion = unitConversion(queryText, units.offsets);
  return {
    report: reportInUnit(queryText, figures, units),
    unfilteredSimilarityPct,
    flags: flagsInUnit(input.flags, conversion),
    pageMargins: input.pageMargins.map(conversion.span),
    explanation: explanation && explanationInUnit(explanation, figures.filteredOut, conversion),
    leftOut: standing && {
      passages: leftOut.length,
      chars: spansLength(
        joinSpans(leftOut.map(({ query }) => query)).map(unitConversion(queryText, units.lengths).span),
      ),
    },
    acknowledgements: figures.sources.map(({ documentId, passages }) =>
      passages.map((passage) => {
        const { quotations, citations, ...reading } = groupOf(documentId, passage);
        return {
          ...reading,
          quotations: quotations.map(conversion.span),
          citations: citations.map(conversion.span),
        };
      }),
    ),
    byMatchGroup: matchGroupShares(queryText, figures, groupOf, units),
  };
}

function matchGroupShares(
  queryText: string,
  { sources, countedChars }: FilteredFigures,
  groupOf: GroupOf,
  { lengths }: ReportUnits,
): Record<MatchGroup, MatchGroupShare> {
  const placed = sources.flatMap(({ documentId, passages }) =>
    passages.map((passage) => ({ span: passage.query, group: groupOf(documentId, passage).group })),
  );
  const byGroup = Map.groupBy(placed, ({ group }) => group);
  let covered: readonly Span[] = [];
  const shares = MATCH_GROUPS.map((group) => {
    const own = (byGroup.get(group) ?? []).map(({ span }) => span);
    const rest = joinSpans(own).flatMap((span) => subtractSpans(span, overlappingSpans(span, covered)));
    covered = joinSpans([...covered, ...own]);
    return { passages: own.length, rest };
  });
  const offsets = codePointOffsets(queryText);
  const lengthIn = unitConversion(queryText, lengths);
  const pcts = percentages(
    shares.map(({ rest }) => codePointsIn(offsets, rest)),
    countedChars,
  );
  const shareOf = (group: MatchGroup): MatchGroupShare => {
    const at = MATCH_GROUPS.indexOf(group);
    const { passages = 0, rest = [] } = shares[at] ?? {};
    return { passages, matchedChars: spansLength(rest.map(lengthIn.span)), similarityPct: pcts[at] ?? 0 };
  };
  return byMatchGroup(shareOf);
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

export type DroppedMatchInUnit = DroppedMatch<Span>;

export type CandidateInUnit = CandidateExplanation<Span>;

export type ExplanationInUnit = {
  /** The explanation stored by the check. */
  readonly recorded: Explanation<Span>;
  /** The passages that the filters of this request leave out. */
  readonly filteredOut: readonly FilteredOut[];
};

function explanationInUnit(
  recorded: Explanation,
  filteredOut: readonly FilteredOut[],
  conversion: UnitConversion,
): ExplanationInUnit {
  const inUnit = (candidate: CandidateExplanation) => candidateInUnit(candidate, conversion);
  return {
    recorded: {
      reported: recorded.reported.map(inUnit),
      unreported: recorded.unreported.map(inUnit),
      candidateCount: recorded.candidateCount,
    },
    filteredOut: filteredOut.map((part) => ({ ...part, query: conversion.span(part.query) })),
  };
}

function candidateInUnit(candidate: CandidateExplanation, { span, source }: UnitConversion): CandidateInUnit {
  const { matches, counts } = candidate.dropped;
  const inUnit = (match: DroppedMatch): DroppedMatchInUnit => ({
    ...match,
    query: span(match.query),
    sourceDocument: source(match.sourceDocument),
  });
  return { ...candidate, dropped: { matches: matches.map(inUnit), counts } };
}
