import type { Database } from "../platform/postgres/database.ts";
import { submissionNotFound } from "./core-api-error.ts";
import type { AcceptanceStore } from "./eula.ts";
import type { Spool } from "./spool.ts";
import type { Submission } from "./submission.ts";
import type { SubmissionSelection, SubmissionStore } from "./submission-store.ts";

const TOGETHER = 100;

/** A client may create submissions without ever sending a file. */
const WITHOUT_FILE_DAYS = 7;

const DAY_MS = 86_400_000;

type DeleteParts = {
  readonly database: Database;
  readonly submissions: SubmissionStore;
  readonly acceptances: AcceptanceStore;
  /** Does nothing for a check that is gone. */
  readonly deleteCheck: (checkId: string) => Promise<void>;
  readonly deleteDocument: (documentId: string) => Promise<void>;
};

export type DeleteSubmissions = ReturnType<typeof createDeleteSubmissions>;

/** Deleting submissions with their checks, reports, links, events and documents of the corpus. */
export function createDeleteSubmissions(parts: DeleteParts) {
  const { database, submissions, acceptances, deleteCheck, deleteDocument } = parts;

  /** The row goes last: a deletion that is interrupted can be repeated. */
  async function remove({ submissionId, checkId, documentId }: Submission): Promise<void> {
    if (documentId !== null) await deleteDocument(documentId);
    if (checkId !== null) await deleteCheck(checkId);
    await submissions.delete(database, submissionId);
  }

  async function removeAll(
    selection: SubmissionSelection,
    signal: AbortSignal,
    onRemoved: (submission: Submission) => void = () => undefined,
  ): Promise<number> {
    for (let removed = 0; ; ) {
      const some = await submissions.listSelected(database, selection, TOGETHER);
      for (const submission of some) {
        signal.throwIfAborted();
        await remove(submission);
        onRemoved(submission);
        removed += 1;
      }
      if (some.length < TOGETHER) return removed;
    }
  }

  return {
    /** @throws CoreApiError `not_found` */
    async one(keyName: string, submissionId: string, spool: Spool): Promise<void> {
      const found = await submissions.find(database, keyName, submissionId);
      if (found === undefined) throw submissionNotFound();
      await remove(found);
      const waiting = await spool.find(keyName, submissionId, "upload");
      if (waiting !== undefined) await spool.remove(waiting);
    },

    /** Takes a submission out of the corpus: later checks do not find it. */
    async fromIndex({ submissionId, documentId }: Submission): Promise<void> {
      if (documentId === null) return;
      await deleteDocument(documentId);
      await submissions.setDocument(database, submissionId, null);
    },

    selected: removeAll,

    /** Of a person: who has accepted the terms. */
    acceptancesOf: (userId: string, keyName: string | undefined) =>
      acceptances.deleteOf(database, userId, keyName),

    /** Those whose retention has passed, if there is one, and those that never got a file. */
    async old(retentionDays: number | undefined, signal: AbortSignal, now = Date.now()): Promise<number> {
      const before = (days: number) => new Date(now - days * DAY_MS);
      const empty = { createdBefore: before(WITHOUT_FILE_DAYS), isWithoutFile: true };
      const removed = await removeAll(empty, signal);
      if (retentionDays === undefined) return removed;
      return removed + (await removeAll({ createdBefore: before(retentionDays) }, signal));
    },
  };
}
