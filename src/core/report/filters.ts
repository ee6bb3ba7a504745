import type { MatchType } from "../alignment/passage.ts";
import { codePointLength, codePointOffsets } from "../text/code-points.ts";
import { joinSpans, type Span } from "../text/span.ts";
import { wordCount } from "../text/word-count.ts";
import { clipPassage } from "./clip.ts";
import { bibliography } from "./exclusions/bibliography.ts";
import { quotations } from "./exclusions/quotations.ts";
import { codePointsIn, reportFigures } from "./figures.ts";
import type { MatchedSource, ReportFigures, SourcePassage } from "./report.ts";
import { wordBorders } from "./word-borders.ts";

/** What to leave out of a report. A member that is left out, or `false`, filters nothing. */
export type ReportFilters = {
  readonly excludeQuotes?: boolean | undefined;
  readonly excludeBibliography?: boolean | undefined;
  /** The shortest passage kept, in words of the query, after clipping. */
  readonly minWords?: number | undefined;
  /** Identifiers of source documents. */
  readonly excludeSources?: readonly string[] | undefined;
  /** The match types kept; an empty list keeps none. */
  readonly matchTypes?: readonly MatchType[] | undefined;
};

/** The query a report is on; `language` (ISO 639-1) says how its words are counted. */
export type ReportQuery = { readonly text: string; readonly language: string };

/** The figures without what the filters leave out. `excluded`: the query text that counts nowhere, in UTF-16 units. */
export type FilteredFigures = ReportFigures & { readonly excluded: readonly Span[] };

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
  const excluded = excludedText(query.text, filters);
  const ground = { text: query.text, borders: wordBorders(query.text), offsets, excluded };
  const isWanted = passageFilter(filters);
  const isLongEnough = lengthFilter(query, filters.minWords ?? 0);
  const unwantedSources = new Set(filters.excludeSources);

  const kept = sources
    .filter(({ documentId }) => !unwantedSources.has(documentId))
    .map(({ documentId, passages }) => ({
      documentId,
      passages: passages
        .filter(isWanted)
        .flatMap((passage) => clipPassage(passage, ground))
        .filter(isLongEnough),
    }));
  const countedChars = codePointLength(query.text) - codePointsIn(offsets, excluded);
  return { ...reportFigures(offsets, countedChars, kept), excluded };
}

function excludedText(text: string, filters: ReportFilters): Span[] {
  return joinSpans([
    ...(filters.excludeQuotes === true ? quotations(text) : []),
    ...(filters.excludeBibliography === true ? bibliography(text) : []),
  ]);
}

function passageFilter({ matchTypes }: ReportFilters): (passage: SourcePassage) => boolean {
  if (matchTypes === undefined) return () => true;
  const wanted = new Set(matchTypes);
  return ({ matchType }) => wanted.has(matchType);
}

/** How many characters a word takes at most, with its space, in most text: a first guess at how far to look. */
const UNITS_PER_WORD = 16;

/**
 * Words at the end of a looked-at stretch that don't count, as its end may cut one, or a run of words without spaces,
 * so that it comes apart differently.
 */
const UNSURE_WORDS = 8;

/** Counts words only as far as needed, so that a long passage costs no more than a short one. */
function lengthFilter(
  { text, language }: ReportQuery,
  minWords: number,
): (passage: SourcePassage) => boolean {
  if (minWords <= 0) return () => true;
  return ({ query: { start, end } }) => {
    for (let units = (minWords + UNSURE_WORDS) * UNITS_PER_WORD; start + units < end; units *= 2) {
      const words = wordCount(text.slice(start, start + units), language);
      if (words >= minWords + UNSURE_WORDS) return true;
    }
    return wordCount(text.slice(start, end), language) >= minWords;
  };
}
