import { z } from "zod";
import { Count, Offset, Uuid } from "../http/input/wire-types.ts";
import { DROP_REASONS } from "../matching/words/dropped-matches.ts";

/** The filters, under the names of their parameters. */
export const FILTER_NAMES = [
  "exclude_quotes",
  "exclude_bibliography",
  "min_words",
  "exclude_sources",
  "exclude_passages",
  "match_types",
] as const;

export const PassageExplanation = z
  .object({
    matched_words: Count.describe("Words that are equal on both sides, compared one by one."),
    seeds: Count.describe("Candidates from which the passage was merged."),
    similarity: z
      .number()
      .min(0)
      .max(1)
      .describe(
        "Share of the words on both sides that are equal and in the same order. It decides match_type.",
      ),
    score: z
      .number()
      .describe(
        "Log-odds of reuse above the threshold for a passage. A passage with a score below 0 is reported if other evidence, such as an exact copy, outweighs it.",
      ),
  })
  .meta({ id: "PassageExplanation" });

const CandidateHit = z
  .object({
    query_chunk_index: Count,
    source_chunk_index: Count,
    shared_shingles: Count.describe("Sampled five-word shingles that occur in both chunks."),
    shared_terms: Count.describe("Rare words of the query's chunk that also occur in the source's chunk."),
  })
  .meta({ id: "CandidateHit" });

const DroppedMatch = z
  .object({
    query_start: Offset,
    query_end: Offset,
    source_document_start: Offset,
    source_document_end: Offset,
    reason: z
      .enum(DROP_REASONS)
      .describe(
        "Why the match is not reported. `too_short`: too little evidence; `duplicate`: a better match of the source covers the text; `remainder_too_short`: too little remains beside better matches; `set_phrase`: boilerplate; `weak_meaning`: sentences that resemble those of the source, but not enough. Reasons may be added.",
      ),
    matched_words: Count.describe("0 for sentences that were compared by their meaning."),
    score: z
      .number()
      .describe(
        "Log-odds of reuse above the threshold for a passage. Those of words and of meaning are measured in different ways.",
      ),
    own_names: z
      .array(z.string())
      .describe(
        "Of sentences that were compared by their meaning: names and numbers that the source lacks there, which speak against reuse, at most 12. Empty for other matches, and between two languages.",
      ),
  })
  .meta({ id: "DroppedMatch" });

export const SourceExplanation = z
  .object({
    hits: z
      .array(CandidateHit)
      .describe(
        "Chunks found by words, strongest first, at most 8; none if meaning alone found the document.",
      ),
    hit_count: Count.describe("Number of chunks found by words."),
    dropped_matches: z
      .array(DroppedMatch)
      .describe(
        "Matches that are not reported, best first, at most 5; the best by words and the best by meaning are among them.",
      ),
    dropped_counts: z.partialRecord(z.enum(DROP_REASONS), Count).describe("All dropped matches, by reason."),
  })
  .meta({ id: "SourceExplanation" });

export const ReportExplanation = z
  .object({
    candidate_count: Count.nullable().describe(
      "Documents found by words, and those found by meaning that have a match.",
    ),
    unreported_candidates: z
      .array(z.object({ source_document_id: Uuid, title: z.string(), explanation: SourceExplanation }))
      .describe("Candidates without a passage that came closest to one, at most 20."),
    filtered_out: z
      .array(
        z.object({
          source_document_id: Uuid,
          query_start: Offset,
          query_end: Offset,
          filter: z.enum(FILTER_NAMES),
        }),
      )
      .describe("Passages and parts of passages that the filters of this request excluded, by source."),
  })
  .meta({ id: "ReportExplanation" });
