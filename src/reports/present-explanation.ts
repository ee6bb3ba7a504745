import type { z } from "zod";
import type {
  CandidateInUnit,
  DroppedMatchInUnit,
  ExplanationInUnit,
} from "../core/report/explanation/explanation-in-unit.ts";
import type { ReportFilters } from "../core/report/filters.ts";
import type { PassageEvidence } from "../core/report/report.ts";
import type {
  FILTER_NAMES,
  PassageExplanation,
  ReportExplanation,
  SourceExplanation,
} from "./explanation-schema.ts";

type WireSource = z.output<typeof SourceExplanation>;

/** @param titles those of the documents that are not in the report. */
export function presentExplanation(
  { recorded, filteredOut }: ExplanationInUnit,
  titles: ReadonlyMap<string, string>,
): z.output<typeof ReportExplanation> {
  return {
    candidate_count: recorded?.candidateCount ?? null,
    unreported_candidates: (recorded?.unreported ?? []).map((candidate) => ({
      source_document_id: candidate.documentId,
      title: titles.get(candidate.documentId) ?? "",
      explanation: presentCandidate(candidate),
    })),
    filtered_out: filteredOut.map(({ documentId, query, filter }) => ({
      source_document_id: documentId,
      query_start: query.start,
      query_end: query.end,
      filter: FILTERS[filter],
    })),
  };
}

export function presentCandidate({ hits, hitCount, dropped }: CandidateInUnit): WireSource {
  return {
    hits: hits.map(({ queryChunk, chunkIndex, sharedShingles, sharedTerms }) => ({
      query_chunk_index: queryChunk,
      source_chunk_index: chunkIndex,
      shared_shingles: sharedShingles,
      shared_terms: sharedTerms,
    })),
    hit_count: hitCount,
    dropped_matches: dropped.matches.map(presentDropped),
    dropped_counts: dropped.counts,
  };
}

export function presentEvidence(
  evidence: PassageEvidence | undefined,
): z.output<typeof PassageExplanation> | null {
  if (evidence === undefined) return null;
  const { matchedWords, seeds, similarity, score } = evidence;
  return { matched_words: matchedWords, seeds, similarity, score };
}

function presentDropped(match: DroppedMatchInUnit): WireSource["dropped_matches"][number] {
  return {
    query_start: match.query.start,
    query_end: match.query.end,
    source_document_start: match.sourceDocument.start,
    source_document_end: match.sourceDocument.end,
    reason: match.reason,
    matched_words: match.matchedWords,
    score: match.score,
  };
}

const FILTERS = {
  excludeQuotes: "exclude_quotes",
  excludeBibliography: "exclude_bibliography",
  minWords: "min_words",
  excludeSources: "exclude_sources",
  matchTypes: "match_types",
} as const satisfies Record<keyof ReportFilters, (typeof FILTER_NAMES)[number]>;
