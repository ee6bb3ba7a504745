import type { Database } from "../platform/postgres/database.ts";
import type { ReportFilters } from "../report/figures/filters.ts";
import type { ReportInUnit, SourceInUnit } from "../report/figures/offset-unit.ts";
import { codePointOffsets } from "../text/code-points.ts";
import { joinSpans, type Span } from "../text/span.ts";
import { wordCount } from "../text/word-count.ts";
import { filtersOf, type Similarity, type Submission, type TopMatch } from "./submission.ts";
import type { SubmissionStore } from "./submission-store.ts";

const TOP_MATCHES_MAX = 20;

/** The scores of a report with the filters of its submission. @throws DomainError `check_not_found`, `check_not_complete` */
export type MeasureSimilarity = (submission: Submission) => Promise<Similarity>;

/** A report with filters, in UTF-16 offsets. @throws DomainError `check_not_found`, `check_not_complete` */
type ReadFiltered = (
  checkId: string,
  filters: ReportFilters | undefined,
) => Promise<{
  readonly stored: {
    readonly queryText: string;
    readonly language: string;
    readonly sources: readonly { documentId: string; title: string; sourceUrl: string | null }[];
  };
  readonly figures: { readonly report: ReportInUnit };
}>;

type MeasureParts = {
  readonly database: Database;
  readonly submissions: SubmissionStore;
  readonly readFiltered: ReadFiltered;
};

/** Percentages are whole numbers, which clients store as integers. Text that two kinds of sources have counts for both. */
export function createMeasureSimilarity({
  database,
  submissions,
  readFiltered,
}: MeasureParts): MeasureSimilarity {
  return async (submission) => {
    const { submissionId, checkId, requestedAt } = submission;
    const { stored, figures } = await readFiltered(checkId ?? "", filtersOf(submission));
    const { sources, comparedChars, overallSimilarityPct } = figures.report;
    const ofSubmissions = await submissions.listByDocument(
      database,
      sources.map(({ documentId }) => documentId),
    );
    const submissionOf = new Map(ofSubmissions.map((one) => [one.documentId, one]));
    const facts = new Map(stored.sources.map((source) => [source.documentId, source]));
    const typeOf = (documentId: string): TopMatch["source_type"] => {
      if (submissionOf.has(documentId)) return "SUBMITTED_WORK";
      return facts.get(documentId)?.sourceUrl == null ? "PUBLICATION" : "INTERNET";
    };
    const { toCodePoint } = codePointOffsets(stored.queryText);
    const share = (type: TopMatch["source_type"]) => {
      const spans = joinSpans(
        sources.flatMap((one) => (typeOf(one.documentId) === type ? placesOf(one) : [])),
      );
      const chars = spans.reduce((sum, { start, end }) => sum + toCodePoint(end) - toCodePoint(start), 0);
      return Math.min(100, Math.round((100 * chars) / Math.max(1, comparedChars)));
    };
    const wordsOf = ({ start, end }: Span) => wordCount(stored.queryText.slice(start, end), stored.language);
    return {
      submission_id: submissionId,
      status: "COMPLETE",
      overall_match_percentage: Math.round(overallSimilarityPct),
      internet_match_percentage: share("INTERNET"),
      publication_match_percentage: share("PUBLICATION"),
      submitted_works_match_percentage: share("SUBMITTED_WORK"),
      top_source_largest_matched_word_count: Math.max(0, ...placesOf(sources[0]).map(wordsOf)),
      top_matches: sources.slice(0, TOP_MATCHES_MAX).map((source) => {
        const work = submissionOf.get(source.documentId);
        return {
          name: facts.get(source.documentId)?.title ?? "",
          percentage: source.similarityPct,
          source_type: typeOf(source.documentId),
          matched_word_count_total: placesOf(source).reduce((sum, place) => sum + wordsOf(place), 0),
          ...(work !== undefined && {
            submission_id: work.submissionId,
            submitted_date: work.createdAt.toISOString(),
          }),
        };
      }),
      time_requested: (requestedAt ?? new Date()).toISOString(),
      time_generated: new Date().toISOString(),
    };
  };
}

/** The parts of the query that a source has too: ascending, disjoint. */
function placesOf(source: SourceInUnit | undefined): Span[] {
  return joinSpans(source?.passages.map(({ query }) => query) ?? []);
}
