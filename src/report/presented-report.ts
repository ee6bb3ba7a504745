import { z } from "zod";
import {
  Count,
  DisplayTitle,
  FileProperties,
  LanguageOriginName,
  Offset,
  PageNote,
  Percentage,
  Timestamp,
  Uuid,
} from "../http/input/wire-types.ts";
import { MEANING_REASONS } from "../matching/meaning/meaning-reason.ts";
import { DROP_REASONS } from "../matching/words/dropped-matches.ts";
import { HIDING_MEANS, INTEGRITY_KINDS } from "../text/integrity.ts";
import { byMatchType, MATCH_TYPES_CLOSEST_FIRST } from "./figures/exclusive-spans.ts";
import { byMatchGroup, MATCH_GROUPS, UNSURE_REASONS } from "./figures/match-groups.ts";
import { LEAVE_OUT } from "./figures/report.ts";
import { ListedReview, ShownReview } from "./review.ts";

export const OFFSET_UNITS = ["code_point", "utf16"] as const;

export const OffsetUnitParameter = z
  .enum(OFFSET_UNITS)
  .default("code_point")
  .describe(
    "The unit of offsets, and of lengths: Unicode code points, or UTF-16 units as in a JavaScript string.",
  );

/** The units of an answer. */
export const UnitsQuery = z.object({
  offset_unit: OffsetUnitParameter,
  length_unit: z
    .enum(OFFSET_UNITS)
    .optional()
    .describe("The unit of lengths, such as `total_matched_chars`, where it is not that of the offsets."),
});

/** Where a piece of the query and its counterpart in a source lie. */
const PLACES = {
  query_start: Offset,
  query_end: Offset,
  source_document_start: Offset,
  source_document_end: Offset,
};

/** The filters, under the names of their parameters. */
export const FILTER_NAMES = [
  "exclude_quotes",
  "exclude_bibliography",
  "min_words",
  "exclude_sources",
  "exclude_passages",
  "match_types",
  "match_groups",
  "standing_exclusions",
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
    ...PLACES,
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

const MeaningComparison = z
  .object({
    sentence_pairs: z
      .array(
        z.object({
          ...PLACES,
          margin: z
            .number()
            .describe(
              "How much more similar the two sentences are than such sentences usually are, from -1 to 1.",
            ),
        }),
      )
      .describe("Sentences that correspond, in the order of the text."),
    shared_words: z
      .array(z.string())
      .describe("Names, numbers and rare words that both sides contain, rarest first, at most 12."),
    own_names: z
      .array(z.string())
      .describe(
        "Names and numbers of the passage that are missing at its place in the source, at most 12. They speak against reuse. Empty for translations and for passages seen from the source.",
      ),
    query_language: z
      .string()
      .nullable()
      .describe(
        "ISO 639-1 code of the language that the passage itself is in, or of its text where the passage does not tell.",
      ),
    source_language: z.string().nullable().describe("The same of the passage in the source."),
  })
  .meta({ id: "MeaningComparison" });

const MatchTypeName = z
  .enum(MATCH_TYPES_CLOSEST_FIRST)
  .describe("How the text was reused; `translated`: the passage in the source is in another language.");

const PassageRun = z
  .object({
    ...PLACES,
    match_type: MatchTypeName,
  })
  .meta({ id: "PassageRun" });

const Acknowledgement = z
  .object({
    unsure_reason: z
      .enum(UNSURE_REASONS)
      .nullable()
      .describe(
        "Null unless the group is `unsure`. `partly_quoted`: a part of the passage is in quotation marks. `possible_citation`: a citation whose form is " +
          "uncertain, or up to two sentences away. `other_work_cited`: the bibliography says that the citation is of another work. `possible_block_quote`: a " +
          "paragraph behind a colon. `in_bibliography`: the passage is a part of it.",
      ),
    quotations: z
      .array(z.array(Offset).length(2))
      .describe("[start, end) pairs: the quotations at the passage."),
    citations: z
      .array(z.array(Offset).length(2))
      .describe("[start, end) pairs: the citations that were considered."),
  })
  .meta({ id: "Acknowledgement" });

const Passage = z
  .object({
    query_start: Offset,
    query_end: Offset.describe("Exclusive."),
    source_chunk_index: z
      .int()
      .min(0)
      .describe("The chunk of the source in which the passage begins, from 0."),
    source_start: Offset.describe("From the start of that chunk."),
    source_end: Offset.describe("May lie beyond the end of that chunk."),
    source_document_start: Offset.describe("From the start of the source's extracted text."),
    source_document_end: Offset,
    match_type: MatchTypeName,
    runs: z
      .array(PassageRun)
      .describe(
        "The passage divided where its match type changes for a sentence or more: ascending, without gaps, at least one. " +
          "Filters and totals by match type go by runs.",
      ),
    overlap_text_preview: z.string().describe("At most 200 characters of the source; for display only."),
    meaning: MeaningComparison.nullable().describe(
      "For passages found by their meaning; null for passages found by their words.",
    ),
    note: z.string().nullable().describe("What a reader wrote about the passage."),
    match_group: z
      .enum(MATCH_GROUPS)
      .optional()
      .describe(
        "How the text acknowledges the passage: by quotation marks or a block quote, and by a citation in its sentences or right behind them. " +
          "`unsure`: it can't be told, see `acknowledgement`. `neither`: nothing near the passage is a quotation or may be a citation.",
      ),
    acknowledgement: Acknowledgement.optional().describe("With `explain=true` only."),
    explanation: PassageExplanation.nullable()
      .optional()
      .describe("With `explain=true` only. Null if nothing was recorded."),
  })
  .meta({ id: "Passage" });

const Source = z
  .object({
    number: z
      .int()
      .min(1)
      .describe(
        "Its place in the report without filters, from 1 for the source with the most matched text. Pages and exports show it, " +
          "so that filters do not change how a source is called.",
      ),
    source_document_id: Uuid,
    title: z.string(),
    source_filename: z.string(),
    source_url: z.string().nullable(),
    document_url: z
      .string()
      .nullable()
      .describe("Where the API has the document; null for documents added in bulk, which it does not list."),
    language: z.string().describe("ISO 639-1 code of the source's language."),
    similarity_pct: Percentage,
    matched_chars: Count.describe("Length of the union of its passages."),
    exclusive_matched_chars: Count.describe(
      "Length of the text that this source explains better than any other: those of all sources, with those deleted since, add up " +
        "to total_matched_chars.",
    ),
    passages: z.array(Passage).describe("Ascending by query_start."),
    explanation: SourceExplanation.nullable()
      .optional()
      .describe("With `explain=true` only. Null if nothing was recorded."),
  })
  .meta({ id: "Source" });

const IntegrityFlag = z
  .object({
    kind: z
      .enum(INTEGRITY_KINDS)
      .describe(
        "`homoglyphs`: a word that mixes scripts. `invisible_characters`: invisible characters where no script needs them. " +
          "`bidi_controls`: controls that change the text direction. `spaced_letters`: words with spaces or signs between " +
          "their letters, which hide a copy from a search for words. `garbled_text`: text that is no language as it stands, such as " +
          "words without blanks between them, with signs, digits or doubled letters in them, or of random letters. " +
          "`hidden_text`: text of the file that its reader does not see, " +
          "which is not compared and not part of the text: `start` and `end` are equal. Kinds may be added.",
      ),
    start: Offset,
    end: Offset,
    detail: z.string(),
    hidden: z
      .object({
        means: z
          .enum(HIDING_MEANS)
          .describe(
            "How it is hidden: in the colour of its background, in letters of less than 2 points, marked as not to be shown, " +
              "outside the visible part of the page, covered by a shape, transparent, or on a layer that is switched off. Means may be added.",
          ),
        chars: Count.describe("Its length."),
        text: z.string().describe("The hidden text, or the beginning of a longer one."),
      })
      .optional()
      .describe("The text of a flag of kind `hidden_text`; missing where one flag stands for many."),
  })
  .meta({ id: "IntegrityFlag" });

const MatchTypeShare = z
  .object({ matched_chars: Count, similarity_pct: Percentage })
  .meta({ id: "MatchTypeShare" });

const Filters = z
  .object({
    applied: z.record(z.string(), z.unknown()).describe("The filters as given."),
    unfiltered_similarity_pct: Percentage,
  })
  .meta({ id: "ReportFilters" });

const ReportNote = z
  .object({
    passage: z.string().describe("Names the passage, as in `exclude_passages`."),
    source_document_id: Uuid,
    query_start: Offset,
    query_end: Offset,
    note: z.string(),
  })
  .meta({ id: "ReportNote" });

const MatchGroupShare = z
  .object({ passages: Count, matched_chars: Count, similarity_pct: Percentage })
  .meta({ id: "MatchGroupShare" });

const MatchTypeShares = z.object(byMatchType(() => MatchTypeShare));

export const MemberPassage = Passage.pick({
  query_start: true,
  query_end: true,
  source_document_start: true,
  source_document_end: true,
  match_type: true,
  runs: true,
  meaning: true,
}).meta({ id: "MemberPassage" });

const MemberMatch = z
  .object({
    member_id: Uuid,
    check_id: Uuid.describe("The check of that member."),
    name: z.string(),
    group: z.string().nullable(),
    language: z.string(),
    similarity_pct: Percentage.describe("The share of this check's text, outside the templates."),
    matched_chars: Count,
    passages: z
      .array(MemberPassage)
      .describe("Ascending by query_start. Source offsets are those of the other member's text."),
  })
  .meta({ id: "MemberMatch" });

const BatchMatches = z
  .object({
    batch_id: Uuid,
    member_id: Uuid.describe("The member of the batch that this check is."),
    is_complete: z.boolean().describe("Whether all members of the batch have been compared."),
    is_compared_with_corpus: z
      .boolean()
      .describe("False if the batch compares its members with each other only: no source can be found then."),
    similarity_pct: Percentage.describe("The share of this check's text that any of these members has too."),
    matched_chars: Count,
    members_total: Count.describe("Members with passages in common."),
    members: z
      .array(MemberMatch)
      .describe("Descending by the matched text, at most 100. Filters do not apply to them."),
  })
  .meta({ id: "BatchMatches" });

const ShownExclusions = z
  .object({
    is_applied: z.boolean().describe("False with `standing_exclusions=false`."),
    sources: z.array(Uuid),
    collections: z.array(z.string()),
    phrases: z.array(z.string()),
    sections: z.array(z.string()).describe("Sections by their kind or heading."),
    excluded_passages: Count.describe("Passages, and parts of passages, that were taken away."),
    excluded_chars: Count.describe("Text in them."),
    similarity_pct_without: Percentage.describe("The score without these exclusions and without filters."),
  })
  .meta({ id: "StandingExclusions" });

const ShownScope = z
  .object({
    leave_out: z.enum(LEAVE_OUT).optional().describe("Which documents were not compared."),
    collections: z.array(z.string()).optional().describe("The only collections that were compared."),
  })
  .meta({ id: "ReportScope" });

export const Report = z
  .object({
    check_id: Uuid,
    title: z.string().nullable(),
    display_title: DisplayTitle,
    ...FileProperties.shape,
    language: z.string(),
    language_origin: LanguageOriginName,
    overall_similarity_pct: Percentage,
    total_matched_chars: Count.describe("Length of unique_passages."),
    compared_chars: Count.describe(
      "Length of the text that percentages are shares of: all of it, less what filters exclude.",
    ),
    match_types: MatchTypeShares.describe(
      "The matched text by match type. Each character is counted once, with the closest type, so that these add up to " +
        "total_matched_chars and overall_similarity_pct.",
    ),
    match_groups: z
      .object(byMatchGroup(() => MatchGroupShare))
      .optional()
      .describe(
        "The passages by match group. Each character is counted once, in its best acknowledged group. Missing without passages.",
      ),
    query_text: z.string().describe("The text exactly as submitted."),
    char_count: Count,
    word_count: Count,
    duration_seconds: z.number().min(0),
    sources: z.array(Source).describe("Descending by matched_chars."),
    unique_passages: z
      .array(z.array(Offset).length(2))
      .describe("[start, end) pairs over query_text: ascending, disjoint, the union over all sources."),
    coverage: z.enum(["full", "partial"]),
    coverage_reason: z
      .enum(["time_cap", "unread_pages"])
      .nullable()
      .describe(
        "Null when coverage is full. `time_cap`: the time budget ended, perhaps while a part of the index did not answer. " +
          "`unread_pages`: the text of some pages could not be read, see `page_notes`.",
      ),
    page_notes: z.array(PageNote).optional().describe("Missing where all pages were read as usual."),
    checked_chunks: Count,
    total_chunks: Count,
    corpus_sources: Count.describe(
      "Number of documents that the text was compared with; beyond 10,000, an estimate.",
    ),
    scope: ShownScope.optional().describe(
      "What the check was limited to; missing if the text was compared with the whole corpus.",
    ),
    documents_pending: Count.describe(
      "Uploads accepted before the check that were not compared, because they were not fingerprinted within 20 seconds.",
    ),
    uncompared_documents: z
      .array(z.object({ document_id: Uuid, title: z.string() }).meta({ id: "UncomparedDocument" }))
      .optional()
      .describe(
        "The first 20 of these uploads, oldest first, without deleted ones. Missing where `documents_pending` is 0.",
      ),
    semantic_coverage: z
      .enum(["full", "partial", "none"])
      .describe(
        "Whether the meaning of the text was compared with all, some or none of the corpus documents.",
      ),
    semantic_coverage_reason: z
      .enum(MEANING_REASONS)
      .nullable()
      .describe(
        "Null when coverage is full. `off`: switched off. `unavailable`: the encoder is not available. `not_encoded`: " +
          "documents wait for their sentences to be encoded. `time_cap`: the time budget ended, or a part of the index did not answer. `no_sentences`: the text has none.",
      ),
    semantic_documents: Count.describe(
      "Number of documents whose meaning the text was compared with; beyond 10,000, an estimate.",
    ),
    integrity_flags: z
      .array(IntegrityFlag)
      .describe(
        "Ascending. If there are more than 1,000, one flag of each kind gives the number of the others.",
      ),
    page_margins: z
      .array(z.array(Offset).length(2))
      .describe(
        "[start, end) pairs over query_text: headers, footers, and the numbers of pages and lines of a PDF, which are not compared.",
      ),
    batch: BatchMatches.nullable().describe(
      "The other members of a batch, for a check that is one. They do not count as sources, nor in the figures above. Null for other checks.",
    ),
    offset_unit: z.enum(OFFSET_UNITS),
    notes: z
      .array(ReportNote)
      .describe(
        "All notes in the order of the text, also those on passages that filters exclude or whose source was deleted.",
      ),
    filters: Filters.nullable().describe("Null unless the request has filters."),
    standing_exclusions: ShownExclusions.optional().describe(
      "What the operator leaves out of all reports, and what that took away from this one; missing if nothing is left out.",
    ),
    review: ShownReview.optional().describe(
      "What was kept of the report, with `review=true`; missing if nothing was.",
    ),
    explanation: ReportExplanation.optional().describe("With `explain=true` only."),
    created_at: Timestamp,
    completed_at: Timestamp,
  })
  .meta({ id: "Report" });

export type WireReport = z.output<typeof Report>;

export type WirePassage = WireReport["sources"][number]["passages"][number];

/** The parts of a report that the answers of other features have too. */
export const SharedSchemas = {
  IntegrityFlag,
  ListedReview,
  MatchTypeShares,
  PageNote,
  ShownScope,
  UnitsQuery,
} as const;
