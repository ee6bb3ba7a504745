import type { z } from "zod";
import { presentProperties } from "../../http/input/wire-types.ts";
import type { SourcePassage } from "../../matching/words/source-passage.ts";
import { codePointOffsets } from "../../text/code-points.ts";
import { displayTitle } from "../../text/display-title.ts";
import type { OffsetUnit } from "../../text/excerpt.ts";
import { hasUnreadPages } from "../../text/page-notes.ts";
import { joinSpans, namedSpan, type Span } from "../../text/span.ts";
import { codePointsIn, percent } from "../figures/figures.ts";
import type { PassageReference, ReportFilters } from "../figures/filters.ts";
import { type Acknowledgement, byMatchGroup } from "../figures/match-groups.ts";
import { type SourceInUnit, unitConversion } from "../figures/offset-unit.ts";
import { seenFromSource } from "../figures/pair-figures.ts";
import type { CandidateInUnit, DroppedMatchInUnit, ExplanationInUnit } from "../figures/read-figures.ts";
import { semanticCoverage } from "../figures/report.ts";
import {
  presentMatchTypes,
  presentMemberPassage,
  presentPassage,
  presentPlaces,
} from "../presented-passages.ts";
import type {
  FILTER_NAMES,
  PassageExplanation,
  ReportExplanation,
  SourceExplanation,
  WirePassage,
  WireReport,
} from "../presented-report.ts";
import type { ReportView } from "../read-report.ts";
import type { SourceTextView } from "../read-source-text.ts";
import type { BatchMatches, StoredReport, StoredSource } from "../report-store.ts";
import { presentReview } from "../review.ts";
import type { SourceText } from "./schema.ts";

export function presentReport(view: ReportView): WireReport {
  const { stored, applied, figures, candidateTitles, batch } = view;
  const { report, explanation } = figures;
  const explained =
    explanation &&
    new Map(explanation.recorded.reported.map((candidate) => [candidate.documentId, candidate]));
  const notes = notesInUnit(view);
  const known = new Map(stored.sources.map((source) => [source.documentId, source]));
  return {
    check_id: stored.checkId,
    title: stored.title,
    display_title: displayTitle(stored.title, stored.queryText),
    ...presentProperties(stored.properties),
    language: stored.language,
    language_origin: stored.languageOrigin,
    overall_similarity_pct: report.overallSimilarityPct,
    total_matched_chars: report.totalMatchedChars,
    compared_chars: report.comparedChars,
    match_types: presentMatchTypes(report.byMatchType),
    ...(report.sources.length > 0 && {
      match_groups: byMatchGroup((group) => {
        const { passages, matchedChars, similarityPct } = figures.byMatchGroup[group];
        return { passages, matched_chars: matchedChars, similarity_pct: similarityPct };
      }),
    }),
    query_text: stored.queryText,
    char_count: report.charCount,
    word_count: stored.wordCount,
    duration_seconds: (stored.completedAt.getTime() - stored.startedAt.getTime()) / 1000,
    sources: report.sources.flatMap((source, at) => {
      const document = known.get(source.documentId);
      return document === undefined
        ? []
        : [presentSource(source, document, figures.acknowledgements[at] ?? [], explained, notes)];
    }),
    unique_passages: report.uniquePassages.map(({ start, end }) => [start, end]),
    coverage: stored.coverage,
    coverage_reason: coverageReason(stored),
    ...(stored.pageNotes.length > 0 && {
      page_notes: stored.pageNotes.map(({ kind, pages }) => ({ kind, pages: [...pages] })),
    }),
    checked_chunks: stored.checkedChunks,
    total_chunks: stored.totalChunks,
    corpus_sources: stored.corpusSources,
    ...presentScope(stored),
    documents_pending: stored.documentsPending,
    ...(stored.documentsPending > 0 && {
      uncompared_documents: stored.uncompared.map(({ documentId, title }) => ({
        document_id: documentId,
        title,
      })),
    }),
    semantic_coverage: semanticCoverage(stored.semanticDocuments, stored.semanticReason),
    semantic_coverage_reason: stored.semanticReason,
    semantic_documents: stored.semanticDocuments,
    integrity_flags: [...figures.flags],
    page_margins: figures.pageMargins.map(({ start, end }) => [start, end]),
    batch: batch === undefined ? null : presentBatchMatches(batch, stored.queryText, report.offsetUnit),
    offset_unit: report.offsetUnit,
    notes: notes.map(({ named, query, documentId, note }) => ({
      passage: passageReference({ ...named, documentId }),
      source_document_id: documentId,
      query_start: query.start,
      query_end: query.end,
      note,
    })),
    filters:
      applied === undefined
        ? null
        : { applied: { ...applied }, unfiltered_similarity_pct: figures.unfilteredSimilarityPct },
    ...presentStanding(view),
    ...(stored.review && { review: presentReview(stored.review) }),
    ...(explanation && { explanation: presentExplanation(explanation, candidateTitles) }),
    created_at: stored.createdAt.toISOString(),
    completed_at: stored.completedAt.toISOString(),
  };
}

/** Missing where the text was compared with the whole corpus. */
function presentScope({ scope: { leaveOut, collections } }: StoredReport): Pick<WireReport, "scope"> {
  if (leaveOut === null && collections === null) return {};
  return {
    scope: {
      ...(leaveOut !== null && { leave_out: leaveOut }),
      ...(collections !== null && { collections: [...collections] }),
    },
  };
}

function presentStanding({ standing, figures }: ReportView): Pick<WireReport, "standing_exclusions"> {
  if (standing === undefined) return {};
  return {
    standing_exclusions: {
      is_applied: figures.leftOut !== undefined,
      sources: [...standing.sources],
      collections: [...standing.collections],
      phrases: [...standing.phrases],
      sections: [...standing.sections],
      excluded_passages: figures.leftOut?.passages ?? 0,
      excluded_chars: figures.leftOut?.chars ?? 0,
      similarity_pct_without: figures.unfilteredSimilarityPct,
    },
  };
}

function coverageReason({
  coverage,
  checkedChunks,
  totalChunks,
  pageNotes,
}: StoredReport): WireReport["coverage_reason"] {
  if (coverage === "full") return null;
  return checkedChunks >= totalChunks && hasUnreadPages(pageNotes) ? "unread_pages" : "time_cap";
}

function presentBatchMatches(
  { batchId, memberId, isComplete, isComparedWithCorpus, comparedChars, total, matches }: BatchMatches,
  queryText: string,
  unit: OffsetUnit,
): NonNullable<WireReport["batch"]> {
  const offsets = codePointOffsets(queryText);
  const conversion = unitConversion(queryText, unit);
  const seen = matches.map((match) => ({
    match,
    passages: match.passages
      .map((passage) =>
        match.isSource ? seenFromSource(passage, codePointOffsets(match.text ?? "")) : passage,
      )
      .toSorted((x, y) => x.query.start - y.query.start),
  }));
  const figures = (passages: readonly SourcePassage[]) => {
    const matched = codePointsIn(offsets, joinSpans(passages.map(({ query }) => query)));
    return { matched_chars: matched, similarity_pct: Math.min(100, percent(matched, comparedChars)) };
  };
  return {
    batch_id: batchId,
    member_id: memberId,
    is_complete: isComplete,
    is_compared_with_corpus: isComparedWithCorpus,
    ...figures(seen.flatMap(({ passages }) => passages)),
    members_total: total,
    members: seen.map(({ match, passages }) => ({
      member_id: match.memberId,
      check_id: match.checkId,
      name: match.name,
      group: match.group,
      language: match.language,
      ...figures(passages),
      passages: passages.map((passage) => presentMemberPassage(passage, conversion)),
    })),
  };
}

export function passageReference({ start, end, documentId }: PassageReference): string {
  return `${start}-${end}-${documentId}`;
}

type NoteInUnit = {
  readonly named: Span;
  readonly query: Span;
  readonly documentId: string;
  readonly note: string;
  /** All passages of the source, so that one which a filter has cut is recognised. */
  readonly places: readonly Span[];
};

function notesInUnit({ stored, figures, notes }: ReportView): NoteInUnit[] {
  if (notes.length === 0) return [];
  const { offsetUnit } = figures.report;
  const { span } = unitConversion(stored.queryText, offsetUnit);
  const { toUtf16 } = codePointOffsets(stored.queryText);
  const places = new Map(
    stored.sources.map(({ documentId, passages }) => [documentId, passages.map(({ query }) => span(query))]),
  );
  return notes.map(({ start, end, documentId, note }) => ({
    named: { start, end },
    query: span({ start: toUtf16(start), end: toUtf16(end) }),
    documentId,
    note,
    places: places.get(documentId) ?? [],
  }));
}

/** The note of a passage, or of the whole passage if filters have left only this part. */
function noteOf(query: Span, notes: readonly NoteInUnit[]): string | null {
  const [first] = notes;
  const whole = first && namedSpan(first.places, query);
  return notes.find((one) => one.query.start === whole?.start && one.query.end === whole.end)?.note ?? null;
}

type Candidates = ReadonlyMap<string, CandidateInUnit>;

function presentSource(
  source: SourceInUnit,
  document: StoredSource,
  acknowledgements: readonly Acknowledgement[],
  explained: Candidates | undefined,
  notes: readonly NoteInUnit[],
): WireReport["sources"][number] {
  const candidate = explained?.get(source.documentId);
  const own = notes.filter(({ documentId }) => documentId === source.documentId);
  return {
    number: document.number,
    source_document_id: source.documentId,
    title: document.title,
    source_filename: document.filename,
    source_url: document.sourceUrl,
    document_url: document.isUploaded ? `/v1/corpus/documents/${source.documentId}` : null,
    language: document.language,
    similarity_pct: source.similarityPct,
    matched_chars: source.matchedChars,
    exclusive_matched_chars: source.exclusiveMatchedChars,
    passages: source.passages.map((passage, at) => ({
      ...presentPassage(passage),
      note: noteOf(passage.query, own),
      ...presentAcknowledgement(acknowledgements[at], explained !== undefined),
      ...(explained && { explanation: presentEvidence(passage.evidence) }),
    })),
    ...(explained && { explanation: candidate === undefined ? null : presentCandidate(candidate) }),
  };
}

function presentAcknowledgement(
  found: Acknowledgement | undefined,
  explains: boolean,
): Pick<WirePassage, "match_group" | "acknowledgement"> {
  if (found === undefined) return {};
  const pairs = (spans: readonly Span[]) => spans.map(({ start, end }) => [start, end]);
  return {
    match_group: found.group,
    ...(explains && {
      acknowledgement: {
        unsure_reason: found.reason ?? null,
        quotations: pairs(found.quotations),
        citations: pairs(found.citations),
      },
    }),
  };
}

type WireSource = z.output<typeof SourceExplanation>;

function presentExplanation(
  { recorded, filteredOut }: ExplanationInUnit,
  titles: ReadonlyMap<string, string>,
): z.output<typeof ReportExplanation> {
  return {
    candidate_count: recorded.candidateCount,
    unreported_candidates: recorded.unreported.map((candidate) => ({
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

function presentCandidate({ hits, hitCount, dropped }: CandidateInUnit): WireSource {
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

function presentEvidence(
  evidence: SourcePassage<Span>["evidence"],
): z.output<typeof PassageExplanation> | null {
  if (evidence === undefined) return null;
  const { matchedWords, seeds, similarity, score } = evidence;
  return { matched_words: matchedWords, seeds, similarity, score };
}

function presentDropped(match: DroppedMatchInUnit): WireSource["dropped_matches"][number] {
  return {
    ...presentPlaces(match.query, match.sourceDocument),
    reason: match.reason,
    matched_words: match.matchedWords,
    score: match.score,
    own_names: [...(match.ownNames ?? [])],
  };
}

const FILTERS = {
  excludeQuotes: "exclude_quotes",
  excludeBibliography: "exclude_bibliography",
  minWords: "min_words",
  excludeSources: "exclude_sources",
  excludePassages: "exclude_passages",
  matchTypes: "match_types",
  matchGroups: "match_groups",
  standing: "standing_exclusions",
} as const satisfies Record<keyof ReportFilters, (typeof FILTER_NAMES)[number]>;

export function presentSourceText(
  { source, excerpt, textLength }: SourceTextView,
  unit: OffsetUnit,
): z.output<typeof SourceText> {
  return {
    source_document_id: source.documentId,
    title: source.title,
    source_url: source.sourceUrl,
    language: source.language,
    offset_unit: unit,
    char_count: textLength,
    start: excerpt.start,
    end: excerpt.end,
    text: excerpt.text,
  };
}
