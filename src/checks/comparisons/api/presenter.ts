import type { z } from "zod";
import { presentMatchTypes, presentPassageOfTwo } from "../../../report/index.ts";
import type { ComparedText, Comparison } from "../compare-texts.ts";
import type { ComparisonLink } from "../comparison-links.ts";
import type { ComparisonAnswer, ComparisonLinkAnswer } from "./schema.ts";

type WireComparison = z.output<typeof ComparisonAnswer>;

type Kept = { readonly linkDays: number | undefined; readonly link?: ComparisonLink | undefined };

export function presentComparison(comparison: Comparison, { linkDays, link }: Kept): WireComparison {
  const { coverage, semanticReason, units } = comparison;
  return {
    query: presentSide(comparison.query),
    source: presentSide(comparison.source),
    passages: comparison.passages.map(presentPassageOfTwo),
    coverage,
    coverage_reason: coverage === "partial" ? "time_cap" : null,
    semantic_coverage: comparison.semanticCoverage,
    semantic_coverage_reason: semanticReason,
    offset_unit: units.offsets,
    duration_seconds: Math.round(comparison.durationMs) / 1000,
    ...(linkDays !== undefined && { link_days: linkDays }),
    ...(link !== undefined && { expires_at: link.expiresAt.toISOString() }),
  };
}

export function presentLink({
  comparisonId,
  expiresAt,
}: ComparisonLink): z.output<typeof ComparisonLinkAnswer> {
  return {
    comparison_id: comparisonId,
    comparison_url: `/v1/comparisons/${comparisonId}`,
    page_url: `/compare/${comparisonId}`,
    expires_at: expiresAt.toISOString(),
  };
}

function presentSide({
  text,
  filename,
  language,
  languageOrigin,
  wordCount,
  pageNotes = [],
  figures,
}: ComparedText): WireComparison["query"] {
  return {
    text,
    filename,
    language,
    language_origin: languageOrigin,
    char_count: figures.charCount,
    word_count: wordCount,
    overall_similarity_pct: figures.overallSimilarityPct,
    total_matched_chars: figures.totalMatchedChars,
    match_types: presentMatchTypes(figures.byMatchType),
    unique_passages: figures.uniquePassages.map(({ start, end }) => [start, end]),
    integrity_flags: [...figures.flags],
    page_margins: figures.pageMargins.map(({ start, end }) => [start, end]),
    ...(pageNotes.length > 0 && {
      page_notes: pageNotes.map(({ kind, pages }) => ({ kind, pages: [...pages] })),
    }),
  };
}
