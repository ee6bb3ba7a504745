import fc from "fast-check";
import type { MatchType } from "../../../src/matching/words/match-type.ts";
import type { MatchedSource, SourcePassage } from "../../../src/matching/words/source-passage.ts";
import { computeFigures } from "../../../src/report/figures/figures.ts";
import {
  type FilteredFigures,
  filterReport,
  type ReportFilters,
} from "../../../src/report/figures/filters.ts";
import type { ReportFigures } from "../../../src/report/figures/report.ts";
import { codePointLength } from "../../../src/text/code-points.ts";
import type { Span } from "../../../src/text/span.ts";

const MATCH_TYPES: readonly MatchType[] = ["identical", "minor_changes", "paraphrased"];

/** Where the passage's source side starts in its document and in its chunk, in these tests. */
export const DOCUMENT_START = 1_000;
export const CHUNK_START = 40;

/** The figures of the report on an English text under these filters. */
export function filtered(
  text: string,
  sources: readonly MatchedSource[],
  filters: ReportFilters,
): FilteredFigures {
  return filterReport(
    { text, language: "en" },
    computeFigures({ queryText: text, sources }).sources,
    filters,
  );
}

/** A passage over `[start, end)` of the query whose source side is a copy of the query's words. */
export function passageAt(
  text: string,
  start: number,
  end: number,
  matchType: MatchType = "identical",
): SourcePassage {
  return passageWithSource({ start, end }, text.slice(start, end), matchType);
}

/** A passage over a span of the query, matched by `sourceText` in a document without surrogate pairs before it. */
export function passageWithSource(query: Span, sourceText: string, matchType: MatchType): SourcePassage {
  const units = sourceText.length;
  const codePoints = codePointLength(sourceText);
  const rangeAt = (start: number) => ({
    utf16: { start, end: start + units },
    codePoint: { start, end: start + codePoints },
  });
  return {
    query,
    matchType,
    sourceChunkIndex: 2,
    sourceChunk: rangeAt(CHUNK_START),
    sourceDocument: rangeAt(DOCUMENT_START),
    preview: sourceText.slice(0, 20),
  };
}

export function source(documentId: string, ...passages: SourcePassage[]): MatchedSource {
  return { documentId, passages };
}

/** The query side of each source's passages, as pairs. */
export function pairsOf(figures: ReportFigures): Record<string, [number, number][]> {
  return Object.fromEntries(
    figures.sources.map(({ documentId, passages }) => [
      documentId,
      passages.map(({ query: { start, end } }): [number, number] => [start, end]),
    ]),
  );
}

export type GivenReport = { readonly text: string; readonly sources: readonly MatchedSource[] };

/** A query with quotations, headings, pairs and blank lines, and sources whose passages begin and end at words. */
export function anyReport(): fc.Arbitrary<GivenReport> {
  const piece = fc.constantFrom(
    ...["word", "a", "𝐀𝐁", "e\u0301", "中文", "2010"],
    ...[" ", ", ", ". ", "\n", "\n\n", ' "', '" ', "“", "”", "«", "»", "🙂"],
    ...["\nReferences\n", "\n> quoted ", "\n## Appendix\n", "\n8 More\n"],
  );
  return fc.array(piece, { maxLength: 60 }).chain((pieces): fc.Arbitrary<GivenReport> => {
    const text = pieces.join("");
    const words = Array.from(text.matchAll(/[\p{L}\p{N}\p{M}]+/gu), ({ 0: word, index }) => ({
      start: index,
      end: index + word.length,
    }));
    if (words.length === 0) return fc.constant({ text, sources: [] });
    const sources = fc.uniqueArray(fc.record({ documentId: fc.uuid(), passages: anyPassages(text, words) }), {
      selector: ({ documentId }) => documentId,
      maxLength: 4,
    });
    return sources.map((given) => ({ text, sources: given }));
  });
}

/** The passage as a copied beginning and a reworded rest, which come from the same place of the source. */
export function withTwoRuns(passage: SourcePassage, at: number): SourcePassage {
  const { query, sourceDocument } = passage;
  if (at <= query.start || at >= query.end) return passage;
  const runs = [
    { query: { start: query.start, end: at }, matchType: "identical" as const, sourceDocument },
    { query: { start: at, end: query.end }, matchType: "paraphrased" as const, sourceDocument },
  ];
  return { ...passage, matchType: "paraphrased", runs };
}

function anyPassages(text: string, words: readonly Span[]): fc.Arbitrary<SourcePassage[]> {
  const boundaries = fc.tuple(fc.nat(words.length - 1), fc.nat(words.length - 1));
  const passage = fc.record({
    boundaries,
    matchType: fc.constantFrom(...MATCH_TYPES),
    hasRuns: fc.boolean(),
    sourceText: fc.option(fc.string({ unit: "grapheme", minLength: 1, maxLength: 30 }), { nil: undefined }),
  });
  return fc.array(
    passage.map(({ boundaries: [a, b], matchType, sourceText, hasRuns }) => {
      const query = { start: words[Math.min(a, b)]?.start ?? 0, end: words[Math.max(a, b)]?.end ?? 0 };
      const passage = passageWithSource(query, sourceText ?? text.slice(query.start, query.end), matchType);
      return hasRuns ? withTwoRuns(passage, words[Math.ceil((a + b) / 2)]?.start ?? 0) : passage;
    }),
    { maxLength: 5 },
  );
}
