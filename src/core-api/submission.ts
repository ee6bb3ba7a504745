import { z } from "zod";
import { DomainError } from "../platform/domain-error.ts";
import type { ReportFilters } from "../report/figures/filters.ts";

/**
 * The states of a submission:
 *
 * - CREATED: it has no file. When a file arrives, it moves to PROCESSING.
 * - PROCESSING: the text of the file is read. When it is stored, move to COMPLETE; when it can't be read, to ERROR.
 * - COMPLETE: a report can be requested. When the check of a report fails twice, move to ERROR.
 * - ERROR: if it has a text, a report can be requested, which moves it to COMPLETE.
 *
 * From each state, another file moves it to PROCESSING, and its report is forgotten. It can be deleted in every state.
 */
type SubmissionStatus = "CREATED" | "PROCESSING" | "COMPLETE" | "ERROR";

/** Why a text can't be checked, in the words of the protocol, for which clients have translations. */
export const ERROR_CODES = [
  "UNSUPPORTED_FILETYPE",
  "PROCESSING_ERROR",
  "CANNOT_EXTRACT_TEXT",
  "TOO_LITTLE_TEXT",
  "TOO_MUCH_TEXT",
  "TOO_MANY_PAGES",
  "FILE_LOCKED",
  "CORRUPT_FILE",
] as const;
type SubmissionErrorCode = (typeof ERROR_CODES)[number];

/** A new submission. Identifiers are the client's; names of people are not kept. */
export const NewSubmission = z.object({
  submissionId: z.string(),
  keyName: z.string(),
  /** The group, for a file that was handed out to its members; null for a submission. */
  attachmentOf: z.string().nullable(),
  owner: z.string().nullable(),
  submitter: z.string().nullable(),
  groupId: z.string().nullable(),
  contextId: z.string().nullable(),
  title: z.string(),
  createdAt: z.coerce.date(),
});
export type NewSubmission = z.output<typeof NewSubmission>;

export const SELF_MATCHING_SCOPES = ["ALL", "GROUP", "GROUP_CONTEXT", "NONE"] as const;

/** The settings of a requested report. */
export type ReportRequest = {
  readonly addToIndex: boolean;
  /** Where earlier submissions of the same owner are left out. */
  readonly selfMatchingScope: (typeof SELF_MATCHING_SCOPES)[number];
  readonly withoutSubmittedWorks: boolean;
  /** Submissions that are left out too. */
  readonly leaveOut: readonly string[];
  readonly view: ReportFilters;
};

/** `REQUESTED`: waits to be checked. `CHECKING`: its check waits or runs. */
type ReportStatus = "REQUESTED" | "CHECKING" | "COMPLETE";

/** A result as the API gives it. */
export type Similarity = {
  readonly submission_id: string;
  readonly status: "COMPLETE";
  readonly overall_match_percentage: number;
  readonly internet_match_percentage: number;
  readonly publication_match_percentage: number;
  readonly submitted_works_match_percentage: number;
  readonly top_source_largest_matched_word_count: number;
  readonly top_matches: readonly TopMatch[];
  readonly time_requested: string;
  readonly time_generated: string;
};

export type TopMatch = {
  readonly name: string;
  readonly percentage: number;
  readonly source_type: "INTERNET" | "PUBLICATION" | "SUBMITTED_WORK";
  readonly matched_word_count_total: number;
  /** Of a submitted work, as its time. */
  readonly submission_id?: string;
  readonly submitted_date?: string;
};

/** A submission without its text. */
export type Submission = NewSubmission & {
  readonly status: SubmissionStatus;
  readonly errorCode: string | null;
  readonly uploadId: string | null;
  readonly contentType: string | null;
  readonly wordCount: number | null;
  readonly charCount: number | null;
  readonly reportStatus: ReportStatus | null;
  readonly requestedAt: Date | null;
  readonly request: ReportRequest | null;
  /** Whether the check of this request failed before. */
  readonly retried: boolean;
  readonly checkId: string | null;
  /** Documents that its report never shows. */
  readonly hidden: readonly string[];
  readonly view: ReportFilters | null;
  readonly similarity: Similarity | null;
  readonly documentId: string | null;
};

/** Whether its last file was read. */
export function hasText({ status, wordCount }: Pick<Submission, "status" | "wordCount">): boolean {
  return status === "COMPLETE" || (status === "ERROR" && wordCount !== null);
}

/** The filters of its report: those in force, and the documents that are never shown. Undefined if there are none. */
export function filtersOf({ view, hidden }: Pick<Submission, "view" | "hidden">): ReportFilters | undefined {
  const excludeSources = [...hidden, ...(view?.excludeSources ?? [])];
  const filters = { ...view, excludeSources };
  const isEmpty = Object.values(filters).every(
    (value) => !value || (Array.isArray(value) && value.length === 0),
  );
  return isEmpty ? undefined : filters;
}

/** The code for a file that could not be read; undefined for a failure that is not the file's. */
export function errorCodeOf(error: unknown, isLocked: boolean): SubmissionErrorCode | undefined {
  if (!(error instanceof DomainError)) return undefined;
  switch (error.code) {
    case "unsupported_file_type":
      return "UNSUPPORTED_FILETYPE";
    case "no_extractable_text":
      return "CANNOT_EXTRACT_TEXT";
    case "text_too_long":
      return "TOO_MUCH_TEXT";
    case "unreadable_file":
      return isLocked ? "FILE_LOCKED" : "CORRUPT_FILE";
    default:
      return undefined;
  }
}
