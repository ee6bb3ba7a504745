import type { MatchType } from "../alignment/match-type.ts";
import { type CodePointOffsets, codePointOffsets } from "../text/code-points.ts";
import { joinSpans, type Span, spansLength } from "../text/span.ts";
import { codePointsIn, MATCH_TYPES_CLOSEST_FIRST, percentages, querySpans } from "./figures.ts";
import type { FilteredFigures } from "./filters.ts";
import type {
  MatchTypeSpans,
  PassageEvidence,
  ReportFigures,
  ScoredSource,
  SourcePassage,
  SourceRange,
} from "./report.ts";

/** The unit of an offset or a length: Unicode code points, or UTF-16 units as in JavaScript. */
export type OffsetUnit = "code_point" | "utf16";

export type PassageInUnit = SourcePassage<Span>;

export type SourceInUnit = Omit<ScoredSource, "passages" | "exclusive"> & {
  readonly passages: readonly PassageInUnit[];
  readonly exclusiveMatchedChars: number;
  /** Those of all sources add up to the rounded share of all of them. */
  readonly exclusiveSimilarityPct: number;
};

/** How much of the text was reused in one way, and in no closer one; the shares of all kinds add up to the totals. */
export type MatchTypeShare = { readonly matchedChars: number; readonly similarityPct: number };

/** A report with every offset and length in one unit. `charCount` is the length of the whole query text. */
export type ReportInUnit = {
  readonly offsetUnit: OffsetUnit;
  readonly sources: readonly SourceInUnit[];
  readonly uniquePassages: readonly Span[];
  readonly totalMatchedChars: number;
  readonly charCount: number;
  /** The length of the text that percentages are shares of. */
  readonly comparedChars: number;
  readonly overallSimilarityPct: number;
  readonly byMatchType: Readonly<Record<MatchType, MatchTypeShare>> | undefined;
};

/** Converts UTF-16 offsets into the requested unit, and takes those of a source. */
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

/** The report in the requested unit on both sides. Percentages are always shares of code points. */
export function reportInUnit(
  queryText: string,
  figures: ReportFigures & Partial<Pick<FilteredFigures, "excluded">>,
  unit: OffsetUnit,
): ReportInUnit {
  const conversion = unitConversion(queryText, unit);
  const uniquePassages = figures.uniquePassages.map(conversion.span);
  const charCount = conversion.offset(queryText.length);
  const offsets = codePointOffsets(queryText);
  const exclusiveShares = percentages(
    figures.sources.map(({ exclusive }) => codePointsIn(offsets, exclusive)),
    figures.countedChars,
  );
  return {
    offsetUnit: unit,
    sources: figures.sources.map((source, at) => ({
      ...sourceInUnit(source, conversion),
      exclusiveSimilarityPct: exclusiveShares[at] ?? 0,
    })),
    uniquePassages,
    totalMatchedChars: spansLength(uniquePassages),
    charCount,
    comparedChars: charCount - spansLength((figures.excluded ?? []).map(conversion.span)),
    overallSimilarityPct: figures.overallSimilarityPct,
    byMatchType:
      figures.byMatchType && matchTypeShares(offsets, figures.byMatchType, figures.countedChars, conversion),
  };
}

function matchTypeShares(
  offsets: CodePointOffsets,
  spans: MatchTypeSpans,
  countedChars: number,
  { span }: UnitConversion,
): Record<MatchType, MatchTypeShare> {
  const parts = MATCH_TYPES_CLOSEST_FIRST.map((type) => codePointsIn(offsets, spans[type]));
  const shares = percentages(parts, countedChars);
  const shareOf = (type: MatchType): MatchTypeShare => ({
    matchedChars: spansLength(spans[type].map(span)),
    similarityPct: shares[MATCH_TYPES_CLOSEST_FIRST.indexOf(type)] ?? 0,
  });
  return {
    identical: shareOf("identical"),
    minor_changes: shareOf("minor_changes"),
    paraphrased: shareOf("paraphrased"),
    translated: shareOf("translated"),
  };
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

function sourceInUnit(
  { exclusive, ...source }: ScoredSource,
  { span, source: ofSource }: UnitConversion,
): Omit<SourceInUnit, "exclusiveSimilarityPct"> {
  return {
    ...source,
    exclusiveMatchedChars: spansLength(exclusive.map(span)),
    passages: source.passages.map(({ evidence, runs, ...passage }) => ({
      ...passage,
      ...(runs && {
        runs: runs.map((run) => ({
          ...run,
          query: span(run.query),
          sourceDocument: ofSource(run.sourceDocument),
        })),
      }),
      query: span(passage.query),
      sourceChunk: ofSource(passage.sourceChunk),
      sourceDocument: ofSource(passage.sourceDocument),
      ...(evidence && { evidence: evidenceInUnit(evidence, { span, source: ofSource }) }),
    })),
    matchedChars: spansLength(joinSpans(querySpans(source)).map(span)),
  };
}
