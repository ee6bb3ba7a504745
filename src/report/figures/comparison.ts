import { runsOf, type SourcePassage } from "../../matching/words/source-passage.ts";
import { type CodePointOffsets, codePointOffsets } from "../../text/code-points.ts";
import type { IntegrityFlag } from "../../text/integrity.ts";
import type { Span } from "../../text/span.ts";
import { computeFigures } from "./figures.ts";
import {
  flagsInUnit,
  type ReportInUnit,
  type ReportUnits,
  reportInUnit,
  unitConversion,
} from "./offset-unit.ts";

/** A text of a comparison with the places in it that are shown, in UTF-16 units. */
type MarkedText = {
  readonly text: string;
  readonly flags: readonly IntegrityFlag[];
  readonly pageMargins: readonly Span[];
};

type ComparisonInput = {
  readonly query: MarkedText;
  readonly source: MarkedText;
  /** Of the query in the source. */
  readonly passages: readonly SourcePassage[];
  readonly units: ReportUnits;
};

/** How much of one text the other contains, in the requested units. */
export type SideFigures = Omit<ReportInUnit, "sources"> & {
  readonly flags: readonly IntegrityFlag[];
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
  const offsets = codePointOffsets(query.text);
  const mirrored = passages.flatMap((passage) => mirroredRuns(passage, offsets));
  const ofQuery = computeFigures({ queryText: query.text, sources: [{ documentId: SOURCE, passages }] });
  const ofSource = computeFigures({
    queryText: source.text,
    sources: [{ documentId: QUERY, passages: mirrored }],
  });
  const shown = reportInUnit(query.text, ofQuery, units);
  return {
    passages: shown.sources.flatMap((one) => one.passages),
    query: sideFigures(query, shown, units),
    source: sideFigures(source, reportInUnit(source.text, ofSource, units), units),
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
  { sources: _, ...figures }: ReportInUnit,
  { offsets }: ReportUnits,
): SideFigures {
  const conversion = unitConversion(text, offsets);
  return { ...figures, flags: flagsInUnit(flags, conversion), pageMargins: pageMargins.map(conversion.span) };
}
