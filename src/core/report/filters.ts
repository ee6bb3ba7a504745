import type { MatchType } from "../alignment/passages.ts";
import { codePointLength, codePointOffsets } from "../text/code-points.ts";
import { joinSpans, overlappingSpans, type Span, subtractSpans } from "../text/span.ts";
import { bibliography } from "./exclusions/bibliography.ts";
import { quotations } from "./exclusions/quotations.ts";
import { referenceLists } from "./exclusions/reference-lists.ts";
import { codePointsIn, reportFigures } from "./figures.ts";
import {
  type Exclusion,
  type LeftOut,
  passageSieve,
  type ReportFilters,
  type ReportQuery,
} from "./passage-sieve.ts";
import type { MatchedSource, ReportFigures } from "./report.ts";
import { wordBorders } from "./word-borders.ts";

export type { ReportFilters, ReportQuery };

/** A part of a passage, or all of it, that a filter left out; `query` in UTF-16 units of the query text. */
export type FilteredOut = LeftOut & { readonly documentId: string; readonly matchType: MatchType };

/** The figures without what the filters leave out. */
export type FilteredFigures = ReportFigures & {
  /** The query text that counts nowhere, in UTF-16 units. */
  readonly excluded: readonly Span[];
  /** By source and passage, in their order. What two filters would leave out is the first one's. */
  readonly filteredOut: readonly FilteredOut[];
};

/**
 * Filters a report when it is read, and computes every figure anew from the passages kept.
 * Quotations and bibliographies leave both the matched and the counted text; a passage that reaches into one is clipped
 * (see `clipPassage`). The text of a source or a match type that is left out, and of short passages, still counts as
 * query text. `sources` are those of the unfiltered report; without filters, the answer has its figures. If all text is
 * excluded, every percentage is 0.
 */
export function filterReport(
  query: ReportQuery,
  sources: readonly MatchedSource[],
  filters: ReportFilters,
): FilteredFigures {
  const offsets = codePointOffsets(query.text);
  const exclusions = excludedText(query.text, filters);
  const excluded = joinSpans(exclusions.flatMap(({ spans }) => spans));
  const ground = { text: query.text, borders: wordBorders(query.text), offsets, excluded };
  const sift = passageSieve(query, filters, exclusions, ground);
  const filteredOut: FilteredOut[] = [];
  const kept = sources.map(({ documentId, passages }) => ({
    documentId,
    passages: passages.flatMap((passage) => {
      const { pieces, leftOut } = sift(documentId, passage);
      for (const part of leftOut) filteredOut.push({ documentId, matchType: passage.matchType, ...part });
      return pieces;
    }),
  }));
  const countedChars = codePointLength(query.text) - codePointsIn(offsets, excluded);
  return { ...reportFigures(offsets, countedChars, kept), excluded, filteredOut };
}

/** The text that each filter excludes: ascending, and no text twice. */
function excludedText(text: string, filters: ReportFilters): Exclusion[] {
  const quoted = filters.excludeQuotes === true ? quotations(text) : [];
  const listed =
    filters.excludeBibliography === true ? joinSpans([...bibliography(text), ...referenceLists(text)]) : [];
  return [
    { filter: "excludeQuotes", spans: quoted },
    { filter: "excludeBibliography", spans: listed.flatMap((span) => unquoted(span, quoted)) },
  ];
}

function unquoted(span: Span, quoted: readonly Span[]): Span[] {
  return subtractSpans(span, overlappingSpans(span, quoted));
}
