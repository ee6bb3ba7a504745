import { codePointOffsets } from "../text/code-points.ts";
import { joinSpans, type Span, spansLength } from "../text/span.ts";
import { querySpans } from "./figures.ts";
import type { PassageEvidence, ReportFigures, ScoredSource, SourcePassage, SourceRange } from "./report.ts";

/** The unit of an offset or a length: Unicode code points, or UTF-16 units as in JavaScript. */
export type OffsetUnit = "code_point" | "utf16";

export type PassageInUnit = SourcePassage<Span>;

export type SourceInUnit = Omit<ScoredSource, "passages"> & { readonly passages: readonly PassageInUnit[] };

/** A report with every offset and length in one unit. `charCount` is the length of the whole query text. */
export type ReportInUnit = {
  readonly offsetUnit: OffsetUnit;
  readonly sources: readonly SourceInUnit[];
  readonly uniquePassages: readonly Span[];
  readonly totalMatchedChars: number;
  readonly charCount: number;
  readonly overallSimilarityPct: number;
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
export function reportInUnit(queryText: string, figures: ReportFigures, unit: OffsetUnit): ReportInUnit {
  const conversion = unitConversion(queryText, unit);
  const uniquePassages = figures.uniquePassages.map(conversion.span);
  return {
    offsetUnit: unit,
    sources: figures.sources.map((source) => sourceInUnit(source, conversion)),
    uniquePassages,
    totalMatchedChars: spansLength(uniquePassages),
    charCount: conversion.offset(queryText.length),
    overallSimilarityPct: figures.overallSimilarityPct,
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

function sourceInUnit(source: ScoredSource, { span, source: ofSource }: UnitConversion): SourceInUnit {
  return {
    ...source,
    passages: source.passages.map(({ evidence, ...passage }) => ({
      ...passage,
      query: span(passage.query),
      sourceChunk: ofSource(passage.sourceChunk),
      sourceDocument: ofSource(passage.sourceDocument),
      ...(evidence && { evidence: evidenceInUnit(evidence, { span, source: ofSource }) }),
    })),
    matchedChars: spansLength(joinSpans(querySpans(source)).map(span)),
  };
}
