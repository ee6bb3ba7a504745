import type { z } from "zod";
import type { CandidateInUnit, ExplanationInUnit } from "../core/report/explanation/explanation-in-unit.ts";
import type { PassageInUnit, SourceInUnit } from "../core/report/offset-unit.ts";
import { presentCandidate, presentEvidence, presentExplanation } from "./present-explanation.ts";
import type { ReportView } from "./read-report.ts";
import type { StoredSource } from "./report-store.ts";
import type { Report } from "./schema.ts";

type WireReport = z.output<typeof Report>;

/** @param applied the filters as the request gave them; undefined when it gave none. */
export function presentReport(
  { stored, figures, candidateTitles }: ReportView,
  applied: Readonly<Record<string, unknown>> | undefined,
): WireReport {
  const { report, explanation } = figures;
  const explained = explanation && candidatesById(explanation);
  const known = new Map(stored.sources.map((source) => [source.documentId, source]));
  return {
    check_id: stored.checkId,
    title: stored.title,
    language: stored.language,
    overall_similarity_pct: report.overallSimilarityPct,
    total_matched_chars: report.totalMatchedChars,
    query_text: stored.queryText,
    char_count: report.charCount,
    word_count: stored.wordCount,
    duration_seconds: (stored.completedAt.getTime() - stored.startedAt.getTime()) / 1000,
    sources: report.sources.flatMap((source) => {
      const document = known.get(source.documentId);
      return document === undefined ? [] : [presentSource(source, document, explained)];
    }),
    unique_passages: report.uniquePassages.map(({ start, end }) => [start, end]),
    coverage: stored.coverage,
    coverage_reason: stored.coverage === "partial" ? "time_cap" : null,
    checked_chunks: stored.checkedChunks,
    total_chunks: stored.totalChunks,
    corpus_sources: stored.corpusSources,
    documents_pending: stored.documentsPending,
    integrity_flags: stored.integrityFlags.map(({ kind, detail, start, end }, position) => ({
      kind,
      start: figures.flags[position]?.start ?? start,
      end: figures.flags[position]?.end ?? end,
      detail,
    })),
    offset_unit: report.offsetUnit,
    filters:
      applied === undefined
        ? null
        : { applied: { ...applied }, unfiltered_similarity_pct: figures.unfilteredSimilarityPct },
    ...(explanation && { explanation: presentExplanation(explanation, candidateTitles) }),
    created_at: stored.createdAt.toISOString(),
    completed_at: stored.completedAt.toISOString(),
  };
}

type Candidates = ReadonlyMap<string, CandidateInUnit>;

function candidatesById({ recorded }: ExplanationInUnit): Candidates {
  return new Map((recorded?.reported ?? []).map((candidate) => [candidate.documentId, candidate]));
}

/** @param explained given when the report explains itself. */
function presentSource(
  source: SourceInUnit,
  document: StoredSource,
  explained: Candidates | undefined,
): WireReport["sources"][number] {
  const candidate = explained?.get(source.documentId);
  return {
    source_document_id: source.documentId,
    title: document.title,
    source_filename: document.filename,
    source_url: document.sourceUrl,
    similarity_pct: source.similarityPct,
    matched_chars: source.matchedChars,
    passages: source.passages.map((passage) => ({
      ...presentPassage(passage),
      ...(explained && { explanation: presentEvidence(passage.evidence) }),
    })),
    ...(explained && { explanation: candidate === undefined ? null : presentCandidate(candidate) }),
  };
}

function presentPassage(passage: PassageInUnit): WireReport["sources"][number]["passages"][number] {
  return {
    query_start: passage.query.start,
    query_end: passage.query.end,
    source_chunk_index: passage.sourceChunkIndex,
    source_start: passage.sourceChunk.start,
    source_end: passage.sourceChunk.end,
    source_document_start: passage.sourceDocument.start,
    source_document_end: passage.sourceDocument.end,
    match_type: passage.matchType,
    overlap_text_preview: passage.preview,
  };
}
