import type { MatchType } from "../alignment/passages.ts";
import { codePointLength, codePointOffsets } from "../text/code-points.ts";
import { joinSpans, overlappingSpans, type Span, subtractSpans } from "../text/span.ts";
import { wordCount } from "../text/word-count.ts";
import { wordBoundaries } from "./assemble.ts";
import { bibliography, referenceLists } from "./bibliography.ts";
import { type ClippingGround, clipPassage } from "./clip.ts";
import { codePointsIn, reportFigures } from "./figures.ts";
import { quotations } from "./quotations.ts";
import type { MatchedSource, ReportFigures, SourcePassage } from "./report.ts";

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
  const ground = { text: query.text, boundaries: wordBoundaries(query.text), offsets, excluded };
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

/** The text that a filter excludes: ascending, disjoint UTF-16 spans. */
type Exclusion = { readonly filter: keyof ReportFilters; readonly spans: readonly Span[] };

/** A part of a passage, or all of it, that a filter leaves out; `query` in UTF-16 units of the query text. */
type LeftOut = { readonly query: Span; readonly filter: keyof ReportFilters };

/** What filters make of a passage. */
type Sifted = { readonly pieces: readonly SourcePassage[]; readonly leftOut: readonly LeftOut[] };

/**
 * Says of one passage after the other what the filters keep of it, and what they leave out for which of them: the first
 * that would, in the order of sources, match types, excluded text, length. `ground` excludes the text of all `exclusions`,
 * no two of which share any.
 */
function passageSieve(
  query: ReportQuery,
  filters: ReportFilters,
  exclusions: readonly Exclusion[],
  ground: ClippingGround,
): (documentId: string, passage: SourcePassage) => Sifted {
  const unwantedSources = new Set(filters.excludeSources);
  const isWanted = typeFilter(filters);
  const isLongEnough = lengthFilter(query, filters.minWords ?? 0);
  return (documentId, passage) => {
    if (unwantedSources.has(documentId)) return withoutAll(passage, "excludeSources");
    if (!isWanted(passage)) return withoutAll(passage, "matchTypes");
    const leftOut = exclusions.flatMap(({ filter, spans }) =>
      commonParts(passage.query, spans).map((part): LeftOut => ({ query: part, filter })),
    );
    const pieces: SourcePassage[] = [];
    for (const piece of clipPassage(passage, ground)) {
      if (isLongEnough(piece)) pieces.push(piece);
      else leftOut.push({ query: piece.query, filter: "minWords" });
    }
    return { pieces, leftOut };
  };
}

function withoutAll({ query }: SourcePassage, filter: keyof ReportFilters): Sifted {
  return { pieces: [], leftOut: [{ query, filter }] };
}

function commonParts(span: Span, spans: readonly Span[]): Span[] {
  return overlappingSpans(span, spans).map(({ start, end }) => ({
    start: Math.max(start, span.start),
    end: Math.min(end, span.end),
  }));
}

function typeFilter({ matchTypes }: ReportFilters): (passage: SourcePassage) => boolean {
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
