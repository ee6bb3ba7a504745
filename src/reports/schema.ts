import { z } from "zod";
import { INTEGRITY_KINDS } from "../core/text/integrity.ts";
import { queryBoolean, queryInteger, uuidList, wordList } from "../http/input/wire-types.ts";
import { PassageExplanation, ReportExplanation, SourceExplanation } from "./explanation-schema.ts";

const MATCH_TYPES = ["identical", "minor_changes", "paraphrased"] as const;
export const OFFSET_UNITS = ["code_point", "utf16"] as const;

export const OffsetUnitParameter = z
  .enum(OFFSET_UNITS)
  .default("code_point")
  .describe(
    "What offsets and lengths count: Unicode code points, or UTF-16 units as in a JavaScript string.",
  );

/** What is left out of a report. */
export const ReportFiltersQuery = z.object({
  exclude_quotes: queryBoolean().optional().describe("Leaves out text in quotation marks and block quotes."),
  exclude_bibliography: queryBoolean().optional().describe("Leaves out lists of references."),
  min_words: queryInteger({ min: 0, max: 1_000_000 })
    .optional()
    .describe("The shortest passage kept, in words."),
  exclude_sources: uuidList().optional().describe("Identifiers of source documents to leave out."),
  match_types: wordList(MATCH_TYPES).optional().describe("The kinds of match to keep."),
});

/** Which report is read: the unit of its offsets, and what is left out of it. */
export const ReportSelectionQuery = z.object({
  offset_unit: OffsetUnitParameter,
  ...ReportFiltersQuery.shape,
});

export const ReportQuery = ReportSelectionQuery.extend({
  explain: queryBoolean()
    .optional()
    .describe(
      "Adds to the report, its sources and its passages an `explanation`: why they are there, and what is not.",
    ),
});

export const ReportParams = z.object({
  check_id: z
    .string()
    .meta({ format: "uuid", examples: ["01a1fdd2-fdd2-707b-bd4c-8ab108c3deaf"] })
    .describe("Identifier of the check."),
});

const Offset = z.int().min(0);
const Count = z.int().min(0);
const Percentage = z.number().min(0).max(100).describe("Two decimals, rounded half up once.");
const Timestamp = z.string().meta({ format: "date-time" });

const Passage = z
  .object({
    query_start: Offset,
    query_end: Offset.describe("Exclusive."),
    source_chunk_index: z
      .int()
      .min(0)
      .describe("The chunk of the source in which the passage begins, from 0."),
    source_start: Offset.describe("From the start of that chunk."),
    source_end: Offset.describe("A longer passage runs on past that chunk's end."),
    source_document_start: Offset.describe("From the start of the source's extracted text."),
    source_document_end: Offset,
    match_type: z.enum(MATCH_TYPES),
    overlap_text_preview: z.string().describe("At most 200 characters of the source; for display only."),
    explanation: PassageExplanation.nullable()
      .optional()
      .describe("With `explain=true` only. Null where nothing was kept."),
  })
  .meta({ id: "Passage" });

const Source = z
  .object({
    source_document_id: z.string().meta({ format: "uuid" }),
    title: z.string(),
    source_filename: z.string(),
    source_url: z.string().nullable(),
    similarity_pct: Percentage,
    matched_chars: Count.describe("Length of the union of its passages."),
    passages: z.array(Passage).describe("Ascending by query_start."),
    explanation: SourceExplanation.nullable()
      .optional()
      .describe("With `explain=true` only. Null where nothing was kept."),
  })
  .meta({ id: "Source" });

const IntegrityFlag = z
  .object({
    kind: z
      .enum(INTEGRITY_KINDS)
      .describe(
        "`homoglyphs`: a word that mixes scripts. `invisible_characters`: characters that show nothing, where no script " +
          "needs them. `bidi_controls`: controls that turn the reading direction. `spaced_letters`: words with spaces or " +
          "signs between their letters, which hide a copy from a search for words as much as the others do. Kinds may be added.",
      ),
    start: Offset,
    end: Offset,
    detail: z.string(),
  })
  .meta({ id: "IntegrityFlag" });

const Filters = z
  .object({
    applied: z.record(z.string(), z.unknown()).describe("The filters as they were given."),
    unfiltered_similarity_pct: Percentage,
  })
  .meta({ id: "ReportFilters" });

export const Report = z
  .object({
    check_id: z.string().meta({ format: "uuid" }),
    title: z.string().nullable(),
    language: z.string(),
    overall_similarity_pct: Percentage,
    total_matched_chars: Count.describe("Length of unique_passages."),
    query_text: z.string().describe("The text exactly as submitted."),
    char_count: Count,
    word_count: Count,
    duration_seconds: z.number().min(0),
    sources: z.array(Source).describe("Descending by matched_chars."),
    unique_passages: z
      .array(z.array(Offset).length(2))
      .describe("[start, end) pairs over query_text: ascending, disjoint, the union over all sources."),
    coverage: z.enum(["full", "partial"]),
    coverage_reason: z.literal("time_cap").nullable().describe("Null when coverage is full."),
    checked_chunks: Count,
    total_chunks: Count,
    corpus_sources: Count.describe("About how many documents the check ran against."),
    documents_pending: Count.describe(
      "Uploads that were accepted before the check and could not be compared, as they were not fingerprinted within a minute.",
    ),
    integrity_flags: z
      .array(IntegrityFlag)
      .describe(
        "Ascending. Of more than 1,000, one of each kind stands for the rest and says how many they are.",
      ),
    offset_unit: z.enum(OFFSET_UNITS),
    filters: Filters.nullable().describe("Null unless the request asked for filters."),
    explanation: ReportExplanation.optional().describe("With `explain=true` only."),
    created_at: Timestamp,
    completed_at: Timestamp,
  })
  .meta({ id: "Report" });
