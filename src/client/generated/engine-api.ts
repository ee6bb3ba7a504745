// Generated from the engine's OpenAPI document by npm run generate:client. Do not edit.
// Document: 305d6b112882b1c3c699bafbc8c28372b98589f3f58739ca4ddc030e469ec604
// Types: 52626658922cbcd68e24b02d6ddb29d98c89c8db75a5b514188ae46cd4d05f84

export interface components {
  schemas: {
    readonly SubmitCheckBody: {
      /** @description The text to check, kept as it is. */
      readonly query_text: string;
      /** @description ISO 639-1 code of the text's language; it determines its words and sentences. Without it, the language is detected; `en` where that is not reliable, as in short or mixed texts. */
      readonly language?: string | null;
      readonly title?: string | null;
      /** @description What the text belongs to, such as an assignment or the drafts of a paper: any string. */
      readonly group?: string | null;
      /** @description Whose text it is: any string, such as a user's identifier. */
      readonly owner?: string | null;
      /** @description Which documents are not compared: those of the same `owner`, or those of the same `group`, for example earlier drafts. */
      readonly leave_out?: ("owner" | "group") | null;
      /** @description The only collections of the corpus that are compared; all without it. */
      readonly collections?: readonly string[] | null;
      /** @description Texts that were handed out, such as the assignment: what comes from them is not compared. */
      readonly templates?: readonly string[] | null;
    };
    readonly UploadCheckForm: {
      /** @description Language of the text, an ISO 639-1 code. Without it, the language is detected; `en` where that is not reliable, as in short or mixed texts. */
      readonly language?: string | "";
      /** @description Display name; the file's name by default. A title in the file itself is shown beside it, as `document_title`. */
      readonly title?: string | "";
      /** @description What the text belongs to, such as an assignment or the drafts of a paper: any string. */
      readonly group?: string | "";
      /** @description Whose text it is: any string, such as a user's identifier. */
      readonly owner?: string | "";
      /** @description Which documents are not compared: those of the same `owner`, or those of the same `group`, for example earlier drafts. */
      readonly leave_out?: ("owner" | "group") | "";
      /** @description The only collections of the corpus that are compared; all without it. Names are separated by commas. */
      readonly collections?: string | "";
      /** @description Up to 5 files that were handed out, such as the assignment: what comes from them is not compared. */
      readonly templates?: readonly Blob[];
      /**
       * Format: binary
       * @description PDF, DOCX or TXT, at most 10 MiB.
       */
      readonly file: Blob;
    };
    readonly ChangeCheckBody: {
      /** @description Null removes the title. */
      readonly title?: string | null;
      /** @description What is kept of the report; null removes it. */
      readonly review?: components["schemas"]["ReviewChanges"] | null;
    };
    readonly ReviewChanges: {
      /** @description `open` at first. */
      readonly status?: ("open" | "cleared" | "to_be_discussed" | "confirmed") | null;
      /** @description Plain text of up to 2,000 characters; null or an empty text removes it. */
      readonly comment?: string | null;
      /** @description In place of the filters that were kept before. */
      readonly filters?: components["schemas"]["FiltersToKeep"] | null;
    };
    readonly FiltersToKeep: {
      readonly exclude_quotes?: boolean | null;
      readonly exclude_bibliography?: boolean | null;
      readonly min_words?: number | null;
      readonly exclude_sources?: readonly string[] | null;
      readonly exclude_passages?: readonly string[] | null;
      readonly match_types?: readonly ("identical" | "minor_changes" | "paraphrased" | "translated")[] | null;
      readonly standing_exclusions?: boolean | null;
      readonly match_groups?:
        | readonly (
            | "quoted_and_cited"
            | "cited_without_quotation_marks"
            | "quoted_without_source"
            | "unsure"
            | "neither"
          )[]
        | null;
    };
    readonly NoteBody: {
      /** @description Plain text of up to 2,000 characters. An empty one removes the note. */
      readonly text: string;
    };
    readonly CompareTextsBody: {
      /** @description The text whose passages are looked for. */
      readonly query_text: string;
      /** @description The text in which they are looked for. */
      readonly source_text: string;
      /** @description ISO 639-1 code of the query's language. Without it, the language is detected; `en` where that is not reliable, as in short or mixed texts. */
      readonly language?: string | null;
      /** @description ISO 639-1 code of the source's language. Without it, the language is detected; `en` where that is not reliable, as in short or mixed texts. */
      readonly source_language?: string | null;
    };
    readonly CompareFilesForm: {
      /**
       * Format: binary
       * @description PDF, DOCX or TXT, at most 10 MiB.
       */
      readonly query_file?: Blob;
      /** @description In place of `query_file`. */
      readonly query_text?: string | "";
      /**
       * Format: binary
       * @description PDF, DOCX or TXT, at most 10 MiB.
       */
      readonly source_file?: Blob;
      /** @description In place of `source_file`. */
      readonly source_text?: string | "";
      /** @description ISO 639-1 code of the query's language. Without it, the language is detected; `en` where that is not reliable, as in short or mixed texts. */
      readonly language?: string | "";
      /** @description ISO 639-1 code of the source's language. Without it, the language is detected; `en` where that is not reliable, as in short or mixed texts. */
      readonly source_language?: string | "";
    };
    readonly UploadDocumentForm: {
      /** @description A display name; by default the title in the properties of a PDF or DOCX file, if it looks like one, otherwise the file name without its extension. */
      readonly title?: string | "";
      /** @description Language of the text, an ISO 639-1 code. Without it, the language is detected; `en` where that is not reliable, as in short or mixed texts. */
      readonly language?: string | "";
      /** @description Where the document is published; shown in reports, never fetched. */
      readonly source_url?: string | "";
      /** @description The collection that it belongs to. A check can be limited to collections. */
      readonly collection?: string | "";
      /** @description What it belongs to, such as an assignment. A check can leave out its own group. */
      readonly group?: string | "";
      /** @description Whose text it is. A check can leave out the documents of its own owner. */
      readonly owner?: string | "";
      /**
       * Format: binary
       * @description A PDF, DOCX, TXT or Markdown file of at most 10 MiB, unless the operator has set another limit.
       */
      readonly file: Blob;
    };
    readonly CorrectDocumentBody: {
      /** @description ISO 639-1 code of the text's language; it determines its words and sentences. */
      readonly language: string;
    };
    readonly SubmitBatchForm: {
      /** @description PDF, DOCX or text files of at most 10 MiB each, or ZIP archives of them. Names may be paths. */
      readonly files: readonly Blob[];
      /** @description The group of all these files. */
      readonly group?: string | "";
      /** @description Whether files of one folder are a group, which has its path as its name. The folder that all paths have in common is no group. */
      readonly group_by_folder?: ("true" | "false") | "";
      /** @description Files that were handed out: what comes from them is not compared. */
      readonly templates?: readonly Blob[];
      readonly title?: string | "";
      /** @description ISO 639-1 code of the language of all members. Without it, the language is detected; `en` where that is not reliable, as in short or mixed texts. */
      readonly language?: string | "";
      /** @description What the members are compared with: each other (`members`, the default), the `corpus`, or `both`. */
      readonly compare_with?: ("corpus" | "members" | "both") | "";
      /** @description Whether the members become documents of the corpus once the batch is complete. */
      readonly add_to_corpus?: ("true" | "false") | "";
      /** @description Text that more than this share of the members has in common, and at least ten of them, is marked as common; from 0.01 to 1, by default 0.2. */
      readonly common_share?: string | "";
    };
    readonly SubmitBatchBody: {
      readonly members: readonly components["schemas"]["MemberText"][];
      /** @description Texts that were handed out, such as the assignment: what comes from them is not compared. */
      readonly templates?: readonly string[] | null;
      readonly title?: string | null;
      /** @description ISO 639-1 code of the language of all members. Without it, the language is detected; `en` where that is not reliable, as in short or mixed texts. */
      readonly language?: string | null;
      /**
       * @description What the members are compared with: each other (`members`, the default), the `corpus`, or `both`.
       * @default members
       */
      readonly compare_with?: ("corpus" | "members" | "both") | null;
      /**
       * @description Whether the members become documents of the corpus once the batch is complete.
       * @default false
       */
      readonly add_to_corpus?: boolean | null;
      /**
       * @description Text that more than this share of the members has in common, and at least ten of them, is marked as common; from 0.01 to 1, by default 0.2.
       * @default 0.2
       */
      readonly common_share?: number | null;
    };
    readonly MemberText: {
      /** @description The text, kept as it is. */
      readonly text: string;
      /** @description Names the member; `text` and its number by default. */
      readonly name?: string | null;
      /** @description Members of one group are not compared with each other. */
      readonly group?: string | null;
    };
    readonly AddMembersForm: {
      /** @description PDF, DOCX or text files of at most 10 MiB each, or ZIP archives of them. Names may be paths. */
      readonly files: readonly Blob[];
      /** @description The group of all these files. */
      readonly group?: string | "";
      /** @description Whether files of one folder are a group, which has its path as its name. The folder that all paths have in common is no group. */
      readonly group_by_folder?: ("true" | "false") | "";
    };
    readonly AddMembersBody: {
      readonly members: readonly components["schemas"]["MemberText"][];
    };
    readonly RenameBatchBody: {
      readonly title: string | null;
    };
    readonly SubmittedCheck: {
      /** Format: uuid */
      readonly check_id: string;
      readonly status_url: string;
      readonly progress_url: string;
      readonly report_url: string;
    };
    /** @description An error (RFC 9457). */
    readonly Problem: {
      /** @description The path of the page that explains this kind of problem, relative to the service. */
      readonly type: string;
      /** @description The kind of problem, in fixed words. */
      readonly title: string;
      /** @description The HTTP status. */
      readonly status: number;
      /** @description The cause of this error, and its remedy. */
      readonly detail: string;
      /** @description One entry for each fault of invalid input. */
      readonly errors?: readonly {
        /** @description The wire name; the names of nested members are joined with dots. */
        readonly field: string;
        /** @description The expected value. */
        readonly message: string;
      }[];
      /** @description Only for internal errors: the identifier to look for in the service's log. */
      readonly request_id?: string;
    };
    readonly CheckList: {
      readonly items: readonly components["schemas"]["CheckRow"][];
      readonly total: number;
      readonly limit: number;
      readonly offset: number;
    };
    readonly CheckRow: {
      /** Format: uuid */
      readonly check_id: string;
      /** @enum {string} */
      readonly status: "pending" | "running" | "complete" | "failed";
      /** @description Null unless the check is running. */
      readonly stage: ("chunking" | "fingerprinting" | "retrieving" | "aligning" | "assembling") | null;
      readonly title: string | null;
      /** @description The title; without one, the first words of the text, about 60 characters. For display only. */
      readonly display_title: string;
      readonly language: string;
      /**
       * @description `stated`: given with the text or corrected later; `detected` in the text; `default`: neither, so it is `en`.
       * @enum {string}
       */
      readonly language_origin: "stated" | "detected" | "default";
      /** @description Null until the check is complete. */
      readonly overall_similarity_pct: number | null;
      /** @description The uploaded file, which can be downloaded; null if there was none or it was not kept. */
      readonly original: components["schemas"]["Original"] | null;
      readonly char_count: number;
      readonly word_count: number;
      /** @description Chunks of the text for which the corpus has been searched. */
      readonly chunks_done: number;
      readonly chunks_total: number;
      /** @description Null until the check is complete. */
      readonly coverage: ("full" | "partial") | null;
      /** Format: date-time */
      readonly created_at: string;
      readonly started_at: string | null;
      readonly completed_at: string | null;
      /** Format: date-time */
      readonly updated_at: string;
      /** @description Null unless the check has failed. */
      readonly error_message: string | null;
      readonly status_url: string;
      readonly progress_url: string;
      readonly report_url: string;
      /** @description As given; missing if there was none. */
      readonly group?: string;
      /** @description As given; missing if there was none. */
      readonly owner?: string;
      /**
       * @description Which documents were not compared.
       * @enum {string}
       */
      readonly leave_out?: "owner" | "group";
      /** @description The only collections that were compared. */
      readonly collections?: readonly string[];
      /** @description The title in the properties of the PDF or DOCX file; missing where none looks like a title. */
      readonly document_title?: string;
      /** @description The author in these properties; missing where none looks like a person's name. */
      readonly document_author?: string;
      /** @description As of the check, without its filters. */
      readonly review?: components["schemas"]["ListedReview"];
      /** @description The first 120 characters of the text. */
      readonly query_text_preview: string;
    };
    readonly Original: {
      readonly filename: string;
      /** @enum {string} */
      readonly media_type:
        | "application/pdf"
        | "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
        | "text/plain"
        | "text/markdown";
      readonly size_bytes: number;
    };
    readonly ListedReview: {
      /** @enum {string} */
      readonly status: "open" | "cleared" | "to_be_discussed" | "confirmed";
      readonly comment: string | null;
      /** @description The score with the kept filters, as of `changed_at`. `overall_similarity_pct` of the check stays the score without filters. */
      readonly reviewed_similarity_pct: number;
      /** Format: date-time */
      readonly changed_at: string;
    };
    readonly CheckStats: {
      readonly total_checks: number;
      /** @description Since the beginning of the current month in UTC. */
      readonly checks_this_month: number;
      /** @description Mean over the last checks to complete; null if there are none. */
      readonly avg_similarity_pct: number | null;
      /** @description Number of checks in the average, at most 100. */
      readonly avg_window_size: number;
      /** @description Over all checks. */
      readonly total_words: number;
      /** @description Documents in the corpus. */
      readonly total_sources: number;
    };
    readonly Check: {
      /** Format: uuid */
      readonly check_id: string;
      /** @enum {string} */
      readonly status: "pending" | "running" | "complete" | "failed";
      /** @description Null unless the check is running. */
      readonly stage: ("chunking" | "fingerprinting" | "retrieving" | "aligning" | "assembling") | null;
      readonly title: string | null;
      /** @description The title; without one, the first words of the text, about 60 characters. For display only. */
      readonly display_title: string;
      readonly language: string;
      /**
       * @description `stated`: given with the text or corrected later; `detected` in the text; `default`: neither, so it is `en`.
       * @enum {string}
       */
      readonly language_origin: "stated" | "detected" | "default";
      /** @description Null until the check is complete. */
      readonly overall_similarity_pct: number | null;
      /** @description The uploaded file, which can be downloaded; null if there was none or it was not kept. */
      readonly original: components["schemas"]["Original"] | null;
      readonly char_count: number;
      readonly word_count: number;
      /** @description Chunks of the text for which the corpus has been searched. */
      readonly chunks_done: number;
      readonly chunks_total: number;
      /** @description Null until the check is complete. */
      readonly coverage: ("full" | "partial") | null;
      /** Format: date-time */
      readonly created_at: string;
      readonly started_at: string | null;
      readonly completed_at: string | null;
      /** Format: date-time */
      readonly updated_at: string;
      /** @description Null unless the check has failed. */
      readonly error_message: string | null;
      readonly status_url: string;
      readonly progress_url: string;
      readonly report_url: string;
      /** @description As given; missing if there was none. */
      readonly group?: string;
      /** @description As given; missing if there was none. */
      readonly owner?: string;
      /**
       * @description Which documents were not compared.
       * @enum {string}
       */
      readonly leave_out?: "owner" | "group";
      /** @description The only collections that were compared. */
      readonly collections?: readonly string[];
      /** @description The title in the properties of the PDF or DOCX file; missing where none looks like a title. */
      readonly document_title?: string;
      /** @description The author in these properties; missing where none looks like a person's name. */
      readonly document_author?: string;
      /** @description What was kept of the report; missing if nothing was. */
      readonly review?: components["schemas"]["Review"];
    };
    readonly Review: {
      /** @enum {string} */
      readonly status: "open" | "cleared" | "to_be_discussed" | "confirmed";
      readonly comment: string | null;
      readonly filters: components["schemas"]["KeptFilters"];
      /** @description The score with the kept filters, as of `changed_at`. `overall_similarity_pct` of the check stays the score without filters. */
      readonly reviewed_similarity_pct: number;
      /** Format: date-time */
      readonly changed_at: string;
    };
    readonly KeptFilters: {
      readonly exclude_quotes?: boolean;
      readonly exclude_bibliography?: boolean;
      readonly min_words?: number;
      readonly exclude_sources?: readonly string[];
      readonly exclude_passages?: readonly string[];
      readonly match_types?: readonly ("identical" | "minor_changes" | "paraphrased" | "translated")[];
      readonly standing_exclusions?: boolean;
      readonly match_groups?: readonly (
        | "quoted_and_cited"
        | "cited_without_quotation_marks"
        | "quoted_without_source"
        | "unsure"
        | "neither"
      )[];
    };
    readonly StreamedEvent: {
      /**
       * @description The name of the final event. Others have none, which parsers report as `message`.
       * @enum {string}
       */
      readonly event?: "message" | "complete" | "failed";
      readonly data: string;
    };
    readonly OcrPages: {
      /** @description Ascending. */
      readonly pages: readonly components["schemas"]["OcrPage"][];
    };
    readonly OcrPage: {
      /** @description Its number, from 1. */
      readonly page: number;
      readonly lines: readonly {
        /** @description From its left end to its right one; of length 1. */
        readonly direction: {
          readonly x: number;
          readonly y: number;
        };
        readonly height: number;
        readonly is_right_to_left?: boolean;
        /** @description In the order of reading. */
        readonly words: readonly {
          readonly text: string;
          /** @description With y, the left end of its baseline. */
          readonly x: number;
          readonly y: number;
          readonly width: number;
        }[];
      }[];
    };
    readonly AddedToCorpus: {
      /** Format: uuid */
      readonly document_id: string;
      readonly document_url: string;
      /** @description False if the corpus had the same bytes already. */
      readonly is_new: boolean;
    };
    readonly Report: {
      /** Format: uuid */
      readonly check_id: string;
      readonly title: string | null;
      /** @description The title; without one, the first words of the text, about 60 characters. For display only. */
      readonly display_title: string;
      /** @description The title in the properties of the PDF or DOCX file; missing where none looks like a title. */
      readonly document_title?: string;
      /** @description The author in these properties; missing where none looks like a person's name. */
      readonly document_author?: string;
      readonly language: string;
      /**
       * @description `stated`: given with the text or corrected later; `detected` in the text; `default`: neither, so it is `en`.
       * @enum {string}
       */
      readonly language_origin: "stated" | "detected" | "default";
      /** @description Two decimals, rounded half up once. */
      readonly overall_similarity_pct: number;
      /** @description Length of unique_passages. */
      readonly total_matched_chars: number;
      /** @description Length of the text that percentages are shares of: all of it, less what filters exclude. */
      readonly compared_chars: number;
      /** @description The matched text by match type. Each character is counted once, with the closest type, so that these add up to total_matched_chars and overall_similarity_pct. */
      readonly match_types: {
        readonly identical: components["schemas"]["MatchTypeShare"];
        readonly minor_changes: components["schemas"]["MatchTypeShare"];
        readonly paraphrased: components["schemas"]["MatchTypeShare"];
        readonly translated: components["schemas"]["MatchTypeShare"];
      };
      /** @description The passages by match group. Each character is counted once, in its best acknowledged group. Missing without passages. */
      readonly match_groups?: {
        readonly quoted_and_cited: components["schemas"]["MatchGroupShare"];
        readonly cited_without_quotation_marks: components["schemas"]["MatchGroupShare"];
        readonly quoted_without_source: components["schemas"]["MatchGroupShare"];
        readonly unsure: components["schemas"]["MatchGroupShare"];
        readonly neither: components["schemas"]["MatchGroupShare"];
      };
      /** @description The text exactly as submitted. */
      readonly query_text: string;
      readonly char_count: number;
      readonly word_count: number;
      readonly duration_seconds: number;
      /** @description Descending by matched_chars. */
      readonly sources: readonly components["schemas"]["Source"][];
      /** @description [start, end) pairs over query_text: ascending, disjoint, the union over all sources. */
      readonly unique_passages: readonly [number, number][];
      /** @enum {string} */
      readonly coverage: "full" | "partial";
      /** @description Null when coverage is full. `time_cap`: the time budget ended, perhaps while a part of the index did not answer. `unread_pages`: the text of some pages could not be read, see `page_notes`. */
      readonly coverage_reason: ("time_cap" | "unread_pages") | null;
      /** @description Missing where all pages were read as usual. */
      readonly page_notes?: readonly components["schemas"]["PageNote"][];
      readonly checked_chunks: number;
      readonly total_chunks: number;
      /** @description Number of documents that the text was compared with; beyond 10,000, an estimate. */
      readonly corpus_sources: number;
      /** @description What the check was limited to; missing if the text was compared with the whole corpus. */
      readonly scope?: components["schemas"]["ReportScope"];
      /** @description Uploads accepted before the check that were not compared, because they were not fingerprinted within 20 seconds. */
      readonly documents_pending: number;
      /** @description The first 20 of these uploads, oldest first, without deleted ones. Missing where `documents_pending` is 0. */
      readonly uncompared_documents?: readonly components["schemas"]["UncomparedDocument"][];
      /**
       * @description Whether the meaning of the text was compared with all, some or none of the corpus documents.
       * @enum {string}
       */
      readonly semantic_coverage: "full" | "partial" | "none";
      /** @description Null when coverage is full. `off`: switched off. `unavailable`: the encoder is not available. `not_encoded`: documents wait for their sentences to be encoded. `time_cap`: the time budget ended, or a part of the index did not answer. `no_sentences`: the text has none. */
      readonly semantic_coverage_reason:
        | ("off" | "unavailable" | "not_encoded" | "time_cap" | "no_sentences")
        | null;
      /** @description Number of documents whose meaning the text was compared with; beyond 10,000, an estimate. */
      readonly semantic_documents: number;
      /** @description Ascending. If there are more than 1,000, one flag of each kind gives the number of the others. */
      readonly integrity_flags: readonly components["schemas"]["IntegrityFlag"][];
      /** @description [start, end) pairs over query_text: headers, footers, and the numbers of pages and lines of a PDF, which are not compared. */
      readonly page_margins: readonly [number, number][];
      /** @description The other members of a batch, for a check that is one. They do not count as sources, nor in the figures above. Null for other checks. */
      readonly batch: components["schemas"]["BatchMatches"] | null;
      /** @enum {string} */
      readonly offset_unit: "code_point" | "utf16";
      /** @description All notes in the order of the text, also those on passages that filters exclude or whose source was deleted. */
      readonly notes: readonly components["schemas"]["ReportNote"][];
      /** @description Null unless the request has filters. */
      readonly filters: components["schemas"]["ReportFilters"] | null;
      /** @description What the operator leaves out of all reports, and what that took away from this one; missing if nothing is left out. */
      readonly standing_exclusions?: components["schemas"]["StandingExclusions"];
      /** @description What was kept of the report, with `review=true`; missing if nothing was. */
      readonly review?: components["schemas"]["Review"];
      /** @description With `explain=true` only. */
      readonly explanation?: components["schemas"]["ReportExplanation"];
      /** Format: date-time */
      readonly created_at: string;
      /** Format: date-time */
      readonly completed_at: string;
    };
    readonly MatchTypeShare: {
      readonly matched_chars: number;
      /** @description Two decimals, rounded half up once. */
      readonly similarity_pct: number;
    };
    readonly MatchGroupShare: {
      readonly passages: number;
      readonly matched_chars: number;
      /** @description Two decimals, rounded half up once. */
      readonly similarity_pct: number;
    };
    readonly Source: {
      /** @description Its place in the report without filters, from 1 for the source with the most matched text. Pages and exports show it, so that filters do not change how a source is called. */
      readonly number: number;
      /** Format: uuid */
      readonly source_document_id: string;
      readonly title: string;
      readonly source_filename: string;
      readonly source_url: string | null;
      /** @description Where the API has the document; null for documents added in bulk, which it does not list. */
      readonly document_url: string | null;
      /** @description ISO 639-1 code of the source's language. */
      readonly language: string;
      /** @description Two decimals, rounded half up once. */
      readonly similarity_pct: number;
      /** @description Length of the union of its passages. */
      readonly matched_chars: number;
      /** @description Length of the text that this source explains better than any other: those of all sources, with those deleted since, add up to total_matched_chars. */
      readonly exclusive_matched_chars: number;
      /** @description Ascending by query_start. */
      readonly passages: readonly components["schemas"]["Passage"][];
      /** @description With `explain=true` only. Null if nothing was recorded. */
      readonly explanation?: components["schemas"]["SourceExplanation"] | null;
    };
    readonly Passage: {
      readonly query_start: number;
      /** @description Exclusive. */
      readonly query_end: number;
      /** @description The chunk of the source in which the passage begins, from 0. */
      readonly source_chunk_index: number;
      /** @description From the start of that chunk. */
      readonly source_start: number;
      /** @description May lie beyond the end of that chunk. */
      readonly source_end: number;
      /** @description From the start of the source's extracted text. */
      readonly source_document_start: number;
      readonly source_document_end: number;
      /**
       * @description How the text was reused; `translated`: the passage in the source is in another language.
       * @enum {string}
       */
      readonly match_type: "identical" | "minor_changes" | "paraphrased" | "translated";
      /** @description The passage divided where its match type changes for a sentence or more: ascending, without gaps, at least one. Filters and totals by match type go by runs. */
      readonly runs: readonly components["schemas"]["PassageRun"][];
      /** @description At most 200 characters of the source; for display only. */
      readonly overlap_text_preview: string;
      /** @description For passages found by their meaning; null for passages found by their words. */
      readonly meaning: components["schemas"]["MeaningComparison"] | null;
      /** @description What a reader wrote about the passage. */
      readonly note: string | null;
      /**
       * @description How the text acknowledges the passage: by quotation marks or a block quote, and by a citation in its sentences or right behind them. `unsure`: it can't be told, see `acknowledgement`. `neither`: nothing near the passage is a quotation or may be a citation.
       * @enum {string}
       */
      readonly match_group?:
        | "quoted_and_cited"
        | "cited_without_quotation_marks"
        | "quoted_without_source"
        | "unsure"
        | "neither";
      /** @description With `explain=true` only. */
      readonly acknowledgement?: components["schemas"]["Acknowledgement"];
      /** @description With `explain=true` only. Null if nothing was recorded. */
      readonly explanation?: components["schemas"]["PassageExplanation"] | null;
    };
    readonly PassageRun: {
      readonly query_start: number;
      readonly query_end: number;
      readonly source_document_start: number;
      readonly source_document_end: number;
      /**
       * @description How the text was reused; `translated`: the passage in the source is in another language.
       * @enum {string}
       */
      readonly match_type: "identical" | "minor_changes" | "paraphrased" | "translated";
    };
    readonly MeaningComparison: {
      /** @description Sentences that correspond, in the order of the text. */
      readonly sentence_pairs: readonly {
        readonly query_start: number;
        readonly query_end: number;
        readonly source_document_start: number;
        readonly source_document_end: number;
        /** @description How much more similar the two sentences are than such sentences usually are, from -1 to 1. */
        readonly margin: number;
      }[];
      /** @description Names, numbers and rare words that both sides contain, rarest first, at most 12. */
      readonly shared_words: readonly string[];
      /** @description Names and numbers of the passage that are missing at its place in the source, at most 12. They speak against reuse. Empty for translations and for passages seen from the source. */
      readonly own_names: readonly string[];
      /** @description ISO 639-1 code of the language that the passage itself is in, or of its text where the passage does not tell. */
      readonly query_language: string | null;
      /** @description The same of the passage in the source. */
      readonly source_language: string | null;
    };
    readonly Acknowledgement: {
      /** @description Null unless the group is `unsure`. `partly_quoted`: a part of the passage is in quotation marks. `possible_citation`: a citation whose form is uncertain, or up to two sentences away. `other_work_cited`: the bibliography says that the citation is of another work. `possible_block_quote`: a paragraph behind a colon. `in_bibliography`: the passage is a part of it. */
      readonly unsure_reason:
        | (
            | "partly_quoted"
            | "possible_citation"
            | "other_work_cited"
            | "possible_block_quote"
            | "in_bibliography"
          )
        | null;
      /** @description [start, end) pairs: the quotations at the passage. */
      readonly quotations: readonly [number, number][];
      /** @description [start, end) pairs: the citations that were considered. */
      readonly citations: readonly [number, number][];
    };
    readonly PassageExplanation: {
      /** @description Words that are equal on both sides, compared one by one. */
      readonly matched_words: number;
      /** @description Candidates from which the passage was merged. */
      readonly seeds: number;
      /** @description Share of the words on both sides that are equal and in the same order. It decides match_type. */
      readonly similarity: number;
      /** @description Log-odds of reuse above the threshold for a passage. A passage with a score below 0 is reported if other evidence, such as an exact copy, outweighs it. */
      readonly score: number;
    };
    readonly SourceExplanation: {
      /** @description Chunks found by words, strongest first, at most 8; none if meaning alone found the document. */
      readonly hits: readonly components["schemas"]["CandidateHit"][];
      /** @description Number of chunks found by words. */
      readonly hit_count: number;
      /** @description Matches that are not reported, best first, at most 5; the best by words and the best by meaning are among them. */
      readonly dropped_matches: readonly components["schemas"]["DroppedMatch"][];
      /** @description All dropped matches, by reason. */
      readonly dropped_counts: {
        readonly [key: string]: number;
      };
    };
    readonly CandidateHit: {
      readonly query_chunk_index: number;
      readonly source_chunk_index: number;
      /** @description Sampled five-word shingles that occur in both chunks. */
      readonly shared_shingles: number;
      /** @description Rare words of the query's chunk that also occur in the source's chunk. */
      readonly shared_terms: number;
    };
    readonly DroppedMatch: {
      readonly query_start: number;
      readonly query_end: number;
      readonly source_document_start: number;
      readonly source_document_end: number;
      /**
       * @description Why the match is not reported. `too_short`: too little evidence; `duplicate`: a better match of the source covers the text; `remainder_too_short`: too little remains beside better matches; `set_phrase`: boilerplate; `weak_meaning`: sentences that resemble those of the source, but not enough. Reasons may be added.
       * @enum {string}
       */
      readonly reason: "too_short" | "duplicate" | "remainder_too_short" | "set_phrase" | "weak_meaning";
      /** @description 0 for sentences that were compared by their meaning. */
      readonly matched_words: number;
      /** @description Log-odds of reuse above the threshold for a passage. Those of words and of meaning are measured in different ways. */
      readonly score: number;
      /** @description Of sentences that were compared by their meaning: names and numbers that the source lacks there, which speak against reuse, at most 12. Empty for other matches, and between two languages. */
      readonly own_names: readonly string[];
    };
    readonly PageNote: {
      /**
       * @description `no_text`: the pages show pictures, such as scans, and hold no text. `unreadable_font`: the fonts of a part of their text do not say which characters it has. `ocr`: the pages were pictures or had such fonts, and text recognition has read them. Kinds may be added.
       * @enum {string}
       */
      readonly kind: "no_text" | "unreadable_font" | "ocr";
      /** @description Ascending. */
      readonly pages: readonly number[];
    };
    readonly ReportScope: {
      /**
       * @description Which documents were not compared.
       * @enum {string}
       */
      readonly leave_out?: "owner" | "group";
      /** @description The only collections that were compared. */
      readonly collections?: readonly string[];
    };
    readonly UncomparedDocument: {
      /** Format: uuid */
      readonly document_id: string;
      readonly title: string;
    };
    readonly IntegrityFlag: {
      /**
       * @description `homoglyphs`: a word that mixes scripts. `invisible_characters`: invisible characters where no script needs them. `bidi_controls`: controls that change the text direction. `spaced_letters`: words with spaces or signs between their letters, which hide a copy from a search for words. `garbled_text`: text that is no language as it stands, such as words without blanks between them, with signs, digits or doubled letters in them, or of random letters. `hidden_text`: text of the file that its reader does not see, which is not compared and not part of the text: `start` and `end` are equal. Kinds may be added.
       * @enum {string}
       */
      readonly kind:
        | "homoglyphs"
        | "invisible_characters"
        | "bidi_controls"
        | "spaced_letters"
        | "garbled_text"
        | "hidden_text";
      readonly start: number;
      readonly end: number;
      readonly detail: string;
      /** @description The text of a flag of kind `hidden_text`; missing where one flag stands for many. */
      readonly hidden?: {
        /**
         * @description How it is hidden: in the colour of its background, in letters of less than 2 points, marked as not to be shown, outside the visible part of the page, covered by a shape, transparent, or on a layer that is switched off. Means may be added.
         * @enum {string}
         */
        readonly means:
          | "background_colour"
          | "tiny"
          | "not_drawn"
          | "outside_page"
          | "covered"
          | "transparent"
          | "layer_off";
        /** @description Its length. */
        readonly chars: number;
        /** @description The hidden text, or the beginning of a longer one. */
        readonly text: string;
      };
    };
    readonly BatchMatches: {
      /** Format: uuid */
      readonly batch_id: string;
      /**
       * Format: uuid
       * @description The member of the batch that this check is.
       */
      readonly member_id: string;
      /** @description Whether all members of the batch have been compared. */
      readonly is_complete: boolean;
      /** @description False if the batch compares its members with each other only: no source can be found then. */
      readonly is_compared_with_corpus: boolean;
      /** @description The share of this check's text that any of these members has too. */
      readonly similarity_pct: number;
      readonly matched_chars: number;
      /** @description Members with passages in common. */
      readonly members_total: number;
      /** @description Descending by the matched text, at most 100. Filters do not apply to them. */
      readonly members: readonly components["schemas"]["MemberMatch"][];
    };
    readonly MemberMatch: {
      /** Format: uuid */
      readonly member_id: string;
      /**
       * Format: uuid
       * @description The check of that member.
       */
      readonly check_id: string;
      readonly name: string;
      readonly group: string | null;
      readonly language: string;
      /** @description The share of this check's text, outside the templates. */
      readonly similarity_pct: number;
      readonly matched_chars: number;
      /** @description Ascending by query_start. Source offsets are those of the other member's text. */
      readonly passages: readonly components["schemas"]["MemberPassage"][];
    };
    readonly MemberPassage: {
      readonly query_start: number;
      /** @description Exclusive. */
      readonly query_end: number;
      /** @description From the start of the source's extracted text. */
      readonly source_document_start: number;
      readonly source_document_end: number;
      /**
       * @description How the text was reused; `translated`: the passage in the source is in another language.
       * @enum {string}
       */
      readonly match_type: "identical" | "minor_changes" | "paraphrased" | "translated";
      /** @description The passage divided where its match type changes for a sentence or more: ascending, without gaps, at least one. Filters and totals by match type go by runs. */
      readonly runs: readonly components["schemas"]["PassageRun"][];
      /** @description For passages found by their meaning; null for passages found by their words. */
      readonly meaning: components["schemas"]["MeaningComparison"] | null;
    };
    readonly ReportNote: {
      /** @description Names the passage, as in `exclude_passages`. */
      readonly passage: string;
      /** Format: uuid */
      readonly source_document_id: string;
      readonly query_start: number;
      readonly query_end: number;
      readonly note: string;
    };
    readonly ReportFilters: {
      /** @description The filters as given. */
      readonly applied: {
        readonly [key: string]: unknown;
      };
      /** @description Two decimals, rounded half up once. */
      readonly unfiltered_similarity_pct: number;
    };
    readonly StandingExclusions: {
      /** @description False with `standing_exclusions=false`. */
      readonly is_applied: boolean;
      readonly sources: readonly string[];
      readonly collections: readonly string[];
      readonly phrases: readonly string[];
      /** @description Sections by their kind or heading. */
      readonly sections: readonly string[];
      /** @description Passages, and parts of passages, that were taken away. */
      readonly excluded_passages: number;
      /** @description Text in them. */
      readonly excluded_chars: number;
      /** @description The score without these exclusions and without filters. */
      readonly similarity_pct_without: number;
    };
    readonly ReportExplanation: {
      /** @description Documents found by words, and those found by meaning that have a match. */
      readonly candidate_count: number | null;
      /** @description Candidates without a passage that came closest to one, at most 20. */
      readonly unreported_candidates: readonly {
        /** Format: uuid */
        readonly source_document_id: string;
        readonly title: string;
        readonly explanation: components["schemas"]["SourceExplanation"];
      }[];
      /** @description Passages and parts of passages that the filters of this request excluded, by source. */
      readonly filtered_out: readonly {
        /** Format: uuid */
        readonly source_document_id: string;
        readonly query_start: number;
        readonly query_end: number;
        /** @enum {string} */
        readonly filter:
          | "exclude_quotes"
          | "exclude_bibliography"
          | "min_words"
          | "exclude_sources"
          | "exclude_passages"
          | "match_types"
          | "match_groups"
          | "standing_exclusions";
      }[];
    };
    readonly SourceText: {
      /** Format: uuid */
      readonly source_document_id: string;
      readonly title: string;
      readonly source_url: string | null;
      /** @description ISO 639-1 code of the document's language. */
      readonly language: string;
      /** @enum {string} */
      readonly offset_unit: "code_point" | "utf16";
      /** @description Length of the whole text. */
      readonly char_count: number;
      /** @description Where `text` begins in the document's extracted text. */
      readonly start: number;
      /** @description Exclusive. Less than requested at the end of the text, and after 100,000 characters. */
      readonly end: number;
      readonly text: string;
    };
    readonly PassageNote: {
      /** @description Names the whole passage, also if the request named a part of it. */
      readonly passage: string;
      readonly note: string | null;
    };
    readonly Comparison: {
      readonly query: components["schemas"]["ComparedSide"];
      readonly source: components["schemas"]["ComparedSide"];
      /** @description Passages of the query with their places in the source, ascending by query_start. Source text may serve several passages. `source_document_start` counts from the start of the source's text. */
      readonly passages: readonly components["schemas"]["ComparedPassage"][];
      /** @enum {string} */
      readonly coverage: "full" | "partial";
      /** @description `time_cap`: the time ended when only verbatim copies were found. Null when coverage is full. */
      readonly coverage_reason: "time_cap" | null;
      /**
       * @description Whether all, some or none of the sentences were compared by their meaning.
       * @enum {string}
       */
      readonly semantic_coverage: "full" | "partial" | "none";
      /** @description Null when coverage is full. `off`: switched off. `unavailable`: the encoder is not available. `time_cap`: the time ended. `no_sentences`: one of the texts has none. */
      readonly semantic_coverage_reason: ("off" | "unavailable" | "time_cap" | "no_sentences") | null;
      /** @enum {string} */
      readonly offset_unit: "code_point" | "utf16";
      readonly duration_seconds: number;
      /** @description How many days a link to a comparison lasts; missing if the operator allows no links. */
      readonly link_days?: number;
      /**
       * Format: date-time
       * @description When it is deleted; missing for a comparison that is not kept.
       */
      readonly expires_at?: string;
    };
    readonly ComparedSide: {
      /** @description The text as sent, or as extracted from the file. */
      readonly text: string;
      /** @description Null for a text. */
      readonly filename: string | null;
      readonly language: string;
      /**
       * @description `stated`: given with the text or corrected later; `detected` in the text; `default`: neither, so it is `en`.
       * @enum {string}
       */
      readonly language_origin: "stated" | "detected" | "default";
      readonly char_count: number;
      readonly word_count: number;
      /** @description The share of this text that the other one contains. */
      readonly overall_similarity_pct: number;
      /** @description Length of unique_passages. */
      readonly total_matched_chars: number;
      /** @description The matched text by match type. Each character is counted once, with the closest type, so that these add up to total_matched_chars and overall_similarity_pct. */
      readonly match_types: {
        readonly identical: components["schemas"]["MatchTypeShare"];
        readonly minor_changes: components["schemas"]["MatchTypeShare"];
        readonly paraphrased: components["schemas"]["MatchTypeShare"];
        readonly translated: components["schemas"]["MatchTypeShare"];
      };
      /** @description [start, end) pairs over `text`: ascending, disjoint. */
      readonly unique_passages: readonly [number, number][];
      /** @description Ascending. If there are more than 1,000, one flag of each kind gives the number of the others. */
      readonly integrity_flags: readonly components["schemas"]["IntegrityFlag"][];
      /** @description [start, end) pairs over `text`: headers, footers, and the numbers of pages and lines of a PDF, which are not compared. */
      readonly page_margins: readonly [number, number][];
      /** @description Missing where all pages were read as usual. */
      readonly page_notes?: readonly components["schemas"]["PageNote"][];
    };
    readonly ComparedPassage: {
      readonly query_start: number;
      /** @description Exclusive. */
      readonly query_end: number;
      /** @description From the start of the source's extracted text. */
      readonly source_document_start: number;
      readonly source_document_end: number;
      /**
       * @description How the text was reused; `translated`: the passage in the source is in another language.
       * @enum {string}
       */
      readonly match_type: "identical" | "minor_changes" | "paraphrased" | "translated";
      /** @description The passage divided where its match type changes for a sentence or more: ascending, without gaps, at least one. Filters and totals by match type go by runs. */
      readonly runs: readonly components["schemas"]["PassageRun"][];
      /** @description For passages found by their meaning; null for passages found by their words. */
      readonly meaning: components["schemas"]["MeaningComparison"] | null;
    };
    readonly ComparisonLink: {
      /** Format: uuid */
      readonly comparison_id: string;
      /** @description Where the comparison is read as JSON. */
      readonly comparison_url: string;
      /** @description The link: the page that shows both texts. */
      readonly page_url: string;
      /**
       * Format: date-time
       * @description When both texts are deleted.
       */
      readonly expires_at: string;
    };
    readonly CorpusDocument: {
      /** Format: uuid */
      readonly document_id: string;
      readonly filename: string;
      readonly title: string;
      readonly media_type: string;
      readonly language: string;
      /**
       * @description `stated`: given with the text or corrected later; `detected` in the text; `default`: neither, so it is `en`.
       * @enum {string}
       */
      readonly language_origin: "stated" | "detected" | "default";
      readonly source_url: string | null;
      readonly size_bytes: number;
      readonly sha256: string;
      readonly char_count: number;
      readonly word_count: number;
      /** @description 0 until the document is fingerprinted. */
      readonly chunk_count: number;
      /**
       * @description Matchable once it is fingerprinted.
       * @enum {string}
       */
      readonly fingerprint_status: "pending" | "fingerprinted";
      /**
       * @description Matchable by its meaning once it is encoded, some seconds later; it stays pending while semantic matching is off.
       * @enum {string}
       */
      readonly semantic_status: "pending" | "encoded";
      /** Format: date-time */
      readonly created_at: string;
      readonly fingerprinted_at: string | null;
      /** @description The author in the properties of a PDF or DOCX file; missing where none looks like a person's name. */
      readonly author?: string;
      /** @description As given; missing if there was none. */
      readonly collection?: string;
      /** @description As given; missing if there was none. */
      readonly group?: string;
      /** @description As given; missing if there was none. */
      readonly owner?: string;
      /** @description How the text of pages was read; missing where all were read as usual, and where it is not known, as for submissions of plug-ins. */
      readonly page_notes?: readonly components["schemas"]["PageNote"][];
    };
    readonly CorpusDocumentList: {
      readonly items: readonly components["schemas"]["CorpusDocument"][];
      readonly total: number;
      readonly limit: number;
      readonly offset: number;
    };
    readonly CorpusCollectionList: {
      readonly items: readonly components["schemas"]["CorpusCollection"][];
    };
    readonly CorpusCollection: {
      /** @description Its name, as in `collections` of a check; null: uploads without a collection. */
      readonly collection: string | null;
      readonly documents: number;
      /** @description Those of them that were uploaded through the API, which lists no others. */
      readonly uploaded_documents: number;
      readonly words: number;
      /** @description Size of the texts in UTF-8. */
      readonly text_bytes: number;
      /** @description Number of documents by ISO 639-1 code. */
      readonly languages: {
        readonly [key: string]: number;
      };
      /**
       * Format: date-time
       * @description When the newest document was added.
       */
      readonly newest_at: string;
      /** @description Documents that are matchable by words. */
      readonly fingerprinted: number;
      /** @description Documents that are matchable by meaning. */
      readonly encoded: number;
    };
    readonly CorpusCoverage: {
      /** @description Documents in the corpus, uploaded or not; an estimate beyond 100,000, like all counts here. */
      readonly documents: number;
      /** @description Those that are matchable by words. */
      readonly fingerprinted: number;
      /** @description Those whose sentences are encoded, so that they are matchable by meaning. */
      readonly encoded: number;
      /**
       * @description Whether a check compares the meaning of its text with all, part or none of the matchable documents.
       * @enum {string}
       */
      readonly semantic_coverage: "full" | "partial" | "none";
      /** @description Why not with all; null when it does. `off`: semantic matching is switched off; `unavailable`: there is no encoder; `not_encoded`: documents wait to be encoded. */
      readonly semantic_coverage_reason: ("off" | "unavailable" | "not_encoded") | null;
    };
    readonly CorpusDocumentWithText: {
      /** Format: uuid */
      readonly document_id: string;
      readonly filename: string;
      readonly title: string;
      readonly media_type: string;
      readonly language: string;
      /**
       * @description `stated`: given with the text or corrected later; `detected` in the text; `default`: neither, so it is `en`.
       * @enum {string}
       */
      readonly language_origin: "stated" | "detected" | "default";
      readonly source_url: string | null;
      readonly size_bytes: number;
      readonly sha256: string;
      readonly char_count: number;
      readonly word_count: number;
      /** @description 0 until the document is fingerprinted. */
      readonly chunk_count: number;
      /**
       * @description Matchable once it is fingerprinted.
       * @enum {string}
       */
      readonly fingerprint_status: "pending" | "fingerprinted";
      /**
       * @description Matchable by its meaning once it is encoded, some seconds later; it stays pending while semantic matching is off.
       * @enum {string}
       */
      readonly semantic_status: "pending" | "encoded";
      /** Format: date-time */
      readonly created_at: string;
      readonly fingerprinted_at: string | null;
      /** @description The author in the properties of a PDF or DOCX file; missing where none looks like a person's name. */
      readonly author?: string;
      /** @description As given; missing if there was none. */
      readonly collection?: string;
      /** @description As given; missing if there was none. */
      readonly group?: string;
      /** @description As given; missing if there was none. */
      readonly owner?: string;
      /** @description How the text of pages was read; missing where all were read as usual, and where it is not known, as for submissions of plug-ins. */
      readonly page_notes?: readonly components["schemas"]["PageNote"][];
      readonly extracted_text: string;
    };
    readonly SubmittedBatch: {
      /** Format: uuid */
      readonly batch_id: string;
      readonly status_url: string;
      readonly progress_url: string;
      readonly report_url: string;
    };
    readonly BatchList: {
      readonly items: readonly components["schemas"]["Batch"][];
      readonly total: number;
      readonly limit: number;
      readonly offset: number;
    };
    readonly Batch: {
      /** Format: uuid */
      readonly batch_id: string;
      /**
       * @description Members that are added later make a complete batch `reading` again.
       * @enum {string}
       */
      readonly status: "reading" | "comparing" | "complete";
      readonly title: string | null;
      /** @description Null where it is detected in each member. */
      readonly language: string | null;
      /** @enum {string} */
      readonly compare_with: "corpus" | "members" | "both";
      readonly add_to_corpus: boolean;
      readonly common_share: number;
      readonly members_total: number;
      /** @description Members that were read, also those that could not be. */
      readonly members_read: number;
      /** @description Members with which the work is done, also those that have failed. */
      readonly members_compared: number;
      readonly members_failed: number;
      readonly pairs_found: number;
      /** Format: date-time */
      readonly created_at: string;
      /** Format: date-time */
      readonly updated_at: string;
      readonly completed_at: string | null;
      readonly status_url: string;
      readonly progress_url: string;
      readonly report_url: string;
    };
    readonly AddedMembers: {
      /** Format: uuid */
      readonly batch_id: string;
      readonly members_added: number;
      readonly status_url: string;
      readonly progress_url: string;
      readonly report_url: string;
    };
    readonly BatchWithMembers: {
      /** Format: uuid */
      readonly batch_id: string;
      /**
       * @description Members that are added later make a complete batch `reading` again.
       * @enum {string}
       */
      readonly status: "reading" | "comparing" | "complete";
      readonly title: string | null;
      /** @description Null where it is detected in each member. */
      readonly language: string | null;
      /** @enum {string} */
      readonly compare_with: "corpus" | "members" | "both";
      readonly add_to_corpus: boolean;
      readonly common_share: number;
      readonly members_total: number;
      /** @description Members that were read, also those that could not be. */
      readonly members_read: number;
      /** @description Members with which the work is done, also those that have failed. */
      readonly members_compared: number;
      readonly members_failed: number;
      readonly pairs_found: number;
      /** Format: date-time */
      readonly created_at: string;
      /** Format: date-time */
      readonly updated_at: string;
      readonly completed_at: string | null;
      readonly status_url: string;
      readonly progress_url: string;
      readonly report_url: string;
      /** @description One page, in the order of arrival. */
      readonly members: readonly components["schemas"]["BatchMember"][];
    };
    readonly BatchMember: {
      /** Format: uuid */
      readonly member_id: string;
      /** @description Members in the order of their arrival, from 0. */
      readonly ordinal: number;
      readonly name: string;
      readonly group: string | null;
      /**
       * @description `waiting` to be read, `read` and waiting to be compared, `compared`, or `failed`.
       * @enum {string}
       */
      readonly status: "waiting" | "read" | "compared" | "failed";
      /** @description The check of the member, once it was read. */
      readonly check_id: string | null;
      readonly error_code: string | null;
      /** @description Why it failed; null for others. */
      readonly error_message: string | null;
      /** @description The title in the properties of the PDF or DOCX file; missing where none looks like a title. */
      readonly document_title?: string;
      /** @description The author in these properties; missing where none looks like a person's name. */
      readonly document_author?: string;
    };
    readonly StreamedBatchEvent: {
      /** @enum {string} */
      readonly event?: "message" | "complete" | "failed";
      readonly data: string;
    };
    readonly BatchReport: {
      /** Format: uuid */
      readonly batch_id: string;
      readonly title: string | null;
      /**
       * @description Until the batch is `complete`, pairs may be missing.
       * @enum {string}
       */
      readonly status: "reading" | "comparing" | "complete";
      readonly members_total: number;
      /** @description Members that were read, also those that could not be. */
      readonly members_read: number;
      /** @description Members with which the work is done, also those that have failed. */
      readonly members_compared: number;
      readonly members_failed: number;
      readonly pairs_found: number;
      /** @description Two decimals, rounded half up once. */
      readonly min_similarity: number;
      /** @description One page of the members that were read, by descending similarity. */
      readonly members: readonly components["schemas"]["RankedMember"][];
      /** @description One page of the pairs of at least `min_similarity`, by descending similarity. */
      readonly pairs: readonly components["schemas"]["BatchPair"][];
      /** @description The number of pairs of at least `min_similarity`, on all pages. */
      readonly pairs_total: number;
      /** @description Members that are connected by these pairs, directly or through others; the largest cluster first. */
      readonly clusters: readonly {
        readonly members: readonly components["schemas"]["MemberReference"][];
        readonly pairs: number;
      }[];
      /** @description By similarity, in ranges of ten percent: members by their highest, pairs by the greater of both sides. The last range includes 100; members without a pair are in the first one. */
      readonly histogram: readonly {
        readonly from_pct: number;
        readonly to_pct: number;
        readonly members: number;
        readonly pairs: number;
      }[];
      /** @description Members that failed, with the reasons. */
      readonly unreadable: readonly components["schemas"]["BatchMember"][];
      readonly offset: number;
      readonly limit: number;
    };
    readonly RankedMember: {
      /** Format: uuid */
      readonly member_id: string;
      readonly ordinal: number;
      readonly name: string;
      readonly group: string | null;
      readonly check_id: string | null;
      readonly char_count: number;
      /** @description The highest similarity to another member. */
      readonly similarity_pct: number;
      /** @description Members with passages in common. */
      readonly pairs: number;
      /** @description The member of that similarity. */
      readonly nearest: components["schemas"]["MemberReference"] | null;
      /** @description The share of its text outside the templates that is common, as counted when it was compared. Text that more than 100 members share makes no pairs: only this figure shows it. */
      readonly common_pct: number;
      /** @description The score against the corpus; null if the batch is not compared with it. */
      readonly corpus_similarity_pct: number | null;
    };
    readonly MemberReference: {
      /** Format: uuid */
      readonly member_id: string;
      readonly ordinal: number;
      readonly name: string;
      readonly group: string | null;
    };
    readonly BatchPair: {
      readonly a: components["schemas"]["PairSide"];
      readonly b: components["schemas"]["PairSide"];
      /** @description The greater similarity of both sides. */
      readonly similarity_pct: number;
      readonly passage_count: number;
      readonly longest_passage_chars: number;
    };
    readonly PairSide: {
      /** Format: uuid */
      readonly member_id: string;
      readonly ordinal: number;
      readonly name: string;
      readonly group: string | null;
      /** @description Characters of this member that are in a passage. */
      readonly matched_chars: number;
      /** @description Their share of this member's text outside the templates. */
      readonly similarity_pct: number;
    };
    readonly BatchGraph: {
      /** Format: uuid */
      readonly batch_id: string;
      /**
       * @description Until the batch is `complete`, pairs may be missing.
       * @enum {string}
       */
      readonly status: "reading" | "comparing" | "complete";
      readonly members_total: number;
      /** @description Members that were read, also those that could not be. */
      readonly members_read: number;
      /** @description Members with which the work is done, also those that have failed. */
      readonly members_compared: number;
      readonly members_failed: number;
      readonly pairs_found: number;
      /** @description Two decimals, rounded half up once. */
      readonly min_similarity: number;
      /** @description All members that were read, by descending similarity. */
      readonly members: readonly {
        /** Format: uuid */
        readonly member_id: string;
        readonly ordinal: number;
        readonly name: string;
        readonly group: string | null;
        readonly check_id: string | null;
        readonly char_count: number;
        /** @description The highest similarity to another member. */
        readonly similarity_pct: number;
        /** @description Members with passages in common. */
        readonly pairs: number;
        /** @description The ordinal of that member. */
        readonly nearest: number | null;
        /** @description The share of its text outside the templates that is common, as counted when it was compared. Text that more than 100 members share makes no pairs: only this figure shows it. */
        readonly common_pct: number;
        /** @description The score against the corpus; null if the batch is not compared with it. */
        readonly corpus_similarity_pct: number | null;
      }[];
      /** @description The pairs as columns of equal length, by descending similarity; at most the 50,000 most similar ones. */
      readonly pairs: {
        /** @description Ordinals of members. */
        readonly a: readonly number[];
        /** @description Ordinals of the members that arrived later. */
        readonly b: readonly number[];
        readonly a_similarity_pct: readonly number[];
        readonly b_similarity_pct: readonly number[];
        readonly passage_count: readonly number[];
        readonly longest_passage_chars: readonly number[];
      };
      /** @description The number of pairs of at least `min_similarity`, including those that are left out. */
      readonly pairs_total: number;
    };
    readonly BatchPairView: {
      /** Format: uuid */
      readonly batch_id: string;
      /** @enum {string} */
      readonly offset_unit: "code_point" | "utf16";
      readonly a: components["schemas"]["PairText"];
      readonly b: components["schemas"]["PairText"];
      /** @description Two decimals, rounded half up once. */
      readonly similarity_pct: number;
      readonly longest_passage_chars: number;
      /** @description Ascending by their place in `b`, which arrived later: query offsets are those of `b`, source offsets those of `a`. */
      readonly passages: readonly components["schemas"]["PairPassage"][];
    };
    readonly PairText: {
      /** Format: uuid */
      readonly member_id: string;
      readonly ordinal: number;
      readonly name: string;
      readonly group: string | null;
      /** @description Characters of this member that are in a passage. */
      readonly matched_chars: number;
      /** @description Their share of this member's text outside the templates. */
      readonly similarity_pct: number;
      /** Format: uuid */
      readonly check_id: string;
      readonly language: string;
      /** @description The whole text. */
      readonly text: string;
      readonly char_count: number;
      /** @description Characters outside the templates. */
      readonly compared_chars: number;
      /** @description [start, end) pairs: text that comes from a template and is not compared. */
      readonly template_text: readonly [number, number][];
      /** @description [start, end) pairs: text that many members share. */
      readonly common_text: readonly [number, number][];
      /** @description [start, end) pairs: text in quotation marks, and block quotes. */
      readonly quotations: readonly [number, number][];
    };
    readonly PairPassage: {
      readonly query_start: number;
      /** @description Exclusive. */
      readonly query_end: number;
      /** @description From the start of the source's extracted text. */
      readonly source_document_start: number;
      readonly source_document_end: number;
      /**
       * @description How the text was reused; `translated`: the passage in the source is in another language.
       * @enum {string}
       */
      readonly match_type: "identical" | "minor_changes" | "paraphrased" | "translated";
      /** @description The passage divided where its match type changes for a sentence or more: ascending, without gaps, at least one. Filters and totals by match type go by runs. */
      readonly runs: readonly components["schemas"]["PassageRun"][];
      /** @description For passages found by their meaning; null for passages found by their words. */
      readonly meaning: components["schemas"]["MeaningComparison"] | null;
      /** @description Whether half or more of it is in quotation marks, in either text. */
      readonly is_quoted: boolean;
      /** @description Whether half or more of it is text that many members share. */
      readonly is_common: boolean;
    };
    readonly ProgressEvent: {
      /** @description Null only before the first stage. */
      readonly stage: ("chunking" | "fingerprinting" | "retrieving" | "aligning" | "assembling") | null;
      readonly chunks_done: number;
      readonly chunks_total: number;
    };
    readonly ProgressEnd: {
      /** Format: uuid */
      readonly check_id: string;
      /** @enum {string} */
      readonly status: "complete" | "failed" | "deleted";
      /** @description Null unless the check is complete. */
      readonly overall_similarity_pct: number | null;
      /** @description Null unless the check has failed. */
      readonly error_message: string | null;
      readonly report_url: string;
    };
    readonly BatchProgressEvent: {
      /** @enum {string} */
      readonly status: "reading" | "comparing" | "complete";
      readonly members_total: number;
      /** @description Members that were read, also those that could not be. */
      readonly members_read: number;
      /** @description Members with which the work is done, also those that have failed. */
      readonly members_compared: number;
      readonly members_failed: number;
      readonly pairs_found: number;
    };
    readonly BatchProgressEnd: {
      /** Format: uuid */
      readonly batch_id: string;
      /** @enum {string} */
      readonly status: "complete" | "deleted";
      readonly members_total: number;
      /** @description Members that were read, also those that could not be. */
      readonly members_read: number;
      /** @description Members with which the work is done, also those that have failed. */
      readonly members_compared: number;
      readonly members_failed: number;
      readonly pairs_found: number;
      readonly report_url: string;
    };
    /**
     * @description The kinds of problem that the operations answer with.
     * @enum {string}
     */
    readonly ProblemCode:
      | "batch_not_found"
      | "body_too_large"
      | "check_not_complete"
      | "check_not_found"
      | "comparison_links_off"
      | "comparison_not_found"
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
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type SubmitCheckBody = components["schemas"]["SubmitCheckBody"];
export type UploadCheckForm = components["schemas"]["UploadCheckForm"];
export type ChangeCheckBody = components["schemas"]["ChangeCheckBody"];
export type ReviewChanges = components["schemas"]["ReviewChanges"];
export type FiltersToKeep = components["schemas"]["FiltersToKeep"];
export type NoteBody = components["schemas"]["NoteBody"];
export type CompareTextsBody = components["schemas"]["CompareTextsBody"];
export type CompareFilesForm = components["schemas"]["CompareFilesForm"];
export type UploadDocumentForm = components["schemas"]["UploadDocumentForm"];
export type CorrectDocumentBody = components["schemas"]["CorrectDocumentBody"];
export type SubmitBatchForm = components["schemas"]["SubmitBatchForm"];
export type SubmitBatchBody = components["schemas"]["SubmitBatchBody"];
export type MemberText = components["schemas"]["MemberText"];
export type AddMembersForm = components["schemas"]["AddMembersForm"];
export type AddMembersBody = components["schemas"]["AddMembersBody"];
export type RenameBatchBody = components["schemas"]["RenameBatchBody"];
export type SubmittedCheck = components["schemas"]["SubmittedCheck"];
export type Problem = components["schemas"]["Problem"];
export type CheckList = components["schemas"]["CheckList"];
export type CheckRow = components["schemas"]["CheckRow"];
export type Original = components["schemas"]["Original"];
export type ListedReview = components["schemas"]["ListedReview"];
export type CheckStats = components["schemas"]["CheckStats"];
export type Check = components["schemas"]["Check"];
export type Review = components["schemas"]["Review"];
export type KeptFilters = components["schemas"]["KeptFilters"];
export type StreamedEvent = components["schemas"]["StreamedEvent"];
export type OcrPages = components["schemas"]["OcrPages"];
export type OcrPage = components["schemas"]["OcrPage"];
export type AddedToCorpus = components["schemas"]["AddedToCorpus"];
export type Report = components["schemas"]["Report"];
export type MatchTypeShare = components["schemas"]["MatchTypeShare"];
export type MatchGroupShare = components["schemas"]["MatchGroupShare"];
export type Source = components["schemas"]["Source"];
export type Passage = components["schemas"]["Passage"];
export type PassageRun = components["schemas"]["PassageRun"];
export type MeaningComparison = components["schemas"]["MeaningComparison"];
export type Acknowledgement = components["schemas"]["Acknowledgement"];
export type PassageExplanation = components["schemas"]["PassageExplanation"];
export type SourceExplanation = components["schemas"]["SourceExplanation"];
export type CandidateHit = components["schemas"]["CandidateHit"];
export type DroppedMatch = components["schemas"]["DroppedMatch"];
export type PageNote = components["schemas"]["PageNote"];
export type ReportScope = components["schemas"]["ReportScope"];
export type UncomparedDocument = components["schemas"]["UncomparedDocument"];
export type IntegrityFlag = components["schemas"]["IntegrityFlag"];
export type BatchMatches = components["schemas"]["BatchMatches"];
export type MemberMatch = components["schemas"]["MemberMatch"];
export type MemberPassage = components["schemas"]["MemberPassage"];
export type ReportNote = components["schemas"]["ReportNote"];
export type ReportFilters = components["schemas"]["ReportFilters"];
export type StandingExclusions = components["schemas"]["StandingExclusions"];
export type ReportExplanation = components["schemas"]["ReportExplanation"];
export type SourceText = components["schemas"]["SourceText"];
export type PassageNote = components["schemas"]["PassageNote"];
export type Comparison = components["schemas"]["Comparison"];
export type ComparedSide = components["schemas"]["ComparedSide"];
export type ComparedPassage = components["schemas"]["ComparedPassage"];
export type ComparisonLink = components["schemas"]["ComparisonLink"];
export type CorpusDocument = components["schemas"]["CorpusDocument"];
export type CorpusDocumentList = components["schemas"]["CorpusDocumentList"];
export type CorpusCollectionList = components["schemas"]["CorpusCollectionList"];
export type CorpusCollection = components["schemas"]["CorpusCollection"];
export type CorpusCoverage = components["schemas"]["CorpusCoverage"];
export type CorpusDocumentWithText = components["schemas"]["CorpusDocumentWithText"];
export type SubmittedBatch = components["schemas"]["SubmittedBatch"];
export type BatchList = components["schemas"]["BatchList"];
export type Batch = components["schemas"]["Batch"];
export type AddedMembers = components["schemas"]["AddedMembers"];
export type BatchWithMembers = components["schemas"]["BatchWithMembers"];
export type BatchMember = components["schemas"]["BatchMember"];
export type StreamedBatchEvent = components["schemas"]["StreamedBatchEvent"];
export type BatchReport = components["schemas"]["BatchReport"];
export type RankedMember = components["schemas"]["RankedMember"];
export type MemberReference = components["schemas"]["MemberReference"];
export type BatchPair = components["schemas"]["BatchPair"];
export type PairSide = components["schemas"]["PairSide"];
export type BatchGraph = components["schemas"]["BatchGraph"];
export type BatchPairView = components["schemas"]["BatchPairView"];
export type PairText = components["schemas"]["PairText"];
export type PairPassage = components["schemas"]["PairPassage"];
export type ProgressEvent = components["schemas"]["ProgressEvent"];
export type ProgressEnd = components["schemas"]["ProgressEnd"];
export type BatchProgressEvent = components["schemas"]["BatchProgressEvent"];
export type BatchProgressEnd = components["schemas"]["BatchProgressEnd"];
export type ProblemCode = components["schemas"]["ProblemCode"];
export interface operations {
  readonly listChecks: {
    readonly parameters: {
      readonly query?: {
        /** @description The number of rows to return, from 1 to 100. */
        readonly limit?: number;
        /** @description The number of rows to skip, in the order of the list. */
        readonly offset?: number;
        /** @description Only checks whose title, or the title in their file, contains this text, ignoring case; without a title, the first 120 characters of their text count. */
        readonly title?: string;
        /** @description Only checks with this status. */
        readonly status?: "pending" | "running" | "complete" | "failed";
        /** @description Only complete checks with at least this `overall_similarity_pct`. */
        readonly score_min?: number;
        /** @description Only complete checks with at most this `overall_similarity_pct`. */
        readonly score_max?: number;
        /** @description Only complete checks with this status of their review; a check without a review is `open`. */
        readonly review_status?: "open" | "cleared" | "to_be_discussed" | "confirmed";
        /** @description `date`: by time of submission, which is the default; `score`: by `overall_similarity_pct`, those without one last; `words`: by `word_count`. */
        readonly sort?: "date" | "score" | "words";
        /** @description Ascending or descending. */
        readonly order?: "asc" | "desc";
      };
    };
    readonly responses: {
      /** @description One page. */
      readonly 200: {
        content: {
          readonly "application/json": components["schemas"]["CheckList"];
        };
      };
    };
  };
  readonly submitCheck: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description Makes a retry safe: within 24 hours the same key and request give the same check. */
        readonly "Idempotency-Key"?: string;
      };
    };
    readonly requestBody: {
      readonly content: {
        readonly "application/json": components["schemas"]["SubmitCheckBody"];
      };
    };
    readonly responses: {
      /** @description The check is queued. */
      readonly 202: {
        content: {
          readonly "application/json": components["schemas"]["SubmittedCheck"];
        };
      };
    };
  };
  readonly submitUpload: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description Makes a retry safe: within 24 hours the same key and request give the same check. */
        readonly "Idempotency-Key"?: string;
      };
    };
    readonly requestBody: {
      readonly content: {
        readonly "multipart/form-data": components["schemas"]["UploadCheckForm"];
      };
    };
    readonly responses: {
      /** @description The check is queued. */
      readonly 202: {
        content: {
          readonly "application/json": components["schemas"]["SubmittedCheck"];
        };
      };
    };
  };
  readonly exportChecks: {
    readonly parameters: {
      readonly query?: {
        /** @description Only checks whose title, or the title in their file, contains this text, ignoring case; without a title, the first 120 characters of their text count. */
        readonly title?: string;
        /** @description Only checks with this status. */
        readonly status?: "pending" | "running" | "complete" | "failed";
        /** @description Only complete checks with at least this `overall_similarity_pct`. */
        readonly score_min?: number;
        /** @description Only complete checks with at most this `overall_similarity_pct`. */
        readonly score_max?: number;
        /** @description Only complete checks with this status of their review; a check without a review is `open`. */
        readonly review_status?: "open" | "cleared" | "to_be_discussed" | "confirmed";
        /** @description `date`: by time of submission, which is the default; `score`: by `overall_similarity_pct`, those without one last; `words`: by `word_count`. */
        readonly sort?: "date" | "score" | "words";
        /** @description Ascending or descending. */
        readonly order?: "asc" | "desc";
      };
    };
    readonly responses: {
      /** @description The table. */
      readonly 200: {
        content: {
          readonly "text/csv": string;
        };
      };
    };
  };
  readonly getCheckStats: {
    readonly parameters: {
      readonly query?: never;
    };
    readonly responses: {
      /** @description The figures. */
      readonly 200: {
        content: {
          readonly "application/json": components["schemas"]["CheckStats"];
        };
      };
    };
  };
  readonly getCheck: {
    readonly parameters: {
      readonly query?: never;
      readonly path: {
        /** @description Identifier of the check. */
        readonly check_id: string;
      };
    };
    readonly responses: {
      /** @description The metadata. */
      readonly 200: {
        content: {
          readonly "application/json": components["schemas"]["Check"];
        };
      };
    };
  };
  readonly deleteCheck: {
    readonly parameters: {
      readonly query?: never;
      readonly path: {
        /** @description Identifier of the check. */
        readonly check_id: string;
      };
    };
    readonly responses: {
      /** @description The check is gone. */
      readonly 204: {
        content?: never;
      };
    };
  };
  readonly renameCheck: {
    readonly parameters: {
      readonly query?: never;
      readonly path: {
        /** @description Identifier of the check. */
        readonly check_id: string;
      };
    };
    readonly requestBody: {
      readonly content: {
        readonly "application/json": components["schemas"]["ChangeCheckBody"];
      };
    };
    readonly responses: {
      /** @description The metadata as it is now. */
      readonly 200: {
        content: {
          readonly "application/json": components["schemas"]["Check"];
        };
      };
    };
  };
  readonly followCheck: {
    readonly parameters: {
      readonly query?: never;
      readonly path: {
        /** @description Identifier of the check. */
        readonly check_id: string;
      };
    };
    readonly responses: {
      /** @description The stream. The schema and the examples are those of one event. */
      readonly 200: {
        content: {
          readonly "text/event-stream": components["schemas"]["StreamedEvent"];
        };
      };
    };
  };
  readonly getOriginal: {
    readonly parameters: {
      readonly query?: never;
      readonly path: {
        /** @description Identifier of the check. */
        readonly check_id: string;
      };
    };
    readonly responses: {
      /** @description The file. */
      readonly 200: {
        content: {
          readonly "application/pdf": unknown;
          readonly "application/vnd.openxmlformats-officedocument.wordprocessingml.document": unknown;
          readonly "text/plain": unknown;
        };
      };
    };
  };
  readonly getOriginalHtml: {
    readonly parameters: {
      readonly query?: never;
      readonly path: {
        /** @description Identifier of the check. */
        readonly check_id: string;
      };
    };
    readonly responses: {
      /** @description The fragment. */
      readonly 200: {
        content: {
          readonly "text/html": string;
        };
      };
    };
  };
  readonly getOcrPages: {
    readonly parameters: {
      readonly query?: never;
      readonly path: {
        /** @description Identifier of the check. */
        readonly check_id: string;
      };
    };
    readonly responses: {
      /** @description The pages, ascending. */
      readonly 200: {
        content: {
          readonly "application/json": components["schemas"]["OcrPages"];
        };
      };
    };
  };
  readonly addToCorpus: {
    readonly parameters: {
      readonly query?: {
        /** @description The collection of the new document. */
        readonly collection?: string;
      };
      readonly path: {
        /** @description Identifier of the check. */
        readonly check_id: string;
      };
    };
    readonly responses: {
      /** @description The corpus had the same bytes already. */
      readonly 200: {
        content: {
          readonly "application/json": components["schemas"]["AddedToCorpus"];
        };
      };
      /** @description The document is new. */
      readonly 201: {
        content: {
          readonly "application/json": components["schemas"]["AddedToCorpus"];
        };
      };
    };
  };
  readonly getReport: {
    readonly parameters: {
      readonly query?: {
        /** @description The unit of offsets, and of lengths: Unicode code points, or UTF-16 units as in a JavaScript string. */
        readonly offset_unit?: "code_point" | "utf16";
        /** @description The unit of lengths, such as `total_matched_chars`, where it is not that of the offsets. */
        readonly length_unit?: "code_point" | "utf16";
        /** @description Excludes text in quotation marks and block quotes. */
        readonly exclude_quotes?: boolean;
        /** @description Excludes the bibliography. */
        readonly exclude_bibliography?: boolean;
        /** @description Excludes passages of fewer words than this. */
        readonly min_words?: number;
        /** @description Identifiers of source documents to exclude. */
        readonly exclude_sources?: readonly string[];
        /** @description Passages to exclude, each as `START-END-DOCUMENT`: its query_start and query_end in code points, and its source. Passages of this source that overlap the range are excluded. */
        readonly exclude_passages?: readonly string[];
        /** @description The types of match to keep. */
        readonly match_types?: readonly ("identical" | "minor_changes" | "paraphrased" | "translated")[];
        /** @description `false` shows the report with what the operator leaves out of all reports. */
        readonly standing_exclusions?: boolean;
        /** @description The match groups to keep, in whole passages. */
        readonly match_groups?: readonly (
          | "quoted_and_cited"
          | "cited_without_quotation_marks"
          | "quoted_without_source"
          | "unsure"
          | "neither"
        )[];
        /** @description Shows what was kept of the report: its status and comment, and its filters, unless the request names a filter itself. */
        readonly review?: boolean;
        /** @description Adds an `explanation` to the report, its sources and its passages: why they were reported or not. */
        readonly explain?: boolean;
      };
      readonly path: {
        /** @description Identifier of the check. */
        readonly check_id: string;
      };
    };
    readonly responses: {
      /** @description The report. */
      readonly 200: {
        content: {
          readonly "application/json": components["schemas"]["Report"];
        };
      };
    };
  };
  readonly getSourceText: {
    readonly parameters: {
      readonly query?: {
        /** @description Start of the part; 0 by default. */
        readonly start?: number;
        /** @description End of the part, exclusive; by default as far as one answer reaches. */
        readonly end?: number;
        /** @description The unit of offsets, and of lengths: Unicode code points, or UTF-16 units as in a JavaScript string. */
        readonly offset_unit?: "code_point" | "utf16";
      };
      readonly path: {
        /** @description Identifier of the check. */
        readonly check_id: string;
        /** @description Identifier of a source of the check's report. */
        readonly source_document_id: string;
      };
    };
    readonly responses: {
      /** @description The part of the text. */
      readonly 200: {
        content: {
          readonly "application/json": components["schemas"]["SourceText"];
        };
      };
    };
  };
  readonly setNote: {
    readonly parameters: {
      readonly query?: never;
      readonly path: {
        /** @description Identifier of the check. */
        readonly check_id: string;
        /** @description `START-END-DOCUMENT`: the passage's query_start and query_end in code points, and its source, as in `exclude_passages`. */
        readonly passage: string;
      };
    };
    readonly requestBody: {
      readonly content: {
        readonly "application/json": components["schemas"]["NoteBody"];
      };
    };
    readonly responses: {
      /** @description The note as it is now. */
      readonly 200: {
        content: {
          readonly "application/json": components["schemas"]["PassageNote"];
        };
      };
    };
  };
  readonly deleteNote: {
    readonly parameters: {
      readonly query?: never;
      readonly path: {
        /** @description Identifier of the check. */
        readonly check_id: string;
        /** @description `START-END-DOCUMENT`: the passage's query_start and query_end in code points, and its source, as in `exclude_passages`. */
        readonly passage: string;
      };
    };
    readonly responses: {
      /** @description The passage has no note. */
      readonly 204: {
        content?: never;
      };
    };
  };
  readonly getPassagesCsv: {
    readonly parameters: {
      readonly query?: {
        /** @description The unit of offsets, and of lengths: Unicode code points, or UTF-16 units as in a JavaScript string. */
        readonly offset_unit?: "code_point" | "utf16";
        /** @description The unit of lengths, such as `total_matched_chars`, where it is not that of the offsets. */
        readonly length_unit?: "code_point" | "utf16";
        /** @description Excludes text in quotation marks and block quotes. */
        readonly exclude_quotes?: boolean;
        /** @description Excludes the bibliography. */
        readonly exclude_bibliography?: boolean;
        /** @description Excludes passages of fewer words than this. */
        readonly min_words?: number;
        /** @description Identifiers of source documents to exclude. */
        readonly exclude_sources?: readonly string[];
        /** @description Passages to exclude, each as `START-END-DOCUMENT`: its query_start and query_end in code points, and its source. Passages of this source that overlap the range are excluded. */
        readonly exclude_passages?: readonly string[];
        /** @description The types of match to keep. */
        readonly match_types?: readonly ("identical" | "minor_changes" | "paraphrased" | "translated")[];
        /** @description `false` shows the report with what the operator leaves out of all reports. */
        readonly standing_exclusions?: boolean;
        /** @description The match groups to keep, in whole passages. */
        readonly match_groups?: readonly (
          | "quoted_and_cited"
          | "cited_without_quotation_marks"
          | "quoted_without_source"
          | "unsure"
          | "neither"
        )[];
        /** @description Shows what was kept of the report: its status and comment, and its filters, unless the request names a filter itself. */
        readonly review?: boolean;
      };
      readonly path: {
        /** @description Identifier of the check. */
        readonly check_id: string;
      };
    };
    readonly responses: {
      /** @description The table. `Content-Disposition` names the file after the check's title. */
      readonly 200: {
        content: {
          readonly "text/csv": string;
        };
      };
    };
  };
  readonly getReportHtml: {
    readonly parameters: {
      readonly query?: {
        /** @description Excludes text in quotation marks and block quotes. */
        readonly exclude_quotes?: boolean;
        /** @description Excludes the bibliography. */
        readonly exclude_bibliography?: boolean;
        /** @description Excludes passages of fewer words than this. */
        readonly min_words?: number;
        /** @description Identifiers of source documents to exclude. */
        readonly exclude_sources?: readonly string[];
        /** @description Passages to exclude, each as `START-END-DOCUMENT`: its query_start and query_end in code points, and its source. Passages of this source that overlap the range are excluded. */
        readonly exclude_passages?: readonly string[];
        /** @description The types of match to keep. */
        readonly match_types?: readonly ("identical" | "minor_changes" | "paraphrased" | "translated")[];
        /** @description `false` shows the report with what the operator leaves out of all reports. */
        readonly standing_exclusions?: boolean;
        /** @description The match groups to keep, in whole passages. */
        readonly match_groups?: readonly (
          | "quoted_and_cited"
          | "cited_without_quotation_marks"
          | "quoted_without_source"
          | "unsure"
          | "neither"
        )[];
        /** @description Shows what was kept of the report: its status and comment, and its filters, unless the request names a filter itself. */
        readonly review?: boolean;
        /** @description The language of the document’s own words; otherwise the one that `Accept-Language` prefers, or English. The texts in it stay as they are. */
        readonly language?:
          | "id"
          | "de"
          | "en"
          | "es"
          | "fr"
          | "it"
          | "pl"
          | "pt"
          | "tr"
          | "ru"
          | "ar"
          | "hi"
          | "zh"
          | "ja";
      };
      readonly path: {
        /** @description Identifier of the check. */
        readonly check_id: string;
      };
    };
    readonly responses: {
      /** @description The document. `Content-Disposition` names the file after the check's title. */
      readonly 200: {
        content: {
          readonly "text/html": string;
        };
      };
    };
  };
  readonly getReportPdf: {
    readonly parameters: {
      readonly query?: {
        /** @description Excludes text in quotation marks and block quotes. */
        readonly exclude_quotes?: boolean;
        /** @description Excludes the bibliography. */
        readonly exclude_bibliography?: boolean;
        /** @description Excludes passages of fewer words than this. */
        readonly min_words?: number;
        /** @description Identifiers of source documents to exclude. */
        readonly exclude_sources?: readonly string[];
        /** @description Passages to exclude, each as `START-END-DOCUMENT`: its query_start and query_end in code points, and its source. Passages of this source that overlap the range are excluded. */
        readonly exclude_passages?: readonly string[];
        /** @description The types of match to keep. */
        readonly match_types?: readonly ("identical" | "minor_changes" | "paraphrased" | "translated")[];
        /** @description `false` shows the report with what the operator leaves out of all reports. */
        readonly standing_exclusions?: boolean;
        /** @description The match groups to keep, in whole passages. */
        readonly match_groups?: readonly (
          | "quoted_and_cited"
          | "cited_without_quotation_marks"
          | "quoted_without_source"
          | "unsure"
          | "neither"
        )[];
        /** @description Shows what was kept of the report: its status and comment, and its filters, unless the request names a filter itself. */
        readonly review?: boolean;
        /** @description The language of the document’s own words; otherwise the one that `Accept-Language` prefers, or English. The texts in it stay as they are. */
        readonly language?:
          | "id"
          | "de"
          | "en"
          | "es"
          | "fr"
          | "it"
          | "pl"
          | "pt"
          | "tr"
          | "ru"
          | "ar"
          | "hi"
          | "zh"
          | "ja";
      };
      readonly path: {
        /** @description Identifier of the check. */
        readonly check_id: string;
      };
    };
    readonly responses: {
      /** @description The document. `Content-Disposition` names the file after the check's title. */
      readonly 200: {
        content: {
          readonly "application/pdf": Blob;
        };
      };
    };
  };
  readonly compareTexts: {
    readonly parameters: {
      readonly query?: {
        /** @description The unit of offsets, and of lengths: Unicode code points, or UTF-16 units as in a JavaScript string. */
        readonly offset_unit?: "code_point" | "utf16";
        /** @description The unit of lengths, such as `total_matched_chars`, where it is not that of the offsets. */
        readonly length_unit?: "code_point" | "utf16";
      };
    };
    readonly requestBody: {
      readonly content: {
        readonly "application/json": components["schemas"]["CompareTextsBody"];
      };
    };
    readonly responses: {
      /** @description The comparison. */
      readonly 200: {
        content: {
          readonly "application/json": components["schemas"]["Comparison"];
        };
      };
    };
  };
  readonly compareFiles: {
    readonly parameters: {
      readonly query?: {
        /** @description The unit of offsets, and of lengths: Unicode code points, or UTF-16 units as in a JavaScript string. */
        readonly offset_unit?: "code_point" | "utf16";
        /** @description The unit of lengths, such as `total_matched_chars`, where it is not that of the offsets. */
        readonly length_unit?: "code_point" | "utf16";
      };
    };
    readonly requestBody: {
      readonly content: {
        readonly "multipart/form-data": components["schemas"]["CompareFilesForm"];
      };
    };
    readonly responses: {
      /** @description The comparison. */
      readonly 200: {
        content: {
          readonly "application/json": components["schemas"]["Comparison"];
        };
      };
    };
  };
  readonly compareFilesAsPdf: {
    readonly parameters: {
      readonly query?: {
        /** @description The language of the document’s own words; otherwise the one that `Accept-Language` prefers, or English. The texts in it stay as they are. */
        readonly language?:
          | "id"
          | "de"
          | "en"
          | "es"
          | "fr"
          | "it"
          | "pl"
          | "pt"
          | "tr"
          | "ru"
          | "ar"
          | "hi"
          | "zh"
          | "ja";
      };
    };
    readonly requestBody: {
      readonly content: {
        readonly "multipart/form-data": components["schemas"]["CompareFilesForm"];
        readonly "application/json": components["schemas"]["CompareTextsBody"];
      };
    };
    readonly responses: {
      /** @description The document. `Content-Disposition` names the file after the first text. */
      readonly 200: {
        content: {
          readonly "application/pdf": Blob;
        };
      };
    };
  };
  readonly makeComparisonLink: {
    readonly parameters: {
      readonly query?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly "multipart/form-data": components["schemas"]["CompareFilesForm"];
        readonly "application/json": components["schemas"]["CompareTextsBody"];
      };
    };
    readonly responses: {
      /** @description The link. */
      readonly 201: {
        content: {
          readonly "application/json": components["schemas"]["ComparisonLink"];
        };
      };
    };
  };
  readonly getComparison: {
    readonly parameters: {
      readonly query?: {
        /** @description The unit of offsets, and of lengths: Unicode code points, or UTF-16 units as in a JavaScript string. */
        readonly offset_unit?: "code_point" | "utf16";
        /** @description The unit of lengths, such as `total_matched_chars`, where it is not that of the offsets. */
        readonly length_unit?: "code_point" | "utf16";
      };
      readonly path: {
        /** @description Identifier of the kept comparison, from its link. */
        readonly comparison_id: string;
      };
    };
    readonly responses: {
      /** @description The comparison. */
      readonly 200: {
        content: {
          readonly "application/json": components["schemas"]["Comparison"];
        };
      };
    };
  };
  readonly deleteComparison: {
    readonly parameters: {
      readonly query?: never;
      readonly path: {
        /** @description Identifier of the kept comparison, from its link. */
        readonly comparison_id: string;
      };
    };
    readonly responses: {
      /** @description The comparison is deleted. */
      readonly 204: {
        content?: never;
      };
    };
  };
  readonly getComparisonPdf: {
    readonly parameters: {
      readonly query?: {
        /** @description The language of the document’s own words; otherwise the one that `Accept-Language` prefers, or English. The texts in it stay as they are. */
        readonly language?:
          | "id"
          | "de"
          | "en"
          | "es"
          | "fr"
          | "it"
          | "pl"
          | "pt"
          | "tr"
          | "ru"
          | "ar"
          | "hi"
          | "zh"
          | "ja";
      };
      readonly path: {
        /** @description Identifier of the kept comparison, from its link. */
        readonly comparison_id: string;
      };
    };
    readonly responses: {
      /** @description The document. `Content-Disposition` names the file after the first text. */
      readonly 200: {
        content: {
          readonly "application/pdf": Blob;
        };
      };
    };
  };
  readonly listDocuments: {
    readonly parameters: {
      readonly query?: {
        /** @description The number of rows to return, from 1 to 100. */
        readonly limit?: number;
        /** @description The number of rows to skip, in the order of the list. */
        readonly offset?: number;
        /** @description Only documents whose title or file name contains this text, ignoring case. */
        readonly title?: string;
        /** @description Only documents with this status. */
        readonly fingerprint_status?: "pending" | "fingerprinted";
        /** @description `date`: by time of upload, which is the default; `words`: by `word_count`; `title`: by `title`, ignoring case, letter by letter in the order of Unicode. */
        readonly sort?: "date" | "words" | "title";
        /** @description Ascending or descending. */
        readonly order?: "asc" | "desc";
      };
    };
    readonly responses: {
      /** @description One page. */
      readonly 200: {
        content: {
          readonly "application/json": components["schemas"]["CorpusDocumentList"];
        };
      };
    };
  };
  readonly uploadDocument: {
    readonly parameters: {
      readonly query?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly "multipart/form-data": components["schemas"]["UploadDocumentForm"];
      };
    };
    readonly responses: {
      /** @description The same bytes were uploaded before; this is the existing document. */
      readonly 200: {
        content: {
          readonly "application/json": components["schemas"]["CorpusDocument"];
        };
      };
      /** @description The document is new. */
      readonly 201: {
        content: {
          readonly "application/json": components["schemas"]["CorpusDocument"];
        };
      };
    };
  };
  readonly exportDocuments: {
    readonly parameters: {
      readonly query?: {
        /** @description Only documents whose title or file name contains this text, ignoring case. */
        readonly title?: string;
        /** @description Only documents with this status. */
        readonly fingerprint_status?: "pending" | "fingerprinted";
        /** @description `date`: by time of upload, which is the default; `words`: by `word_count`; `title`: by `title`, ignoring case, letter by letter in the order of Unicode. */
        readonly sort?: "date" | "words" | "title";
        /** @description Ascending or descending. */
        readonly order?: "asc" | "desc";
      };
    };
    readonly responses: {
      /** @description The table. */
      readonly 200: {
        content: {
          readonly "text/csv": string;
        };
      };
    };
  };
  readonly listCollections: {
    readonly parameters: {
      readonly query?: never;
    };
    readonly responses: {
      /** @description All collections, the largest first. */
      readonly 200: {
        content: {
          readonly "application/json": components["schemas"]["CorpusCollectionList"];
        };
      };
    };
  };
  readonly getCorpusCoverage: {
    readonly parameters: {
      readonly query?: never;
    };
    readonly responses: {
      /** @description The numbers at this moment. */
      readonly 200: {
        content: {
          readonly "application/json": components["schemas"]["CorpusCoverage"];
        };
      };
    };
  };
  readonly getDocument: {
    readonly parameters: {
      readonly query?: never;
      readonly path: {
        /** @description Identifier of the document. */
        readonly document_id: string;
      };
    };
    readonly responses: {
      /** @description The document. */
      readonly 200: {
        content: {
          readonly "application/json": components["schemas"]["CorpusDocumentWithText"];
        };
      };
    };
  };
  readonly deleteDocument: {
    readonly parameters: {
      readonly query?: never;
      readonly path: {
        /** @description Identifier of the document. */
        readonly document_id: string;
      };
    };
    readonly responses: {
      /** @description The document is deleted. */
      readonly 204: {
        content?: never;
      };
    };
  };
  readonly correctDocumentLanguage: {
    readonly parameters: {
      readonly query?: never;
      readonly path: {
        /** @description Identifier of the document. */
        readonly document_id: string;
      };
    };
    readonly requestBody: {
      readonly content: {
        readonly "application/json": components["schemas"]["CorrectDocumentBody"];
      };
    };
    readonly responses: {
      /** @description The metadata as it is now. */
      readonly 200: {
        content: {
          readonly "application/json": components["schemas"]["CorpusDocument"];
        };
      };
    };
  };
  readonly listBatches: {
    readonly parameters: {
      readonly query?: {
        /** @description The number of rows to return, from 1 to 100. */
        readonly limit?: number;
        /** @description The number of rows to skip, in the order of the list. */
        readonly offset?: number;
        /** @description Only batches whose title contains this text, ignoring case. */
        readonly title?: string;
      };
    };
    readonly responses: {
      /** @description One page. */
      readonly 200: {
        content: {
          readonly "application/json": components["schemas"]["BatchList"];
        };
      };
    };
  };
  readonly submitBatch: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description Makes a retry safe: within 24 hours the same key and request give the same check. */
        readonly "Idempotency-Key"?: string;
      };
    };
    readonly requestBody: {
      readonly content: {
        readonly "multipart/form-data": components["schemas"]["SubmitBatchForm"];
        readonly "application/json": components["schemas"]["SubmitBatchBody"];
      };
    };
    readonly responses: {
      /** @description The batch is queued. */
      readonly 202: {
        content: {
          readonly "application/json": components["schemas"]["SubmittedBatch"];
        };
      };
    };
  };
  readonly addMembers: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description Makes a retry safe: within 24 hours the same key and request give the same check. */
        readonly "Idempotency-Key"?: string;
      };
      readonly path: {
        /** @description Identifier of the batch. */
        readonly batch_id: string;
      };
    };
    readonly requestBody: {
      readonly content: {
        readonly "multipart/form-data": components["schemas"]["AddMembersForm"];
        readonly "application/json": components["schemas"]["AddMembersBody"];
      };
    };
    readonly responses: {
      /** @description The members are queued. */
      readonly 202: {
        content: {
          readonly "application/json": components["schemas"]["AddedMembers"];
        };
      };
    };
  };
  readonly getBatch: {
    readonly parameters: {
      readonly query?: {
        /** @description The number of rows of each list, from 1 to 1000. */
        readonly limit?: number;
        /** @description The number of rows of each list to skip. */
        readonly offset?: number;
      };
      readonly path: {
        /** @description Identifier of the batch. */
        readonly batch_id: string;
      };
    };
    readonly responses: {
      /** @description The batch. */
      readonly 200: {
        content: {
          readonly "application/json": components["schemas"]["BatchWithMembers"];
        };
      };
    };
  };
  readonly deleteBatch: {
    readonly parameters: {
      readonly query?: never;
      readonly path: {
        /** @description Identifier of the batch. */
        readonly batch_id: string;
      };
    };
    readonly responses: {
      /** @description The batch is gone. */
      readonly 204: {
        content?: never;
      };
    };
  };
  readonly renameBatch: {
    readonly parameters: {
      readonly query?: never;
      readonly path: {
        /** @description Identifier of the batch. */
        readonly batch_id: string;
      };
    };
    readonly requestBody: {
      readonly content: {
        readonly "application/json": components["schemas"]["RenameBatchBody"];
      };
    };
    readonly responses: {
      /** @description The batch. */
      readonly 200: {
        content: {
          readonly "application/json": components["schemas"]["Batch"];
        };
      };
    };
  };
  readonly followBatch: {
    readonly parameters: {
      readonly query?: never;
      readonly path: {
        /** @description Identifier of the batch. */
        readonly batch_id: string;
      };
    };
    readonly responses: {
      /** @description The stream. The schema and the examples are those of one event. */
      readonly 200: {
        content: {
          readonly "text/event-stream": components["schemas"]["StreamedBatchEvent"];
        };
      };
    };
  };
  readonly getBatchReport: {
    readonly parameters: {
      readonly query?: {
        /** @description The number of rows of each list, from 1 to 1000. */
        readonly limit?: number;
        /** @description The number of rows of each list to skip. */
        readonly offset?: number;
        /** @description Leaves out passages of which half or more is in quotation marks in either text: two authors may quote one source. */
        readonly exclude_quotes?: boolean;
        /** @description Leaves out passages of which half or more is text that many members share. */
        readonly exclude_common?: boolean;
        /** @description The lowest similarity of the pairs, in percent of the member that has more of the other. */
        readonly min_similarity?: number;
      };
      readonly path: {
        /** @description Identifier of the batch. */
        readonly batch_id: string;
      };
    };
    readonly responses: {
      /** @description The report. */
      readonly 200: {
        content: {
          readonly "application/json": components["schemas"]["BatchReport"];
        };
      };
    };
  };
  readonly getBatchGraph: {
    readonly parameters: {
      readonly query?: {
        /** @description Leaves out passages of which half or more is in quotation marks in either text: two authors may quote one source. */
        readonly exclude_quotes?: boolean;
        /** @description Leaves out passages of which half or more is text that many members share. */
        readonly exclude_common?: boolean;
        /** @description The lowest similarity of the pairs, in percent of the member that has more of the other. */
        readonly min_similarity?: number;
      };
      readonly path: {
        /** @description Identifier of the batch. */
        readonly batch_id: string;
      };
    };
    readonly responses: {
      /** @description The graph. */
      readonly 200: {
        content: {
          readonly "application/json": components["schemas"]["BatchGraph"];
        };
      };
    };
  };
  readonly getBatchPair: {
    readonly parameters: {
      readonly query?: {
        /** @description Leaves out passages of which half or more is in quotation marks in either text: two authors may quote one source. */
        readonly exclude_quotes?: boolean;
        /** @description Leaves out passages of which half or more is text that many members share. */
        readonly exclude_common?: boolean;
        /** @description The unit of offsets: Unicode code points, or UTF-16 units as in a JavaScript string. */
        readonly offset_unit?: "code_point" | "utf16";
      };
      readonly path: {
        /** @description Identifier of the batch. */
        readonly batch_id: string;
        /** @description Identifier of a member. */
        readonly a: string;
        /** @description Identifier of another member. */
        readonly b: string;
      };
    };
    readonly responses: {
      /** @description The pair. */
      readonly 200: {
        content: {
          readonly "application/json": components["schemas"]["BatchPairView"];
        };
      };
    };
  };
  readonly getBatchPairsCsv: {
    readonly parameters: {
      readonly query?: {
        /** @description Leaves out passages of which half or more is in quotation marks in either text: two authors may quote one source. */
        readonly exclude_quotes?: boolean;
        /** @description Leaves out passages of which half or more is text that many members share. */
        readonly exclude_common?: boolean;
        /** @description The lowest similarity of the pairs, in percent of the member that has more of the other. */
        readonly min_similarity?: number;
      };
      readonly path: {
        /** @description Identifier of the batch. */
        readonly batch_id: string;
      };
    };
    readonly responses: {
      /** @description The table. */
      readonly 200: {
        content: {
          readonly "text/csv; charset=utf-8; header=present": unknown;
        };
      };
    };
  };
  readonly getBatchMembersCsv: {
    readonly parameters: {
      readonly query?: {
        /** @description Leaves out passages of which half or more is in quotation marks in either text: two authors may quote one source. */
        readonly exclude_quotes?: boolean;
        /** @description Leaves out passages of which half or more is text that many members share. */
        readonly exclude_common?: boolean;
      };
      readonly path: {
        /** @description Identifier of the batch. */
        readonly batch_id: string;
      };
    };
    readonly responses: {
      /** @description The table. */
      readonly 200: {
        content: {
          readonly "text/csv; charset=utf-8; header=present": unknown;
        };
      };
    };
  };
  readonly getHealth: {
    readonly parameters: {
      readonly query?: never;
    };
    readonly responses: {
      /** @description The process answers. */
      readonly 200: {
        content: {
          readonly "application/json": {
            /** @constant */
            readonly status: "ok";
          };
        };
      };
    };
  };
  readonly getReadiness: {
    readonly parameters: {
      readonly query?: never;
    };
    readonly responses: {
      /** @description Every part answers. */
      readonly 200: {
        content: {
          readonly "application/json": {
            /** @description Whether every part answers. */
            readonly ready: boolean;
            /** @description Maps each part to `ok` or to its fault. */
            readonly checks: {
              readonly [key: string]: string;
            };
          };
        };
      };
      /** @description A part does not answer. */
      readonly 503: {
        content: {
          readonly "application/json": {
            /** @description Whether every part answers. */
            readonly ready: boolean;
            /** @description Maps each part to `ok` or to its fault. */
            readonly checks: {
              readonly [key: string]: string;
            };
          };
        };
      };
    };
  };
  readonly getMetrics: {
    readonly parameters: {
      readonly query?: never;
    };
    readonly responses: {
      /** @description The metrics. */
      readonly 200: {
        content: {
          readonly "text/plain": unknown;
        };
      };
    };
  };
}
