import { codePointOffsets } from "../text/code-points.ts";
import { joinSpans, type Span, spansLength } from "../text/span.ts";
import { querySpans } from "./figures.ts";
import type { ReportFigures, ScoredSource, SourcePassage } from "./report.ts";

/** The unit of an offset or a length: Unicode code points, or UTF-16 units as in JavaScript. */
export type OffsetUnit = "code_point" | "utf16";

export type PassageInUnit = Omit<SourcePassage, "sourceChunk" | "sourceDocument"> & {
  readonly sourceChunk: Span;
  readonly sourceDocument: Span;
};

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

/** Converts UTF-16 offsets into the requested unit. */
export type UnitConversion = {
  readonly offset: (utf16: number) => number;
  readonly span: (utf16: Span) => Span;
};

export function unitConversion(text: string, unit: OffsetUnit): UnitConversion {
  const offset = unit === "utf16" ? (utf16: number) => utf16 : codePointOffsets(text).toCodePoint;
  return { offset, span: ({ start, end }) => ({ start: offset(start), end: offset(end) }) };
}

/** The report in the requested unit on both sides. Percentages are always shares of code points. */
export function reportInUnit(queryText: string, figures: ReportFigures, unit: OffsetUnit): ReportInUnit {
  const { offset, span } = unitConversion(queryText, unit);
  const uniquePassages = figures.uniquePassages.map(span);
  return {
    offsetUnit: unit,
    sources: figures.sources.map((source) => sourceInUnit(source, unit, span)),
    uniquePassages,
    totalMatchedChars: spansLength(uniquePassages),
    charCount: offset(queryText.length),
    overallSimilarityPct: figures.overallSimilarityPct,
  };
}

function sourceInUnit(source: ScoredSource, unit: OffsetUnit, span: UnitConversion["span"]): SourceInUnit {
  return {
    documentId: source.documentId,
    passages: source.passages.map((passage) => passageInUnit(passage, unit, span)),
    matchedChars: spansLength(joinSpans(querySpans(source)).map(span)),
    similarityPct: source.similarityPct,
  };
}

function passageInUnit(
  passage: SourcePassage,
  unit: OffsetUnit,
  span: UnitConversion["span"],
): PassageInUnit {
  const ofSource = unit === "utf16" ? "utf16" : "codePoint";
  return {
    query: span(passage.query),
    matchType: passage.matchType,
    sourceChunkIndex: passage.sourceChunkIndex,
    sourceChunk: passage.sourceChunk[ofSource],
    sourceDocument: passage.sourceDocument[ofSource],
    preview: passage.preview,
    ...(passage.evidence && { evidence: passage.evidence }),
  };
}
