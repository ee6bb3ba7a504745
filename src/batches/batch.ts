import type { DocumentProperties } from "../extract/text/document-properties.ts";
import { DomainError, type ErrorCode } from "../platform/domain-error.ts";

export const COMPARE_WITH = ["corpus", "members", "both"] as const;
type CompareWith = (typeof COMPARE_WITH)[number];

/**
 * The states of a batch, which follow from its members' states:
 *
 * - `reading`: some members wait to be read. When the last of them is read or has failed, common text is counted, the comparison of all
 *   parts is enqueued, and the batch moves to `comparing`. If that leaves nobody to compare, it moves to `complete`.
 * - `comparing`: when the last member is compared or has failed, the batch moves to `complete`.
 * - `complete`: when members are added, the batch moves to `reading`.
 */
export const BATCH_STATUSES = ["reading", "comparing", "complete"] as const;
type BatchStatus = (typeof BATCH_STATUSES)[number];

/**
 * The states of a member:
 *
 * - `waiting`: its file is stored. When its chunks are in the index and its text is stored as a check, it moves to `read`. When the file can't
 *   be read, or with the third error while it is read, it moves to `failed`.
 * - `read`: when it was compared with the members before it, and with the corpus if the batch asks for that, its pairs are stored and it moves
 *   to `compared`. With the third error of the comparison it moves to `failed`. A member that was read is also a check, with the same identifier.
 * - `compared` and `failed`: it stays as it is until it is deleted.
 */
export const MEMBER_STATUSES = ["waiting", "read", "compared", "failed"] as const;
type MemberStatus = (typeof MEMBER_STATUSES)[number];

/** Queues of parts: some members that are read, and then compared, in one job. */
export const READ_MEMBERS_QUEUE = "read-members";
export const COMPARE_MEMBERS_QUEUE = "compare-members";

/** The queue of batches whose members must be added to the corpus. */
export const ADD_MEMBERS_QUEUE = "add-members-to-corpus";

/** The settings that are fixed when a batch is created. */
export type BatchSettings = {
  readonly title: string | null;
  /** The language of all members; detected in each if it is null. */
  readonly language: string | null;
  readonly compareWith: CompareWith;
  readonly addToCorpus: boolean;
  /** Text that a greater share of the members has in common is marked as common. */
  readonly commonShare: number;
};

export type Batch = BatchSettings & {
  readonly batchId: string;
  readonly status: BatchStatus;
  readonly membersTotal: number;
  /** Members whose reading has ended, including unreadable ones. */
  readonly membersRead: number;
  /** Members whose comparison has ended, including failed ones. */
  readonly membersCompared: number;
  readonly membersFailed: number;
  readonly pairsFound: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly completedAt: Date | null;
};

/** A text of a batch. */
export type Member = {
  readonly memberId: string;
  readonly ordinal: number;
  readonly name: string;
  readonly group: string | null;
  readonly status: MemberStatus;
  /** Null until it was read, and for a file that can't be. */
  readonly checkId: string | null;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
  /** The title and the author that its file states for itself; null until it was read. */
  readonly properties: DocumentProperties | null;
};

/** A text to add. A file that is evidently unusable comes with its error. */
export type NewMember = {
  readonly name: string;
  readonly group: string | null;
  readonly content:
    | { readonly bytes: Uint8Array; readonly isText: boolean }
    | { readonly error: { readonly code: ErrorCode; readonly message: string } };
};

export type NewTemplate = { readonly name: string; readonly text: string; readonly language: string };

/** A fifth: prose on one assignment shares no sentences, so text that a fifth of a class has in common was handed out. */
export const COMMON_SHARE_DEFAULT = 0.2;

export function batchNotFound(): DomainError {
  return new DomainError("batch_not_found", "There is no batch with this identifier.");
}

export function memberNotFound(): DomainError {
  return new DomainError(
    "member_not_found",
    "The batch has no member with this identifier that could be read.",
  );
}
