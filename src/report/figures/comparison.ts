import type { MatchType } from "../../matching/words/match-type.ts";
import { runsOf, type SourcePassage } from "../../matching/words/source-passage.ts";
import { type CodePointOffsets, codePointOffsets } from "../../text/code-points.ts";
import { type Span, spansLength } from "../../text/span.ts";
import {
  type MatchTypeShare,
  matchTypeShares,
  passageInUnit,
  type ReportUnits,
  unitConversion,
} from "./offset-unit.ts";
import type { ReportFigures } from "./report.ts";
import { widenedFigures } from "./widened-figures.ts";

/** A text of a comparison with the places in it that are shown, in UTF-16 units. */
export type MarkedText = {
  readonly text: string;
  readonly flags: readonly Span[];
  readonly pageMargins: readonly Span[];
};

export type ComparisonInput = {
  readonly query: MarkedText;
  readonly source: MarkedText;
  /** Of the query in the source. */
  readonly passages: readonly SourcePassage[];
  readonly units: ReportUnits;
};

/** How much of one text the other contains, in the requested units. */
export type SideFigures = {
  readonly charCount: number;
  readonly totalMatchedChars: number;
  readonly overallSimilarityPct: number;
  readonly byMatchType: Readonly<Record<MatchType, MatchTypeShare>>;
  readonly uniquePassages: readonly Span[];
  readonly flags: readonly Span[];
  readonly pageMargins: readonly Span[];
};

export type ComparisonFigures = {
  /** Ascending by their place in the query, and as a report of the query with this source has them. */
  readonly passages: readonly SourcePassage<Span>[];
  readonly query: SideFigures;
  readonly source: SideFigures;
};

const SOURCE = "source";
const QUERY = "query";

/** The figures of a comparison. On the source's side, each character counts once, with the closest kind of reuse that it has. */
export function comparisonFigures({ query, source, passages, units }: ComparisonInput): ComparisonFigures {
  const ofQuery = widenedFigures(query.text, [{ documentId: SOURCE, passages }]);
  const offsets = codePointOffsets(query.text);
  const mirrored = passages.flatMap((passage) => mirroredRuns(passage, offsets));
  const ofSource = widenedFigures(source.text, [{ documentId: QUERY, passages: mirrored }]);
  const conversion = unitConversion(query.text, units.offsets);
  return {
    passages: ofQuery.sources.flatMap((one) =>
      one.passages.map((passage) => passageInUnit(passage, conversion)),
    ),
    query: sideFigures(query, ofQuery, units),
    source: sideFigures(source, ofSource, units),
  };
}

/** The runs of a passage as passages of the source in the query. */
function mirroredRuns(passage: SourcePassage, { toCodePoint }: CodePointOffsets): SourcePassage[] {
  return runsOf(passage).map(({ query, sourceDocument, matchType }) => {
    const place = {
      utf16: query,
      codePoint: { start: toCodePoint(query.start), end: toCodePoint(query.end) },
    };
    return {
      query: sourceDocument.utf16,
      matchType,
      sourceChunkIndex: 0,
      sourceChunk: place,
      sourceDocument: place,
      preview: "",
    };
  });
}

function sideFigures(
  { text, flags, pageMargins }: MarkedText,
  figures: ReportFigures,
  units: ReportUnits,
): SideFigures {
  const { span } = unitConversion(text, units.offsets);
  const inLengths = unitConversion(text, units.lengths);
  const lengthOf = (spans: readonly Span[]) => spansLength(spans.map(inLengths.span));
  return {
    charCount: inLengths.offset(text.length),
    totalMatchedChars: lengthOf(figures.uniquePassages),
    overallSimilarityPct: figures.overallSimilarityPct,
    byMatchType: matchTypeShares(text, figures.byMatchType, figures.countedChars, lengthOf),
    uniquePassages: figures.uniquePassages.map(span),
    flags: flags.map(span),
    pageMargins: pageMargins.map(span),
  };
}
