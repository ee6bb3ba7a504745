// Generated from the engine's OpenAPI document by scripts/generate-client.ts. Do not edit.

import { path, type RequestOptions, type Transport } from "../request.ts";

export type SubmitCheckBody = {
  /** The text to check, kept as it is. */
  readonly query_text: string;
  /** ISO 639-1 code of the text's language; it determines its words and sentences. Without it, the language is detected; `en` where that is not reliable, as in short or mixed texts. */
  readonly language?: string | null;
  readonly title?: string | null;
};

export type UploadCheckForm = {
  /** Language of the text, an ISO 639-1 code. Without it, the language is detected; `en` where that is not reliable, as in short or mixed texts. */
  readonly language?: string | "";
  /** Display name; the file's name by default. */
  readonly title?: string | "";
  /** PDF, DOCX or TXT, at most 10 MiB. */
  readonly file: Blob;
};

export type RenameCheckBody = { readonly title: string | null };

export type NoteBody = {
  /** Plain text of up to 2,000 characters. An empty one removes the note. */
  readonly text: string;
};

export type CompareTextsBody = {
  /** The text whose passages are looked for. */
  readonly query_text: string;
  /** The text in which they are looked for. */
  readonly source_text: string;
  /** ISO 639-1 code of the query's language. Without it, the language is detected; `en` where that is not reliable, as in short or mixed texts. */
  readonly language?: string | null;
  /** ISO 639-1 code of the source's language. Without it, the language is detected; `en` where that is not reliable, as in short or mixed texts. */
  readonly source_language?: string | null;
};

export type CompareFilesForm = {
  /** PDF, DOCX or TXT, at most 10 MiB. */
  readonly query_file?: Blob;
  /** In place of `query_file`. */
  readonly query_text?: string | "";
  /** PDF, DOCX or TXT, at most 10 MiB. */
  readonly source_file?: Blob;
  /** In place of `source_file`. */
  readonly source_text?: string | "";
  /** ISO 639-1 code of the query's language. Without it, the language is detected; `en` where that is not reliable, as in short or mixed texts. */
  readonly language?: string | "";
  /** ISO 639-1 code of the source's language. Without it, the language is detected; `en` where that is not reliable, as in short or mixed texts. */
  readonly source_language?: string | "";
};

export type UploadDocumentForm = {
  /** A display name; by default the file name without its extension. */
  readonly title?: string | "";
  /** Language of the text, an ISO 639-1 code. Without it, the language is detected; `en` where that is not reliable, as in short or mixed texts. */
  readonly language?: string | "";
  /** Where the document is published; shown in reports, never fetched. */
  readonly source_url?: string | "";
  /** A PDF, DOCX, TXT or Markdown file of at most 10 MiB, unless the operator has set another limit. */
  readonly file: Blob;
};

export type CorrectDocumentBody = {
  /** ISO 639-1 code of the text's language; it determines its words and sentences. */
  readonly language: string;
};

export type SubmitBatchForm = {
  /** PDF, DOCX or text files of at most 10 MiB each, or ZIP archives of them. Names may be paths. */
  readonly files: readonly Blob[];
  /** The group of all these files. */
  readonly group?: string | "";
  /** Whether files of one folder are a group, which has its path as its name. The folder that all paths have in common is no group. */
  readonly group_by_folder?: "true" | "false" | "";
  /** Files that were handed out: what comes from them is not compared. */
  readonly templates?: readonly Blob[];
  readonly title?: string | "";
  /** ISO 639-1 code of the language of all members. Without it, the language is detected; `en` where that is not reliable, as in short or mixed texts. */
  readonly language?: string | "";
  /** What the members are compared with: each other (`members`, the default), the `corpus`, or `both`. */
  readonly compare_with?: "corpus" | "members" | "both" | "";
  /** Whether the members become documents of the corpus once the batch is complete. */
  readonly add_to_corpus?: "true" | "false" | "";
  /** Text that more than this share of the members has in common, and at least ten of them, is marked as common; from 0.01 to 1, by default 0.2. */
  readonly common_share?: string | "";
};

export type SubmitBatchBody = {
  readonly members: readonly MemberText[];
  /** Texts that were handed out, such as the assignment: what comes from them is not compared. */
  readonly templates?: readonly string[] | null;
  readonly title?: string | null;
  /** ISO 639-1 code of the language of all members. Without it, the language is detected; `en` where that is not reliable, as in short or mixed texts. */
  readonly language?: string | null;
  /** What the members are compared with: each other (`members`, the default), the `corpus`, or `both`. */
  readonly compare_with?: "corpus" | "members" | "both" | null;
  /** Whether the members become documents of the corpus once the batch is complete. */
  readonly add_to_corpus?: boolean | null;
  /** Text that more than this share of the members has in common, and at least ten of them, is marked as common; from 0.01 to 1, by default 0.2. */
  readonly common_share?: number | null;
};

export type MemberText = {
  /** The text, kept as it is. */
  readonly text: string;
  /** Names the member; `text` and its number by default. */
  readonly name?: string | null;
  /** Members of one group are not compared with each other. */
  readonly group?: string | null;
};

export type AddMembersForm = {
  /** PDF, DOCX or text files of at most 10 MiB each, or ZIP archives of them. Names may be paths. */
  readonly files: readonly Blob[];
  /** The group of all these files. */
  readonly group?: string | "";
  /** Whether files of one folder are a group, which has its path as its name. The folder that all paths have in common is no group. */
  readonly group_by_folder?: "true" | "false" | "";
};

export type AddMembersBody = { readonly members: readonly MemberText[] };

export type RenameBatchBody = { readonly title: string | null };

export type SubmittedCheck = {
  readonly check_id: string;
  readonly status_url: string;
  readonly progress_url: string;
  readonly report_url: string;
};

/** An error (RFC 9457). */
export type Problem = {
  /** The path of the page that explains this kind of problem, relative to the service. */
  readonly type: string;
  /** The kind of problem, in fixed words. */
  readonly title: string;
  /** The HTTP status. */
  readonly status: number;
  /** The cause of this error, and its remedy. */
  readonly detail: string;
  /** One entry for each fault of invalid input. */
  readonly errors?: readonly {
    /** The wire name; the names of nested members are joined with dots. */
    readonly field: string;
    /** The expected value. */
    readonly message: string;
  }[];
  /** Only for internal errors: the identifier to look for in the service's log. */
  readonly request_id?: string;
};

export type CheckList = {
  readonly items: readonly CheckRow[];
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
};

export type CheckRow = Check & {
  /** The first 120 characters of the text. */
  readonly query_text_preview: string;
};

export type Original = {
  readonly filename: string;
  readonly media_type:
    | "application/pdf"
    | "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
    | "text/plain"
    | "text/markdown";
  readonly size_bytes: number;
};

export type CheckStats = {
  readonly total_checks: number;
  /** Since the beginning of the current month in UTC. */
  readonly checks_this_month: number;
  /** Mean over the last checks to complete; null if there are none. */
  readonly avg_similarity_pct: number | null;
  /** Number of checks in the average, at most 100. */
  readonly avg_window_size: number;
  /** Over all checks. */
  readonly total_words: number;
  /** Documents in the corpus. */
  readonly total_sources: number;
};

export type Check = {
  readonly check_id: string;
  readonly status: "pending" | "running" | "complete" | "failed";
  /** Null unless the check is running. */
  readonly stage: "chunking" | "fingerprinting" | "retrieving" | "aligning" | "assembling" | null;
  readonly title: string | null;
  /** The title; without one, the first words of the text, about 60 characters. For display only. */
  readonly display_title: string;
  readonly language: string;
  /** `stated`: given with the text or corrected later; `detected` in the text; `default`: neither, so it is `en`. */
  readonly language_origin: "stated" | "detected" | "default";
  /** Null until the check is complete. */
  readonly overall_similarity_pct: number | null;
  /** The uploaded file, which can be downloaded; null if there was none or it was not kept. */
  readonly original: Original | null;
  readonly char_count: number;
  readonly word_count: number;
  /** Chunks of the text for which the corpus has been searched. */
  readonly chunks_done: number;
  readonly chunks_total: number;
  /** Null until the check is complete. */
  readonly coverage: "full" | "partial" | null;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly completed_at: string | null;
  readonly updated_at: string;
  /** Null unless the check has failed. */
  readonly error_message: string | null;
  readonly status_url: string;
  readonly progress_url: string;
  readonly report_url: string;
};

export type StreamedEvent = {
  /** The name of the final event. Others have none, which parsers report as `message`. */
  readonly event?: "message" | "complete" | "failed";
  readonly data: string;
};

export type Report = {
  readonly check_id: string;
  readonly title: string | null;
  /** The title; without one, the first words of the text, about 60 characters. For display only. */
  readonly display_title: string;
  readonly language: string;
  /** `stated`: given with the text or corrected later; `detected` in the text; `default`: neither, so it is `en`. */
  readonly language_origin: "stated" | "detected" | "default";
  /** Two decimals, rounded half up once. */
  readonly overall_similarity_pct: number;
  /** Length of unique_passages. */
  readonly total_matched_chars: number;
  /** Length of the text that percentages are shares of: all of it, less what filters exclude. */
  readonly compared_chars: number;
  /** The matched text by match type. Each character is counted once, with the closest type, so that these add up to total_matched_chars and overall_similarity_pct. */
  readonly match_types: {
    readonly identical: MatchTypeShare;
    readonly minor_changes: MatchTypeShare;
    readonly paraphrased: MatchTypeShare;
    readonly translated: MatchTypeShare;
  } | null;
  /** The text exactly as submitted. */
  readonly query_text: string;
  readonly char_count: number;
  readonly word_count: number;
  readonly duration_seconds: number;
  /** Descending by matched_chars. */
  readonly sources: readonly Source[];
  /** [start, end) pairs over query_text: ascending, disjoint, the union over all sources. */
  readonly unique_passages: readonly (readonly [number, number])[];
  readonly coverage: "full" | "partial";
  /** Null when coverage is full. */
  readonly coverage_reason: "time_cap" | null;
  readonly checked_chunks: number;
  readonly total_chunks: number;
  /** Number of documents that the text was compared with; beyond 10,000, an estimate. */
  readonly corpus_sources: number;
  /** Uploads accepted before the check that were not compared, because they were not fingerprinted within a minute. */
  readonly documents_pending: number;
  /** Whether the meaning of the text was compared with all, some or none of the corpus documents. */
  readonly semantic_coverage: "full" | "partial" | "none";
  /** Null when coverage is full. `off`: switched off. `unavailable`: the encoder is not available. `not_encoded`: documents wait for their sentences to be encoded. `time_cap`: the time budget ended. `no_sentences`: the text has none. */
  readonly semantic_coverage_reason:
    | "off"
    | "unavailable"
    | "not_encoded"
    | "time_cap"
    | "no_sentences"
    | null;
  /** Number of documents whose meaning the text was compared with; beyond 10,000, an estimate. */
  readonly semantic_documents: number;
  /** Ascending. If there are more than 1,000, one flag of each kind gives the number of the others. */
  readonly integrity_flags: readonly IntegrityFlag[];
  /** [start, end) pairs over query_text: headers, footers, and the numbers of pages and lines of a PDF, which are not compared. */
  readonly page_margins: readonly (readonly [number, number])[];
  /** The other members of a batch, for a check that is one. They do not count as sources, nor in the figures above. Null for other checks. */
  readonly batch: BatchMatches | null;
  readonly offset_unit: "code_point" | "utf16";
  /** All notes in the order of the text, also those on passages that filters exclude or whose source was deleted. */
  readonly notes: readonly ReportNote[];
  /** Null unless the request has filters. */
  readonly filters: ReportFilters | null;
  /** With `explain=true` only. */
  readonly explanation?: ReportExplanation;
  readonly created_at: string;
  readonly completed_at: string;
};

export type MatchTypeShare = {
  readonly matched_chars: number;
  /** Two decimals, rounded half up once. */
  readonly similarity_pct: number;
};

export type Source = {
  /** Its place in the report without filters, from 1 for the source with the most matched text. Pages and exports show it, so that filters do not change how a source is called. */
  readonly number: number;
  readonly source_document_id: string;
  readonly title: string;
  readonly source_filename: string;
  readonly source_url: string | null;
  /** Where the API has the document; null for documents added in bulk, which it does not list. */
  readonly document_url: string | null;
  /** ISO 639-1 code of the source's language. */
  readonly language: string;
  /** Two decimals, rounded half up once. */
  readonly similarity_pct: number;
  /** Length of the union of its passages. */
  readonly matched_chars: number;
  /** Length of the text that this source explains better than any other: those of all sources, with those deleted since, add up to total_matched_chars. */
  readonly exclusive_matched_chars: number;
  /** Ascending by query_start. */
  readonly passages: readonly Passage[];
  /** With `explain=true` only. Null if nothing was recorded. */
  readonly explanation?: SourceExplanation | null;
};

export type Passage = MemberPassage & {
  /** The chunk of the source in which the passage begins, from 0. */
  readonly source_chunk_index: number;
  /** From the start of that chunk. */
  readonly source_start: number;
  /** May lie beyond the end of that chunk. */
  readonly source_end: number;
  /** At most 200 characters of the source; for display only. */
  readonly overlap_text_preview: string;
  /** What a reader wrote about the passage. */
  readonly note: string | null;
  /** With `explain=true` only. Null if nothing was recorded. */
  readonly explanation?: PassageExplanation | null;
};

export type PassageRun = {
  readonly query_start: number;
  readonly query_end: number;
  readonly source_document_start: number;
  readonly source_document_end: number;
  /** How the text was reused; `translated`: the passage in the source is in another language. */
  readonly match_type: "identical" | "minor_changes" | "paraphrased" | "translated";
};

export type MeaningComparison = {
  /** Sentences that correspond, in the order of the text. */
  readonly sentence_pairs: readonly {
    readonly query_start: number;
    readonly query_end: number;
    readonly source_document_start: number;
    readonly source_document_end: number;
    /** How much more similar the two sentences are than such sentences usually are, from -1 to 1. */
    readonly margin: number;
  }[];
  /** Names, numbers and rare words that both sides contain, rarest first, at most 12. */
  readonly shared_words: readonly string[];
  /** Names and numbers of the passage that are missing at its place in the source, at most 12. They speak against reuse. Empty for translations and for passages seen from the source. */
  readonly own_names: readonly string[];
  /** ISO 639-1 code of the language that the passage itself is in, or of its text where the passage does not tell. */
  readonly query_language: string | null;
  /** The same of the passage in the source. */
  readonly source_language: string | null;
};

export type PassageExplanation = {
  /** Words that are equal on both sides, compared one by one. */
  readonly matched_words: number;
  /** Candidates from which the passage was merged. */
  readonly seeds: number;
  /** Share of the words on both sides that are equal and in the same order. It decides match_type. */
  readonly similarity: number;
  /** Log-odds of reuse above the threshold for a passage. A passage with a score below 0 is reported if other evidence, such as an exact copy, outweighs it. */
  readonly score: number;
};

export type SourceExplanation = {
  /** Chunks found by words, strongest first, at most 8; none if meaning alone found the document. */
  readonly hits: readonly CandidateHit[];
  /** Number of chunks found by words. */
  readonly hit_count: number;
  /** Matches that are not reported, best first, at most 5; the best by words and the best by meaning are among them. */
  readonly dropped_matches: readonly DroppedMatch[];
  /** All dropped matches, by reason. */
  readonly dropped_counts: {
    readonly [name in
      | "too_short"
      | "duplicate"
      | "remainder_too_short"
      | "set_phrase"
      | "weak_meaning"]?: number;
  };
};

export type CandidateHit = {
  readonly query_chunk_index: number;
  readonly source_chunk_index: number;
  /** Sampled five-word shingles that occur in both chunks. */
  readonly shared_shingles: number;
  /** Rare words of the query's chunk that also occur in the source's chunk. */
  readonly shared_terms: number;
};

export type DroppedMatch = {
  readonly query_start: number;
  readonly query_end: number;
  readonly source_document_start: number;
  readonly source_document_end: number;
  /** Why the match is not reported. `too_short`: too little evidence; `duplicate`: a better match of the source covers the text; `remainder_too_short`: too little remains beside better matches; `set_phrase`: boilerplate; `weak_meaning`: sentences that resemble those of the source, but not enough. Reasons may be added. */
  readonly reason: "too_short" | "duplicate" | "remainder_too_short" | "set_phrase" | "weak_meaning";
  /** 0 for sentences that were compared by their meaning. */
  readonly matched_words: number;
  /** Log-odds of reuse above the threshold for a passage. Those of words and of meaning are measured in different ways. */
  readonly score: number;
  /** Of sentences that were compared by their meaning: names and numbers that the source lacks there, which speak against reuse, at most 12. Empty for other matches, and between two languages. */
  readonly own_names: readonly string[];
};

export type IntegrityFlag = {
  /** `homoglyphs`: a word that mixes scripts. `invisible_characters`: invisible characters where no script needs them. `bidi_controls`: controls that change the text direction. `spaced_letters`: words with spaces or signs between their letters, which hide a copy from a search for words. Kinds may be added. */
  readonly kind: "homoglyphs" | "invisible_characters" | "bidi_controls" | "spaced_letters";
  readonly start: number;
  readonly end: number;
  readonly detail: string;
};

export type BatchMatches = {
  readonly batch_id: string;
  /** The member of the batch that this check is. */
  readonly member_id: string;
  /** Whether all members of the batch have been compared. */
  readonly is_complete: boolean;
  /** False if the batch compares its members with each other only: no source can be found then. */
  readonly is_compared_with_corpus: boolean;
  /** The share of this check's text that any of these members has too. */
  readonly similarity_pct: number;
  readonly matched_chars: number;
  /** Members with passages in common. */
  readonly members_total: number;
  /** Descending by the matched text, at most 100. Filters do not apply to them. */
  readonly members: readonly MemberMatch[];
};

export type MemberMatch = {
  readonly member_id: string;
  /** The check of that member. */
  readonly check_id: string;
  readonly name: string;
  readonly group: string | null;
  readonly language: string;
  /** The share of this check's text, outside the templates. */
  readonly similarity_pct: number;
  readonly matched_chars: number;
  /** Ascending by query_start. Source offsets are those of the other member's text. */
  readonly passages: readonly MemberPassage[];
};

export type MemberPassage = {
  readonly query_start: number;
  /** Exclusive. */
  readonly query_end: number;
  /** From the start of the source's extracted text. */
  readonly source_document_start: number;
  readonly source_document_end: number;
  /** How the text was reused; `translated`: the passage in the source is in another language. */
  readonly match_type: "identical" | "minor_changes" | "paraphrased" | "translated";
  /** The passage divided where its match type changes for a sentence or more: ascending, without gaps, at least one. Filters and totals by match type go by runs. */
  readonly runs: readonly PassageRun[];
  /** For passages found by their meaning; null for passages found by their words. */
  readonly meaning: MeaningComparison | null;
};

export type ReportNote = {
  /** Names the passage, as in `exclude_passages`. */
  readonly passage: string;
  readonly source_document_id: string;
  readonly query_start: number;
  readonly query_end: number;
  readonly note: string;
};

export type ReportFilters = {
  /** The filters as given. */
  readonly applied: { readonly [name: string]: unknown };
  /** Two decimals, rounded half up once. */
  readonly unfiltered_similarity_pct: number;
};

export type ReportExplanation = {
  /** Documents found by words, and those found by meaning that have a match. */
  readonly candidate_count: number | null;
  /** Candidates without a passage that came closest to one, at most 20. */
  readonly unreported_candidates: readonly {
    readonly source_document_id: string;
    readonly title: string;
    readonly explanation: SourceExplanation;
  }[];
  /** Passages and parts of passages that the filters of this request excluded, by source. */
  readonly filtered_out: readonly {
    readonly source_document_id: string;
    readonly query_start: number;
    readonly query_end: number;
    readonly filter:
      | "exclude_quotes"
      | "exclude_bibliography"
      | "min_words"
      | "exclude_sources"
      | "exclude_passages"
      | "match_types";
  }[];
};

export type SourceText = {
  readonly source_document_id: string;
  readonly title: string;
  readonly source_url: string | null;
  /** ISO 639-1 code of the document's language. */
  readonly language: string;
  readonly offset_unit: "code_point" | "utf16";
  /** Length of the whole text. */
  readonly char_count: number;
  /** Where `text` begins in the document's extracted text. */
  readonly start: number;
  /** Exclusive. Less than requested at the end of the text, and after 100,000 characters. */
  readonly end: number;
  readonly text: string;
};

export type PassageNote = {
  /** Names the whole passage, also if the request named a part of it. */
  readonly passage: string;
  readonly note: string | null;
};

export type Comparison = {
  readonly query: ComparedSide;
  readonly source: ComparedSide;
  /** Passages of the query with their places in the source, ascending by query_start. Source text may serve several passages. `source_document_start` counts from the start of the source's text. */
  readonly passages: readonly ComparedPassage[];
  readonly coverage: "full" | "partial";
  /** `time_cap`: the time ended before the words were compared. Null when coverage is full. */
  readonly coverage_reason: "time_cap" | null;
  /** Whether all, some or none of the sentences were compared by their meaning. */
  readonly semantic_coverage: "full" | "partial" | "none";
  /** Null when coverage is full. `off`: switched off. `unavailable`: the encoder is not available. `time_cap`: the time ended. `no_sentences`: one of the texts has none. */
  readonly semantic_coverage_reason: "off" | "unavailable" | "time_cap" | "no_sentences" | null;
  readonly offset_unit: "code_point" | "utf16";
  readonly duration_seconds: number;
};

export type ComparedSide = {
  /** The text as sent, or as extracted from the file. */
  readonly text: string;
  /** Null for a text. */
  readonly filename: string | null;
  readonly language: string;
  /** `stated`: given with the text or corrected later; `detected` in the text; `default`: neither, so it is `en`. */
  readonly language_origin: "stated" | "detected" | "default";
  readonly char_count: number;
  readonly word_count: number;
  /** The share of this text that the other one contains. */
  readonly overall_similarity_pct: number;
  /** Length of unique_passages. */
  readonly total_matched_chars: number;
  /** The matched text by match type. Each character is counted once, with the closest type, so that these add up to total_matched_chars and overall_similarity_pct. */
  readonly match_types: {
    readonly identical: MatchTypeShare;
    readonly minor_changes: MatchTypeShare;
    readonly paraphrased: MatchTypeShare;
    readonly translated: MatchTypeShare;
  };
  /** [start, end) pairs over `text`: ascending, disjoint. */
  readonly unique_passages: readonly (readonly [number, number])[];
  /** Ascending. If there are more than 1,000, one flag of each kind gives the number of the others. */
  readonly integrity_flags: readonly IntegrityFlag[];
  /** [start, end) pairs over `text`: headers, footers, and the numbers of pages and lines of a PDF, which are not compared. */
  readonly page_margins: readonly (readonly [number, number])[];
};

export type ComparedPassage = MemberPassage;

export type CorpusDocument = {
  readonly document_id: string;
  readonly filename: string;
  readonly title: string;
  readonly media_type: string;
  readonly language: string;
  /** `stated`: given with the text or corrected later; `detected` in the text; `default`: neither, so it is `en`. */
  readonly language_origin: "stated" | "detected" | "default";
  readonly source_url: string | null;
  readonly size_bytes: number;
  readonly sha256: string;
  readonly char_count: number;
  readonly word_count: number;
  /** 0 until the document is fingerprinted. */
  readonly chunk_count: number;
  /** Matchable once it is fingerprinted. */
  readonly fingerprint_status: "pending" | "fingerprinted";
  /** Matchable by its meaning once it is encoded, some seconds later; it stays pending while semantic matching is off. */
  readonly semantic_status: "pending" | "encoded";
  readonly created_at: string;
  readonly fingerprinted_at: string | null;
};

export type CorpusDocumentList = {
  readonly items: readonly CorpusDocument[];
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
};

export type CorpusCoverage = {
  /** Documents in the corpus, uploaded or not; an estimate beyond 100,000, like all counts here. */
  readonly documents: number;
  /** Those that are matchable by words. */
  readonly fingerprinted: number;
  /** Those whose sentences are encoded, so that they are matchable by meaning. */
  readonly encoded: number;
  /** Whether a check compares the meaning of its text with all, part or none of the matchable documents. */
  readonly semantic_coverage: "full" | "partial" | "none";
  /** Why not with all; null when it does. `off`: semantic matching is switched off; `unavailable`: there is no encoder; `not_encoded`: documents wait to be encoded. */
  readonly semantic_coverage_reason: "off" | "unavailable" | "not_encoded" | null;
};

export type CorpusDocumentWithText = CorpusDocument & { readonly extracted_text: string };

export type SubmittedBatch = {
  readonly batch_id: string;
  readonly status_url: string;
  readonly progress_url: string;
  readonly report_url: string;
};

export type BatchList = {
  readonly items: readonly Batch[];
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
};

export type Batch = {
  readonly batch_id: string;
  /** Members that are added later make a complete batch `reading` again. */
  readonly status: "reading" | "comparing" | "complete";
  readonly title: string | null;
  /** Null where it is detected in each member. */
  readonly language: string | null;
  readonly compare_with: "corpus" | "members" | "both";
  readonly add_to_corpus: boolean;
  readonly common_share: number;
  readonly members_total: number;
  /** Members that were read, also those that could not be. */
  readonly members_read: number;
  /** Members with which the work is done, also those that have failed. */
  readonly members_compared: number;
  readonly members_failed: number;
  readonly pairs_found: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly completed_at: string | null;
  readonly status_url: string;
  readonly progress_url: string;
  readonly report_url: string;
};

export type AddedMembers = {
  readonly batch_id: string;
  readonly members_added: number;
  readonly status_url: string;
  readonly progress_url: string;
  readonly report_url: string;
};

export type BatchWithMembers = Batch & {
  /** One page, in the order of arrival. */
  readonly members: readonly BatchMember[];
};

export type BatchMember = {
  readonly member_id: string;
  /** Members in the order of their arrival, from 0. */
  readonly ordinal: number;
  readonly name: string;
  readonly group: string | null;
  /** `waiting` to be read, `read` and waiting to be compared, `compared`, or `failed`. */
  readonly status: "waiting" | "read" | "compared" | "failed";
  /** The check of the member, once it was read. */
  readonly check_id: string | null;
  readonly error_code: string | null;
  /** Why it failed; null for others. */
  readonly error_message: string | null;
};

export type StreamedBatchEvent = {
  readonly event?: "message" | "complete" | "failed";
  readonly data: string;
};

export type BatchReport = {
  readonly batch_id: string;
  readonly title: string | null;
  /** Until the batch is `complete`, pairs may be missing. */
  readonly status: "reading" | "comparing" | "complete";
  readonly members_total: number;
  /** Members that were read, also those that could not be. */
  readonly members_read: number;
  /** Members with which the work is done, also those that have failed. */
  readonly members_compared: number;
  readonly members_failed: number;
  readonly pairs_found: number;
  /** Two decimals, rounded half up once. */
  readonly min_similarity: number;
  /** One page of the members that were read, by descending similarity. */
  readonly members: readonly RankedMember[];
  /** One page of the pairs of at least `min_similarity`, by descending similarity. */
  readonly pairs: readonly BatchPair[];
  /** The number of pairs of at least `min_similarity`, on all pages. */
  readonly pairs_total: number;
  /** Members that are connected by these pairs, directly or through others; the largest cluster first. */
  readonly clusters: readonly {
    readonly members: readonly MemberReference[];
    readonly pairs: number;
  }[];
  /** By similarity, in ranges of ten percent: members by their highest, pairs by the greater of both sides. The last range includes 100; members without a pair are in the first one. */
  readonly histogram: readonly {
    readonly from_pct: number;
    readonly to_pct: number;
    readonly members: number;
    readonly pairs: number;
  }[];
  /** Members that failed, with the reasons. */
  readonly unreadable: readonly BatchMember[];
  readonly offset: number;
  readonly limit: number;
};

export type RankedMember = {
  readonly member_id: string;
  readonly ordinal: number;
  readonly name: string;
  readonly group: string | null;
  readonly check_id: string | null;
  readonly char_count: number;
  /** The highest similarity to another member. */
  readonly similarity_pct: number;
  /** Members with passages in common. */
  readonly pairs: number;
  /** The member of that similarity. */
  readonly nearest: MemberReference | null;
  /** The share of its text outside the templates that is common, as counted when it was compared. Text that more than 100 members share makes no pairs: only this figure shows it. */
  readonly common_pct: number;
  /** The score against the corpus; null if the batch is not compared with it. */
  readonly corpus_similarity_pct: number | null;
};

export type MemberReference = {
  readonly member_id: string;
  readonly ordinal: number;
  readonly name: string;
  readonly group: string | null;
};

export type BatchPair = {
  readonly a: PairSide;
  readonly b: PairSide;
  /** The greater similarity of both sides. */
  readonly similarity_pct: number;
  readonly passage_count: number;
  readonly longest_passage_chars: number;
};

export type PairSide = {
  readonly member_id: string;
  readonly ordinal: number;
  readonly name: string;
  readonly group: string | null;
  /** Characters of this member that are in a passage. */
  readonly matched_chars: number;
  /** Their share of this member's text outside the templates. */
  readonly similarity_pct: number;
};

export type BatchGraph = {
  readonly batch_id: string;
  /** Until the batch is `complete`, pairs may be missing. */
  readonly status: "reading" | "comparing" | "complete";
  readonly members_total: number;
  /** Members that were read, also those that could not be. */
  readonly members_read: number;
  /** Members with which the work is done, also those that have failed. */
  readonly members_compared: number;
  readonly members_failed: number;
  readonly pairs_found: number;
  /** Two decimals, rounded half up once. */
  readonly min_similarity: number;
  /** All members that were read, by descending similarity. */
  readonly members: readonly {
    readonly member_id: string;
    readonly ordinal: number;
    readonly name: string;
    readonly group: string | null;
    readonly check_id: string | null;
    readonly char_count: number;
    /** The highest similarity to another member. */
    readonly similarity_pct: number;
    /** Members with passages in common. */
    readonly pairs: number;
    /** The ordinal of that member. */
    readonly nearest: number | null;
    /** The share of its text outside the templates that is common, as counted when it was compared. Text that more than 100 members share makes no pairs: only this figure shows it. */
    readonly common_pct: number;
    /** The score against the corpus; null if the batch is not compared with it. */
    readonly corpus_similarity_pct: number | null;
  }[];
  /** The pairs as columns of equal length, by descending similarity; at most the 50,000 most similar ones. */
  readonly pairs: {
    /** Ordinals of members. */
    readonly a: readonly number[];
    /** Ordinals of the members that arrived later. */
    readonly b: readonly number[];
    readonly a_similarity_pct: readonly number[];
    readonly b_similarity_pct: readonly number[];
    readonly passage_count: readonly number[];
    readonly longest_passage_chars: readonly number[];
  };
  /** The number of pairs of at least `min_similarity`, including those that are left out. */
  readonly pairs_total: number;
};

export type BatchPairView = {
  readonly batch_id: string;
  readonly offset_unit: "code_point" | "utf16";
  readonly a: PairText;
  readonly b: PairText;
  /** Two decimals, rounded half up once. */
  readonly similarity_pct: number;
  readonly longest_passage_chars: number;
  /** Ascending by their place in `b`, which arrived later: query offsets are those of `b`, source offsets those of `a`. */
  readonly passages: readonly PairPassage[];
};

export type PairText = PairSide & {
  readonly check_id: string;
  readonly language: string;
  /** The whole text. */
  readonly text: string;
  readonly char_count: number;
  /** Characters outside the templates. */
  readonly compared_chars: number;
  /** [start, end) pairs: text that comes from a template and is not compared. */
  readonly template_text: readonly (readonly [number, number])[];
  /** [start, end) pairs: text that many members share. */
  readonly common_text: readonly (readonly [number, number])[];
  /** [start, end) pairs: text in quotation marks, and block quotes. */
  readonly quotations: readonly (readonly [number, number])[];
};

export type PairPassage = MemberPassage & {
  /** Whether half or more of it is in quotation marks, in either text. */
  readonly is_quoted: boolean;
  /** Whether half or more of it is text that many members share. */
  readonly is_common: boolean;
};

export type ProgressEvent = {
  /** Null only before the first stage. */
  readonly stage: "chunking" | "fingerprinting" | "retrieving" | "aligning" | "assembling" | null;
  readonly chunks_done: number;
  readonly chunks_total: number;
};

export type ProgressEnd = {
  readonly check_id: string;
  readonly status: "complete" | "failed" | "deleted";
  /** Null unless the check is complete. */
  readonly overall_similarity_pct: number | null;
  /** Null unless the check has failed. */
  readonly error_message: string | null;
  readonly report_url: string;
};

export type BatchProgressEvent = {
  readonly status: "reading" | "comparing" | "complete";
  readonly members_total: number;
  /** Members that were read, also those that could not be. */
  readonly members_read: number;
  /** Members with which the work is done, also those that have failed. */
  readonly members_compared: number;
  readonly members_failed: number;
  readonly pairs_found: number;
};

export type BatchProgressEnd = {
  readonly batch_id: string;
  readonly status: "complete" | "deleted";
  readonly members_total: number;
  /** Members that were read, also those that could not be. */
  readonly members_read: number;
  /** Members with which the work is done, also those that have failed. */
  readonly members_compared: number;
  readonly members_failed: number;
  readonly pairs_found: number;
  readonly report_url: string;
};

/** The query of `listChecks`. */
export type ListChecksQuery = {
  /** The number of rows to return, from 1 to 100. */
  readonly limit?: number | undefined;
  /** The number of rows to skip, in the order of the list. */
  readonly offset?: number | undefined;
  /** Only checks whose title contains this text, ignoring case; without a title, the first 120 characters of their text count. */
  readonly title?: string | undefined;
  /** Only checks with this status. */
  readonly status?: "pending" | "running" | "complete" | "failed" | undefined;
  /** Only complete checks with at least this `overall_similarity_pct`. */
  readonly score_min?: number | undefined;
  /** Only complete checks with at most this `overall_similarity_pct`. */
  readonly score_max?: number | undefined;
  /** `date`: by time of submission, which is the default; `score`: by `overall_similarity_pct`, those without one last; `words`: by `word_count`. */
  readonly sort?: "date" | "score" | "words" | undefined;
  /** Ascending or descending. */
  readonly order?: "asc" | "desc" | undefined;
};

/** The query of `exportChecks`. */
export type ExportChecksQuery = Omit<ListChecksQuery, "limit" | "offset">;

/** The query of `getReport`. */
export type GetReportQuery = {
  /** The unit of offsets, and of lengths: Unicode code points, or UTF-16 units as in a JavaScript string. */
  readonly offset_unit?: "code_point" | "utf16" | undefined;
  /** The unit of lengths, such as `total_matched_chars`, where it is not that of the offsets. */
  readonly length_unit?: "code_point" | "utf16" | undefined;
  /** Excludes text in quotation marks and block quotes. */
  readonly exclude_quotes?: boolean | undefined;
  /** Excludes the bibliography. */
  readonly exclude_bibliography?: boolean | undefined;
  /** Excludes passages of fewer words than this. */
  readonly min_words?: number | undefined;
  /** Identifiers of source documents to exclude. */
  readonly exclude_sources?: readonly string[] | undefined;
  /** Passages to exclude, each as `START-END-DOCUMENT`: its query_start and query_end in code points, and its source. Passages of this source that overlap the range are excluded. */
  readonly exclude_passages?: readonly string[] | undefined;
  /** The types of match to keep. */
  readonly match_types?:
    | readonly ("identical" | "minor_changes" | "paraphrased" | "translated")[]
    | undefined;
  /** Adds an `explanation` to the report, its sources and its passages: why they were reported or not. */
  readonly explain?: boolean | undefined;
};

/** The query of `getSourceText`. */
export type GetSourceTextQuery = {
  /** Start of the part; 0 by default. */
  readonly start?: number | undefined;
  /** End of the part, exclusive; by default as far as one answer reaches. */
  readonly end?: number | undefined;
  /** The unit of offsets, and of lengths: Unicode code points, or UTF-16 units as in a JavaScript string. */
  readonly offset_unit?: "code_point" | "utf16" | undefined;
};

/** The query of `getPassagesCsv`. */
export type GetPassagesCsvQuery = Omit<GetReportQuery, "explain">;

/** The query of `getReportHtml`. */
export type GetReportHtmlQuery = Omit<GetReportQuery, "offset_unit" | "length_unit" | "explain">;

/** The query of `getReportPdf`. */
export type GetReportPdfQuery = Omit<GetReportQuery, "offset_unit" | "length_unit" | "explain">;

/** The query of `compareTexts`. */
export type CompareTextsQuery = {
  /** The unit of offsets, and of lengths: Unicode code points, or UTF-16 units as in a JavaScript string. */
  readonly offset_unit?: "code_point" | "utf16" | undefined;
  /** The unit of lengths, such as `total_matched_chars`, where it is not that of the offsets. */
  readonly length_unit?: "code_point" | "utf16" | undefined;
};

/** The query of `compareFiles`. */
export type CompareFilesQuery = {
  /** The unit of offsets, and of lengths: Unicode code points, or UTF-16 units as in a JavaScript string. */
  readonly offset_unit?: "code_point" | "utf16" | undefined;
  /** The unit of lengths, such as `total_matched_chars`, where it is not that of the offsets. */
  readonly length_unit?: "code_point" | "utf16" | undefined;
};

/** The query of `listDocuments`. */
export type ListDocumentsQuery = {
  /** The number of rows to return, from 1 to 100. */
  readonly limit?: number | undefined;
  /** The number of rows to skip, in the order of the list. */
  readonly offset?: number | undefined;
  /** Only documents whose title or file name contains this text, ignoring case. */
  readonly title?: string | undefined;
  /** Only documents with this status. */
  readonly fingerprint_status?: "pending" | "fingerprinted" | undefined;
  /** `date`: by time of upload, which is the default; `words`: by `word_count`; `title`: by `title`, ignoring case, letter by letter in the order of Unicode. */
  readonly sort?: "date" | "words" | "title" | undefined;
  /** Ascending or descending. */
  readonly order?: "asc" | "desc" | undefined;
};

/** The query of `exportDocuments`. */
export type ExportDocumentsQuery = {
  /** Only documents whose title or file name contains this text, ignoring case. */
  readonly title?: string | undefined;
  /** Only documents with this status. */
  readonly fingerprint_status?: "pending" | "fingerprinted" | undefined;
  /** `date`: by time of upload, which is the default; `words`: by `word_count`; `title`: by `title`, ignoring case, letter by letter in the order of Unicode. */
  readonly sort?: "date" | "words" | "title" | undefined;
  /** Ascending or descending. */
  readonly order?: "asc" | "desc" | undefined;
};

/** The query of `listBatches`. */
export type ListBatchesQuery = {
  /** The number of rows to return, from 1 to 100. */
  readonly limit?: number | undefined;
  /** The number of rows to skip, in the order of the list. */
  readonly offset?: number | undefined;
  /** Only batches whose title contains this text, ignoring case. */
  readonly title?: string | undefined;
};

/** The query of `getBatch`. */
export type GetBatchQuery = {
  /** The number of rows of each list, from 1 to 1000. */
  readonly limit?: number | undefined;
  /** The number of rows of each list to skip. */
  readonly offset?: number | undefined;
};

/** The query of `getBatchReport`. */
export type GetBatchReportQuery = {
  /** The number of rows of each list, from 1 to 1000. */
  readonly limit?: number | undefined;
  /** The number of rows of each list to skip. */
  readonly offset?: number | undefined;
  /** Leaves out passages of which half or more is in quotation marks in either text: two authors may quote one source. */
  readonly exclude_quotes?: boolean | undefined;
  /** Leaves out passages of which half or more is text that many members share. */
  readonly exclude_common?: boolean | undefined;
  /** The lowest similarity of the pairs, in percent of the member that has more of the other. */
  readonly min_similarity?: number | undefined;
};

/** The query of `getBatchGraph`. */
export type GetBatchGraphQuery = {
  /** Leaves out passages of which half or more is in quotation marks in either text: two authors may quote one source. */
  readonly exclude_quotes?: boolean | undefined;
  /** Leaves out passages of which half or more is text that many members share. */
  readonly exclude_common?: boolean | undefined;
  /** The lowest similarity of the pairs, in percent of the member that has more of the other. */
  readonly min_similarity?: number | undefined;
};

/** The query of `getBatchPair`. */
export type GetBatchPairQuery = {
  /** Leaves out passages of which half or more is in quotation marks in either text: two authors may quote one source. */
  readonly exclude_quotes?: boolean | undefined;
  /** Leaves out passages of which half or more is text that many members share. */
  readonly exclude_common?: boolean | undefined;
  /** The unit of offsets: Unicode code points, or UTF-16 units as in a JavaScript string. */
  readonly offset_unit?: "code_point" | "utf16" | undefined;
};

/** The query of `getBatchPairsCsv`. */
export type GetBatchPairsCsvQuery = {
  /** Leaves out passages of which half or more is in quotation marks in either text: two authors may quote one source. */
  readonly exclude_quotes?: boolean | undefined;
  /** Leaves out passages of which half or more is text that many members share. */
  readonly exclude_common?: boolean | undefined;
  /** The lowest similarity of the pairs, in percent of the member that has more of the other. */
  readonly min_similarity?: number | undefined;
};

/** The query of `getBatchMembersCsv`. */
export type GetBatchMembersCsvQuery = {
  /** Leaves out passages of which half or more is in quotation marks in either text: two authors may quote one source. */
  readonly exclude_quotes?: boolean | undefined;
  /** Leaves out passages of which half or more is text that many members share. */
  readonly exclude_common?: boolean | undefined;
};

export type IdempotencyKeyOption = {
  /** Makes a retry safe: within 24 hours the same key and request give the same check. */
  readonly idempotencyKey?: string | undefined;
};

/** The kinds of problem that the operations answer with. */
export type ProblemCode =
  | "batch_not_found"
  | "body_too_large"
  | "check_not_complete"
  | "check_not_found"
  | "cross_site_request"
  | "document_not_found"
  | "document_not_ready"
  | "headers_too_large"
  | "host_not_allowed"
  | "idempotency_key_reused"
  | "internal"
  | "invalid_input"
  | "malformed_body"
  | "member_not_found"
  | "no_extractable_text"
  | "original_not_found"
  | "passage_not_found"
  | "pdf_too_large"
  | "pdf_unavailable"
  | "request_timeout"
  | "service_busy"
  | "source_not_found"
  | "store_unavailable"
  | "text_too_long"
  | "unreadable_file"
  | "unsupported_file_type"
  | "unsupported_media_type";

/** Each operation of the engine as a function; `/docs` of the service has the details. Failures are thrown as ProblemError or UnreachableError. */
export function engineOperations({ open, json, text, nothing }: Transport) {
  return {
    /** `POST /v1/checks`: Accepts a text and checks it in the background. */
    submitCheck: (
      body: SubmitCheckBody,
      options: RequestOptions & IdempotencyKeyOption = {},
    ): Promise<SubmittedCheck> =>
      json("POST", "/v1/checks", { body, headers: { "Idempotency-Key": options.idempotencyKey }, options }),

    /** `GET /v1/checks`: All checks, newest first unless sorted otherwise, page by page. */
    listChecks: (query: ListChecksQuery = {}, options: RequestOptions = {}): Promise<CheckList> =>
      json("GET", "/v1/checks", { query, options }),

    /**
     * `POST /v1/checks/upload`: Reads the text of a PDF, DOCX or TXT file of at most 10 MiB and checks it as `POST
     * /v1/checks` does.
     */
    submitUpload: (
      file: Blob,
      fields: Omit<UploadCheckForm, "file"> = {},
      options: RequestOptions & IdempotencyKeyOption = {},
    ): Promise<SubmittedCheck> =>
      json("POST", "/v1/checks/upload", {
        form: { ...fields, file },
        headers: { "Idempotency-Key": options.idempotencyKey },
        options,
      }),

    /**
     * `GET /v1/checks.csv`: The same list as a table, complete and in the same order, in UTF-8 with a byte order
     * mark.
     */
    exportChecks: (query: ExportChecksQuery = {}, options: RequestOptions = {}): Promise<string> =>
      text("GET", "/v1/checks.csv", { query, options }),

    /**
     * `GET /v1/checks/stats`: Counts of checks, words and corpus documents, and the mean similarity of the last
     * checks to complete (at most 100).
     */
    getCheckStats: (options: RequestOptions = {}): Promise<CheckStats> =>
      json("GET", "/v1/checks/stats", { options }),

    /** `GET /v1/checks/{check_id}`: The check's metadata. */
    getCheck: (checkId: string, options: RequestOptions = {}): Promise<Check> =>
      json("GET", path`/v1/checks/${checkId}`, { options }),

    /** `PATCH /v1/checks/{check_id}`: Sets a title of 1 to 200 characters, or removes it with `null`. */
    renameCheck: (checkId: string, body: RenameCheckBody, options: RequestOptions = {}): Promise<Check> =>
      json("PATCH", path`/v1/checks/${checkId}`, { body, options }),

    /**
     * `DELETE /v1/checks/{check_id}`: Permanently deletes the check with its text, its file, its report and its
     * idempotency key.
     */
    deleteCheck: (checkId: string, options: RequestOptions = {}): Promise<void> =>
      nothing("DELETE", path`/v1/checks/${checkId}`, { options }),

    /**
     * `GET /v1/checks/{check_id}/progress`: A stream of server-sent events: the current state, each change, and a
     * final event, after which the server closes the stream.
     */
    followCheck: (checkId: string, options: RequestOptions = {}): Promise<Response> =>
      open("GET", path`/v1/checks/${checkId}/progress`, { options }),

    /** `GET /v1/checks/{check_id}/original`: The uploaded file of a check, byte for byte. */
    getOriginal: (checkId: string, options: RequestOptions = {}): Promise<Response> =>
      open("GET", path`/v1/checks/${checkId}/original`, { options }),

    /**
     * `GET /v1/checks/{check_id}/original.html`: The DOCX file of a check as an HTML fragment: headings, paragraphs,
     * lists, tables, footnotes and endnotes, bold and italic text.
     */
    getOriginalHtml: (checkId: string, options: RequestOptions = {}): Promise<string> =>
      text("GET", path`/v1/checks/${checkId}/original.html`, { options }),

    /**
     * `GET /v1/checks/{check_id}/report`: The result of a complete check: the share of the text that also appears in
     * the corpus, the shared passages, and the documents in which they appear.
     */
    getReport: (checkId: string, query: GetReportQuery = {}, options: RequestOptions = {}): Promise<Report> =>
      json("GET", path`/v1/checks/${checkId}/report`, { query, options }),

    /**
     * `GET /v1/checks/{check_id}/sources/{source_document_id}/text`: A part of the extracted text of a source of the
     * report, for reading a passage beside its source.
     */
    getSourceText: (
      checkId: string,
      sourceDocumentId: string,
      query: GetSourceTextQuery = {},
      options: RequestOptions = {},
    ): Promise<SourceText> =>
      json("GET", path`/v1/checks/${checkId}/sources/${sourceDocumentId}/text`, { query, options }),

    /**
     * `PUT /v1/checks/{check_id}/notes/{passage}`: Sets the note of a passage in place of an earlier one; an empty
     * text removes it.
     */
    setNote: (
      checkId: string,
      passage: string,
      body: NoteBody,
      options: RequestOptions = {},
    ): Promise<PassageNote> => json("PUT", path`/v1/checks/${checkId}/notes/${passage}`, { body, options }),

    /** `DELETE /v1/checks/{check_id}/notes/{passage}`: Removes the note of a passage, if it has one. */
    deleteNote: (checkId: string, passage: string, options: RequestOptions = {}): Promise<void> =>
      nothing("DELETE", path`/v1/checks/${checkId}/notes/${passage}`, { options }),

    /**
     * `GET /v1/checks/{check_id}/passages.csv`: The passages of the report as CSV (RFC 4180, UTF-8 with a byte order
     * mark, CRLF), in the order of the report: sources by rank, and the passages of each by `query_start`.
     */
    getPassagesCsv: (
      checkId: string,
      query: GetPassagesCsvQuery = {},
      options: RequestOptions = {},
    ): Promise<string> => text("GET", path`/v1/checks/${checkId}/passages.csv`, { query, options }),

    /**
     * `GET /v1/checks/{check_id}/report.html`: The report for reading, printing and archiving: a single HTML file
     * without scripts or external resources.
     */
    getReportHtml: (
      checkId: string,
      query: GetReportHtmlQuery = {},
      options: RequestOptions = {},
    ): Promise<string> => text("GET", path`/v1/checks/${checkId}/report.html`, { query, options }),

    /**
     * `GET /v1/checks/{check_id}/report.pdf`: The report for filing: a cover with the score by kind, the sources,
     * the submitted text with its passages in the colours and with the numbers of their sources, the notes, and what
     * the filters excluded.
     */
    getReportPdf: (
      checkId: string,
      query: GetReportPdfQuery = {},
      options: RequestOptions = {},
    ): Promise<Response> => open("GET", path`/v1/checks/${checkId}/report.pdf`, { query, options }),

    /**
     * `POST /v1/comparisons`: Finds the passages of a text (the query) in another one (the source), as a check with
     * that source in the corpus would, and answers with both texts and the passages.
     */
    compareTexts: (
      body: CompareTextsBody,
      query: CompareTextsQuery = {},
      options: RequestOptions = {},
    ): Promise<Comparison> => json("POST", "/v1/comparisons", { body, query, options }),

    /** `POST /v1/comparisons/upload`: Reads the texts of two files and compares them as `POST /v1/comparisons` does. */
    compareFiles: (
      form: CompareFilesForm,
      query: CompareFilesQuery = {},
      options: RequestOptions = {},
    ): Promise<Comparison> => json("POST", "/v1/comparisons/upload", { form, query, options }),

    /** `POST /v1/corpus/documents`: Extracts the text of a PDF, DOCX, TXT or Markdown file and adds it to the corpus. */
    uploadDocument: (
      file: Blob,
      fields: Omit<UploadDocumentForm, "file"> = {},
      options: RequestOptions = {},
    ): Promise<CorpusDocument> =>
      json("POST", "/v1/corpus/documents", { form: { ...fields, file }, options }),

    /**
     * `GET /v1/corpus/documents`: Metadata of the documents that were uploaded through the API, newest first unless
     * sorted otherwise.
     */
    listDocuments: (
      query: ListDocumentsQuery = {},
      options: RequestOptions = {},
    ): Promise<CorpusDocumentList> => json("GET", "/v1/corpus/documents", { query, options }),

    /**
     * `GET /v1/corpus/documents.csv`: The same list as a table, complete and in the same order, in UTF-8 with a byte
     * order mark.
     */
    exportDocuments: (query: ExportDocumentsQuery = {}, options: RequestOptions = {}): Promise<string> =>
      text("GET", "/v1/corpus/documents.csv", { query, options }),

    /**
     * `GET /v1/corpus/coverage`: The numbers of documents that checks find by words and by meaning, and why not all
     * by meaning.
     */
    getCorpusCoverage: (options: RequestOptions = {}): Promise<CorpusCoverage> =>
      json("GET", "/v1/corpus/coverage", { options }),

    /** `GET /v1/corpus/documents/{document_id}`: The metadata of an uploaded document with its full extracted text. */
    getDocument: (documentId: string, options: RequestOptions = {}): Promise<CorpusDocumentWithText> =>
      json("GET", path`/v1/corpus/documents/${documentId}`, { options }),

    /**
     * `PATCH /v1/corpus/documents/{document_id}`: States the language of an uploaded document, which may have been
     * detected wrongly.
     */
    correctDocumentLanguage: (
      documentId: string,
      body: CorrectDocumentBody,
      options: RequestOptions = {},
    ): Promise<CorpusDocument> => json("PATCH", path`/v1/corpus/documents/${documentId}`, { body, options }),

    /** `DELETE /v1/corpus/documents/{document_id}`: Permanently deletes an uploaded document and its chunks. */
    deleteDocument: (documentId: string, options: RequestOptions = {}): Promise<void> =>
      nothing("DELETE", path`/v1/corpus/documents/${documentId}`, { options }),

    /**
     * `POST /v1/batches`: Accepts many texts and compares each with all others in the background: as a form with
     * files or ZIP archives (100 MiB, files of up to 10 MiB), or as JSON with texts (8 MiB).
     */
    submitBatch: (
      files: readonly Blob[],
      fields: Omit<SubmitBatchForm, "files"> = {},
      options: RequestOptions & IdempotencyKeyOption = {},
    ): Promise<SubmittedBatch> =>
      json("POST", "/v1/batches", {
        form: { ...fields, files },
        headers: { "Idempotency-Key": options.idempotencyKey },
        options,
      }),

    /**
     * `GET /v1/batches`: All batches, newest first, page by page; with `title`, those whose title contains this
     * text.
     */
    listBatches: (query: ListBatchesQuery = {}, options: RequestOptions = {}): Promise<BatchList> =>
      json("GET", "/v1/batches", { query, options }),

    /** `POST /v1/batches/{batch_id}/members`: Adds texts or files as `POST /v1/batches` takes them. */
    addMembers: (
      batchId: string,
      files: readonly Blob[],
      fields: Omit<AddMembersForm, "files"> = {},
      options: RequestOptions & IdempotencyKeyOption = {},
    ): Promise<AddedMembers> =>
      json("POST", path`/v1/batches/${batchId}/members`, {
        form: { ...fields, files },
        headers: { "Idempotency-Key": options.idempotencyKey },
        options,
      }),

    /** `GET /v1/batches/{batch_id}`: The batch with one page of its members, in the order of their arrival. */
    getBatch: (
      batchId: string,
      query: GetBatchQuery = {},
      options: RequestOptions = {},
    ): Promise<BatchWithMembers> => json("GET", path`/v1/batches/${batchId}`, { query, options }),

    /** `PATCH /v1/batches/{batch_id}`: Sets a title of 1 to 200 characters, or removes it with `null`. */
    renameBatch: (batchId: string, body: RenameBatchBody, options: RequestOptions = {}): Promise<Batch> =>
      json("PATCH", path`/v1/batches/${batchId}`, { body, options }),

    /** `DELETE /v1/batches/{batch_id}`: Permanently deletes the batch with its members, their checks and their pairs. */
    deleteBatch: (batchId: string, options: RequestOptions = {}): Promise<void> =>
      nothing("DELETE", path`/v1/batches/${batchId}`, { options }),

    /**
     * `GET /v1/batches/{batch_id}/progress`: A stream of server-sent events as that of a check: the current state,
     * changes (at most four a second), and a final event, `complete`, or `failed` with the status `deleted`.
     */
    followBatch: (batchId: string, options: RequestOptions = {}): Promise<Response> =>
      open("GET", path`/v1/batches/${batchId}/progress`, { options }),

    /**
     * `GET /v1/batches/{batch_id}/report`: Who shares text with whom: members and pairs by descending similarity,
     * page by page, clusters of connected members, the distribution of similarities, and the members that could not
     * be read.
     */
    getBatchReport: (
      batchId: string,
      query: GetBatchReportQuery = {},
      options: RequestOptions = {},
    ): Promise<BatchReport> => json("GET", path`/v1/batches/${batchId}/report`, { query, options }),

    /**
     * `GET /v1/batches/{batch_id}/graph`: All members that were read and the 50,000 most similar pairs at once, for
     * drawing a batch as a whole or for grouping it by thresholds of your own.
     */
    getBatchGraph: (
      batchId: string,
      query: GetBatchGraphQuery = {},
      options: RequestOptions = {},
    ): Promise<BatchGraph> => json("GET", path`/v1/batches/${batchId}/graph`, { query, options }),

    /**
     * `GET /v1/batches/{batch_id}/pairs/{a}/{b}`: Both texts, and the passages that they have in common; the order
     * of the two members does not matter.
     */
    getBatchPair: (
      batchId: string,
      a: string,
      b: string,
      query: GetBatchPairQuery = {},
      options: RequestOptions = {},
    ): Promise<BatchPairView> =>
      json("GET", path`/v1/batches/${batchId}/pairs/${a}/${b}`, { query, options }),

    /**
     * `GET /v1/batches/{batch_id}/pairs.csv`: One row for each pair of at least `min_similarity`, the most similar
     * first, in UTF-8 with a byte order mark.
     */
    getBatchPairsCsv: (
      batchId: string,
      query: GetBatchPairsCsvQuery = {},
      options: RequestOptions = {},
    ): Promise<string> => text("GET", path`/v1/batches/${batchId}/pairs.csv`, { query, options }),

    /**
     * `GET /v1/batches/{batch_id}/members.csv`: One row for each member, the most similar first, those that could
     * not be read last with the reason.
     */
    getBatchMembersCsv: (
      batchId: string,
      query: GetBatchMembersCsvQuery = {},
      options: RequestOptions = {},
    ): Promise<string> => text("GET", path`/v1/batches/${batchId}/members.csv`, { query, options }),

    /** `GET /health`: Answers without calling a store, so it suits a liveness probe. */
    getHealth: (options: RequestOptions = {}): Promise<{ readonly status: "ok" }> =>
      json("GET", "/health", { options }),

    /** `GET /ready`: 200 when the stores answer and the schema is current, else 503. */
    getReadiness: (
      options: RequestOptions = {},
    ): Promise<{
      /** Whether every part answers. */
      readonly ready: boolean;
      /** Maps each part to `ok` or to its fault. */
      readonly checks: { readonly [name: string]: string };
    }> => json("GET", "/ready", { also: [503], options }),

    /** `GET /metrics`: The metrics of the process since its start, in the Prometheus text format. */
    getMetrics: (options: RequestOptions = {}): Promise<string> => text("GET", "/metrics", { options }),
  };
}
