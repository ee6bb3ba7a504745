import { z } from "zod";
import { DROP_REASONS } from "../core/alignment/decision.ts";

/** The filters, under the names of the parameters that ask for them. */
export const FILTER_NAMES = [
  "exclude_quotes",
  "exclude_bibliography",
  "min_words",
  "exclude_sources",
  "match_types",
] as const;

const Offset = z.int().min(0);
const Count = z.int().min(0);
const DocumentId = z.string().meta({ format: "uuid" });

export const PassageExplanation = z
  .object({
    matched_words: Count.describe("Words that are equal on both sides, one by one."),
    seeds: Count.describe("The pieces that the passage was put together from."),
    similarity: z
      .number()
      .min(0)
      .max(1)
      .describe("The share of the words of both sides that are equal in order; match_type is decided by it."),
    score: z
      .number()
      .describe(
        "Log-odds of reuse beyond what is asked of a passage; a verbatim copy is reported below 0 too.",
      ),
  })
  .meta({ id: "PassageExplanation" });

const CandidateHit = z
  .object({
    query_chunk_index: Count,
    source_chunk_index: Count,
    shared_shingles: Count.describe("Sampled five-word shingles that both chunks have."),
    shared_terms: Count.describe("Rare words of the query's chunk that the source's has too."),
  })
  .meta({ id: "CandidateHit" });

const DroppedMatch = z
  .object({
    query_start: Offset,
    query_end: Offset,
    source_document_start: Offset,
    source_document_end: Offset,
    reason: z.enum(DROP_REASONS).describe("Why it is no passage of the report. Reasons may be added."),
    matched_words: Count,
    score: z.number(),
  })
  .meta({ id: "DroppedMatch" });

/** How a document became a candidate, and what of it the check did not report. */
export const SourceExplanation = z
  .object({
    hits: z.array(CandidateHit).describe("Chunks that retrieval found, strongest first, at most 8."),
    hit_count: Count.describe("All chunks that it found."),
    dropped_matches: z.array(DroppedMatch).describe("Matches that are not reported, best first, at most 5."),
    dropped_counts: z.partialRecord(z.enum(DROP_REASONS), Count).describe("All of them, by reason."),
  })
  .meta({ id: "SourceExplanation" });

export const ReportExplanation = z
  .object({
    candidate_count: Count.nullable().describe(
      "Documents that retrieval found. Null for a check that ran before explanations were kept.",
    ),
    unreported_candidates: z
      .array(z.object({ source_document_id: DocumentId, title: z.string(), explanation: SourceExplanation }))
      .describe("Candidates without a passage that came nearest to one, at most 20."),
    filtered_out: z
      .array(
        z.object({
          source_document_id: DocumentId,
          query_start: Offset,
          query_end: Offset,
          filter: z.enum(FILTER_NAMES),
        }),
      )
      .describe("Passages and parts of passages that the filters of this request left out, by source."),
  })
  .meta({ id: "ReportExplanation" });
