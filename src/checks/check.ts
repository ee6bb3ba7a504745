import type { DocumentProperties } from "../extract/text/document-properties.ts";
import type { UploadMediaType } from "../extract/text/extracted-text.ts";
import type { Coverage, ReportScope } from "../report/figures/report.ts";
import type { Review } from "../report/index.ts";
import type { LanguageOrigin } from "../text/languages.ts";

/**
 * The states of a check:
 *
 * - `pending`: the check is written together with its job. When a worker takes the job, the check moves to `running`.
 * - `running`: one run owns the check, and only this run may write to it. When the run writes the report, the check moves to `complete`.
 *   When the run fails because of an error, it releases the check, and the job is repeated; with the third error the check moves to
 *   `failed`. When the run is stopped, waits for uploads or finds a store unavailable, it releases the check and no error is counted. When
 *   the process is killed, the next run takes the check over and counts an interruption; with the 21st the check moves to `failed`.
 * - `complete` and `failed`: the check stays as it is until it is deleted.
 *
 * A check can be deleted in every state. A run whose check was deleted or taken over stops at its next write.
 */
export const CHECK_STATUSES = ["pending", "running", "complete", "failed"] as const;
export type CheckStatus = (typeof CHECK_STATUSES)[number];

/** In the order in which a run goes through them. A later run begins with the first one, but keeps the searches that are done. */
export const CHECK_STAGES = [
  /** The text is normalised and cut into chunks with their shingles. */
  "chunking",
  /** The check waits until documents that were uploaded before it are fingerprinted. */
  "fingerprinting",
  /** The corpus is searched for each chunk. */
  "retrieving",
  /** The text is aligned with the documents found, and compared with others by meaning. */
  "aligning",
  /** The report is computed and stored. */
  "assembling",
] as const;
export type CheckStage = (typeof CHECK_STAGES)[number];

/** An uploaded file without its bytes. */
export type Original = {
  readonly filename: string;
  readonly mediaType: UploadMediaType;
  readonly sizeBytes: number;
};

/** Whose text it is and what it belongs to, and the documents that it is compared with. */
export type CheckScope = ReportScope & {
  readonly group: string | null;
  readonly owner: string | null;
};

export const WHOLE_CORPUS: CheckScope = { group: null, owner: null, leaveOut: null, collections: null };

/** A check without its heavy parts. Characters are code points. */
export type Check = CheckScope & {
  readonly checkId: string;
  readonly status: CheckStatus;
  readonly stage: CheckStage | null;
  readonly title: string | null;
  /** The title and the author that its file states for itself. */
  readonly properties: DocumentProperties;
  readonly language: string;
  readonly languageOrigin: LanguageOrigin;
  readonly queryTextPreview: string;
  /** The uploaded file that is kept; null for a text, and when files are not kept. */
  readonly original: Original | null;
  readonly charCount: number;
  readonly wordCount: number;
  readonly chunksDone: number;
  readonly chunksTotal: number;
  /** Grows with each message about its progress, over all its runs. */
  readonly seq: number;
  /** Null until the check is complete. */
  readonly totalMatchedChars: number | null;
  readonly coverage: Coverage | null;
  /** What a reader has kept of its report. */
  readonly review: Review | null;
  readonly errorMessage: string | null;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly completedAt: Date | null;
  readonly updatedAt: Date;
};

/** A check in a list, which has no room for the filters of each review. */
export type ListedCheck = Omit<Check, "review"> & { readonly review: Omit<Review, "filters"> | null };

/** How far a check has come. */
export type Progress = Pick<Check, "seq" | "stage" | "chunksDone" | "chunksTotal">;
