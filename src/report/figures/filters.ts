import type { MatchType } from "../../matching/words/match-type.ts";
import { type MatchedSource, runsOf, type SourcePassage } from "../../matching/words/source-passage.ts";
import { bibliography, markdownFootnotes, referenceLists } from "../../text/bibliography.ts";
import { codePointLength, codePointOffsets } from "../../text/code-points.ts";
import { quotations } from "../../text/quotations.ts";
import { joinSpans, overlapLength, overlappingSpans, type Span, subtractSpans } from "../../text/span.ts";
import { wordCount } from "../../text/word-count.ts";
import { type ClippingGround, clipPassage } from "./clip.ts";
import { codePointsIn, reportFigures, wordBoundaries } from "./figures.ts";
import { type GroupOf, type MatchGroup, QUOTED_WORDS_MIN } from "./match-groups.ts";
import type { ReportFigures } from "./report.ts";

/** A passage, or a part of one, that a filter left out; `query` in UTF-16 units of the query text. */
export type FilteredOut = LeftOut & { readonly documentId: string };

/** The figures without the excluded text. */
export type FilteredFigures = ReportFigures & {
  /** The query text that is not counted, in UTF-16 units. */
  readonly excluded: readonly Span[];
  /** By source and passage. Text that two filters leave out belongs to the first. */
  readonly filteredOut: readonly FilteredOut[];
};

/**
 * Filters a report and computes all figures from the rest. Quotations and bibliographies are neither matched nor counted text,
 * and passages are clipped there (`clipPassage`). Text of sources, match types and short passages that are left out still
 * counts. If all text is excluded, percentages are 0.
 */
export function filterReport(
  query: ReportQuery,
  sources: readonly MatchedSource[],
  filters: ReportFilters,
): FilteredFigures {
  const offsets = codePointOffsets(query.text);
  const matched = joinSpans(sources.flatMap(({ passages }) => passages.map((passage) => passage.query)));
  const exclusions = excludedText(query, filters, matched);
  const excluded = joinSpans(exclusions.flatMap(({ spans }) => spans));
  const ground = { text: query.text, boundaries: wordBoundaries(query.text), offsets };
  const sift = passageSieve(query, filters, exclusions, ground);
  const filteredOut: FilteredOut[] = [];
  const kept = sources.map(({ documentId, passages }) => ({
    documentId,
    passages: passages.flatMap((passage) => {
      const { pieces, leftOut } = sift(documentId, passage);
      for (const part of leftOut) filteredOut.push({ documentId, ...part });
      return pieces;
    }),
  }));
  const countedChars = codePointLength(query.text) - codePointsIn(offsets, excluded);
  return { ...reportFigures(offsets, countedChars, kept), excluded, filteredOut };
}

/** The text that each filter excludes: ascending, disjoint. @param matched the text of all passages: ascending, disjoint */
function excludedText(
  { text, language }: ReportQuery,
  filters: ReportFilters,
  matched: readonly Span[],
): Exclusion[] {
  const isWordInCopy = (quoted: Span) =>
    overlappingSpans(quoted, matched).some(({ start, end }) => start < quoted.start && quoted.end < end) &&
    wordCount(text.slice(quoted.start, quoted.end), language) < QUOTED_WORDS_MIN;
  const standing = filters.standing?.text ?? [];
  const quoted = filters.excludeQuotes === true ? quotations(text).filter((one) => !isWordInCopy(one)) : [];
  const listed =
    filters.excludeBibliography === true ? joinSpans([...bibliography(text), ...referenceLists(text)]) : [];
  const kept = listed.length === 0 ? [] : joinSpans([...quoted, ...markdownFootnotes(text)]);
  return [
    { filter: "standing", spans: standing },
    { filter: "excludeQuotes", spans: quoted },
    {
      filter: "excludeBibliography",
      spans: listed.flatMap((span) => subtractSpans(span, overlappingSpans(span, kept))),
    },
  ];
}

/** The filters of a report. A missing member, or `false`, filters nothing. */
export type ReportFilters = {
  readonly excludeQuotes?: boolean | undefined;
  readonly excludeBibliography?: boolean | undefined;
  /** The shortest passage kept, in words of the query, after clipping. */
  readonly minWords?: number | undefined;
  readonly excludeSources?: readonly string[] | undefined;
  readonly excludePassages?: readonly PassageReference[] | undefined;
  /** The match types kept; an empty list keeps none. */
  readonly matchTypes?: readonly MatchType[] | undefined;
  /** The match groups kept, in whole passages. */
  readonly matchGroups?: readonly MatchGroup[] | undefined;
  readonly standing?: StandingFilter | undefined;
};

/** Documents and text that are left out of all reports. `text`: ascending, disjoint UTF-16 spans. */
type StandingFilter = { readonly sources: readonly string[]; readonly text: readonly Span[] };

/** Names the passages of a document that overlap a part of the query, in code points. */
export type PassageReference = Span & { readonly documentId: string };

/** The query of a report; its words are counted in `language` (ISO 639-1). `groupOf` is needed to filter by match group. */
type ReportQuery = { readonly text: string; readonly language: string; readonly groupOf?: GroupOf };

/** The text that a filter excludes: ascending, disjoint UTF-16 spans. */
type Exclusion = { readonly filter: keyof ReportFilters; readonly spans: readonly Span[] };

/** A part of a passage, or all of it, that a filter leaves out; `query` in UTF-16 units of the query text. */
type LeftOut = { readonly query: Span; readonly filter: keyof ReportFilters };

type Sifted = { readonly pieces: readonly SourcePassage[]; readonly leftOut: readonly LeftOut[] };

/** Splits passages by the first filter that applies: standing exclusion, source, passage, match group, match type of a run, text, length. */
function passageSieve(
  query: ReportQuery,
  filters: ReportFilters,
  exclusions: readonly Exclusion[],
  ground: ClippingGround,
): (documentId: string, passage: SourcePassage) => Sifted {
  const standing = new Set(filters.standing?.sources);
  const unwantedSources = new Set(filters.excludeSources);
  const unwantedPassages = Map.groupBy(filters.excludePassages ?? [], ({ documentId }) => documentId);
  const isUnwanted = (documentId: string, { query: { start, end } }: SourcePassage) => {
    const { toCodePoint } = ground.offsets;
    return unwantedPassages
      .get(documentId)
      ?.some((one) => overlapLength(one, { start: toCodePoint(start), end: toCodePoint(end) }) > 0);
  };
  const wantedTypes = filters.matchTypes && new Set(filters.matchTypes);
  const { groupOf } = query;
  const wantedGroups = groupOf && filters.matchGroups && new Set(filters.matchGroups);
  const isLongEnough = lengthFilter(query, filters.minWords ?? 0);
  return (documentId, passage) => {
    if (standing.has(documentId)) return withoutAll(passage, "standing");
    if (unwantedSources.has(documentId)) return withoutAll(passage, "excludeSources");
    if (isUnwanted(documentId, passage) === true) return withoutAll(passage, "excludePassages");
    if (groupOf && wantedGroups?.has(groupOf(documentId, passage).group) === false)
      return withoutAll(passage, "matchGroups");
    const unwanted = joinSpans(
      runsOf(passage)
        .filter(({ matchType }) => wantedTypes?.has(matchType) === false)
        .map((run) => run.query),
    );
    const leftOut = unwanted.map((part): LeftOut => ({ query: part, filter: "matchTypes" }));
    for (const wanted of subtractSpans(passage.query, unwanted))
      for (const { filter, spans } of exclusions)
        for (const part of commonParts(wanted, spans)) leftOut.push({ query: part, filter });
    const pieces: SourcePassage[] = [];
    for (const piece of clipPassage(passage, ground, joinSpans(leftOut.map(({ query: part }) => part)))) {
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

/** The characters of a word with its space, in most text at most: the first guess of the length to read. */
const UNITS_PER_WORD = 16;

/** Words at the end of the text read that don't count, because its end may cut a word or a run without spaces. */
const UNSURE_WORDS = 8;

/** Counts only as many words as needed, so long passages cost no more. */
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
