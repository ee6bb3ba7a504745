import type { MatchType } from "../../matching/words/match-type.ts";
import type { PassageEvidence, SourcePassage, SourceRange } from "../../matching/words/source-passage.ts";
import { codePointOffsets } from "../../text/code-points.ts";
import type { OffsetUnit } from "../../text/excerpt.ts";
import type { IntegrityFlag } from "../../text/integrity.ts";
import { joinSpans, type Span, spansLength } from "../../text/span.ts";
import { byMatchType, MATCH_TYPES_CLOSEST_FIRST } from "./exclusive-spans.ts";
import { codePointsIn, percentages, querySpans } from "./figures.ts";
import type { FilteredFigures } from "./filters.ts";
import type { MatchTypeSpans, ReportFigures, ScoredSource } from "./report.ts";

export type SourceInUnit = Omit<ScoredSource, "passages" | "exclusive"> & {
  readonly passages: readonly SourcePassage<Span>[];
  readonly exclusiveMatchedChars: number;
};

/** How much of the text was reused in one way, and in no closer one; the shares of all kinds add up to the totals. */
type MatchTypeShare = { readonly matchedChars: number; readonly similarityPct: number };

/** A report with its offsets and its lengths in the requested units. `charCount` is the length of the whole query text. */
export type ReportInUnit = {
  readonly offsetUnit: OffsetUnit;
  readonly sources: readonly SourceInUnit[];
  readonly uniquePassages: readonly Span[];
  readonly totalMatchedChars: number;
  readonly charCount: number;
  /** The length of the text that percentages are shares of. */
  readonly comparedChars: number;
  readonly overallSimilarityPct: number;
  readonly byMatchType: Readonly<Record<MatchType, MatchTypeShare>>;
};

/** Converts UTF-16 offsets into the requested unit, and picks that unit from a source's range. */
export type UnitConversion = {
  readonly offset: (utf16: number) => number;
  readonly span: (utf16: Span) => Span;
  readonly source: (range: SourceRange) => Span;
};

export function unitConversion(text: string, unit: OffsetUnit): UnitConversion {
  const offset = unit === "utf16" ? (utf16: number) => utf16 : codePointOffsets(text).toCodePoint;
  return {
    offset,
    span: ({ start, end }) => ({ start: offset(start), end: offset(end) }),
    source: ({ utf16, codePoint }) => (unit === "utf16" ? utf16 : codePoint),
  };
}

/** The units of a report: of its offsets, on both sides, and of its lengths. */
export type ReportUnits = { readonly offsets: OffsetUnit; readonly lengths: OffsetUnit };

/** The report in the requested units. Percentages are always shares of code points. */
export function reportInUnit(
  queryText: string,
  figures: ReportFigures & Partial<Pick<FilteredFigures, "excluded">>,
  units: ReportUnits,
): ReportInUnit {
  const conversion = unitConversion(queryText, units.offsets);
  const inLengths = unitConversion(queryText, units.lengths);
  const lengthOf = (spans: readonly Span[]) => spansLength(spans.map(inLengths.span));
  const charCount = inLengths.offset(queryText.length);
  return {
    offsetUnit: units.offsets,
    sources: figures.sources.map(({ exclusive, ...source }) => ({
      ...source,
      passages: source.passages.map((passage) => passageInUnit(passage, conversion)),
      matchedChars: lengthOf(joinSpans(querySpans(source))),
      exclusiveMatchedChars: lengthOf(exclusive),
    })),
    uniquePassages: figures.uniquePassages.map(conversion.span),
    totalMatchedChars: lengthOf(figures.uniquePassages),
    charCount,
    comparedChars: charCount - lengthOf(figures.excluded ?? []),
    overallSimilarityPct: figures.overallSimilarityPct,
    byMatchType: matchTypeShares(queryText, figures.byMatchType, figures.countedChars, lengthOf),
  };
}

/** @param lengthOf the length of spans in the unit of the shares' `matchedChars` */
function matchTypeShares(
  queryText: string,
  spans: MatchTypeSpans,
  countedChars: number,
  lengthOf: (spans: readonly Span[]) => number,
): Record<MatchType, MatchTypeShare> {
  const offsets = codePointOffsets(queryText);
  const parts = MATCH_TYPES_CLOSEST_FIRST.map((type) => codePointsIn(offsets, spans[type]));
  const shares = percentages(parts, countedChars);
  return byMatchType((type) => ({
    matchedChars: lengthOf(spans[type]),
    similarityPct: shares[MATCH_TYPES_CLOSEST_FIRST.indexOf(type)] ?? 0,
  }));
}

function evidenceInUnit(
  { meaning, ...evidence }: PassageEvidence,
  { span, source }: Pick<UnitConversion, "span" | "source">,
): PassageEvidence<Span> {
  if (meaning === undefined) return evidence;
  const pairs = meaning.pairs.map((pair) => ({
    ...pair,
    query: span(pair.query),
    source: source(pair.source),
  }));
  return { ...evidence, meaning: { ...meaning, pairs } };
}

export function flagsInUnit(
  flags: readonly IntegrityFlag[],
  { span }: Pick<UnitConversion, "span">,
): IntegrityFlag[] {
  return flags.map(({ kind, start, end, ...rest }) => ({ kind, ...span({ start, end }), ...rest }));
}

export function passageInUnit(
  { evidence, runs, ...passage }: SourcePassage,
  { span, source }: Pick<UnitConversion, "span" | "source">,
): SourcePassage<Span> {
  return {
    ...passage,
    ...(runs && {
      runs: runs.map((run) => ({
        ...run,
        query: span(run.query),
        sourceDocument: source(run.sourceDocument),
      })),
    }),
    query: span(passage.query),
    sourceChunk: source(passage.sourceChunk),
    sourceDocument: source(passage.sourceDocument),
    ...(evidence && { evidence: evidenceInUnit(evidence, { span, source }) }),
  };
}
