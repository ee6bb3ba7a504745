import type { Readable } from "node:stream";
import { v4 as uuidv4 } from "uuid";
import { DomainError, isUnavailable } from "../platform/domain-error.ts";
import type { Database } from "../platform/postgres/database.ts";
import { CoreApiError, submissionNotFound } from "./core-api-error.ts";
import type { AcceptanceStore, Eula } from "./eula.ts";
import type { Spool, SpoolEntry } from "./spool.ts";
import { hasText, NewSubmission, type ReportRequest, type Submission } from "./submission.ts";
import type { SubmissionStore } from "./submission-store.ts";

/** The largest file of the largest client. */
export const UPLOAD_BYTES_MAX = 100 * 1024 * 1024;

type SubmissionsParts = {
  readonly database: Database;
  readonly submissions: SubmissionStore;
  readonly acceptances: AcceptanceStore;
  readonly spool: Spool;
  readonly eula: Eula;
  /** Tells the workers of this process that there is something to do. */
  readonly wake: () => void;
};

/** A submission as a client sends it. */
type SentSubmission = Omit<NewSubmission, "submissionId" | "createdAt"> & {
  /** The version of the terms that the client says was accepted. */
  readonly eula: { readonly version: string | null; readonly language: string | null } | undefined;
};

/** Enough of a submission for an answer. */
export type KnownSubmission = Pick<
  Submission,
  "submissionId" | "owner" | "title" | "createdAt" | "status" | "errorCode"
> &
  Partial<Submission>;

export type Submissions = ReturnType<typeof createSubmissions>;

/**
 * Submitting, uploading and requesting reports. Some clients never repeat a request, so what they send is accepted and kept in
 * the spool while PostgreSQL does not answer. A submission of another key does not exist.
 */
export function createSubmissions(parts: SubmissionsParts) {
  const { database, submissions, acceptances, spool, eula, wake } = parts;

  async function keep(entry: SpoolEntry): Promise<void> {
    await spool.add(entry);
    wake();
  }

  async function waiting(keyName: string, submissionId: string): Promise<SpoolEntry | undefined> {
    return (
      (await spool.find(keyName, submissionId, "create")) ??
      (await spool.find(keyName, submissionId, "upload"))
    );
  }

  async function assertNotOfAnother(keyName: string, submissionId: string): Promise<void> {
    if (await spool.isOfAnother(keyName, submissionId)) throw submissionNotFound();
  }

  async function assertAccepted({ keyName, owner, submitter, eula: sent }: SentSubmission): Promise<void> {
    if (!eula.isRequired) return;
    const users = [submitter, owner].flatMap((one) => one ?? []);
    const [user] = users;
    if (sent?.version === eula.version) {
      const acceptance = { version: eula.version, language: sent.language, acceptedAt: new Date() };
      if (user !== undefined)
        await unlessDown(() => acceptances.add(database, { keyName, userId: user, ...acceptance }));
      return;
    }
    const found = await unlessDown(() => acceptances.find(database, keyName, users, eula.version));
    if (found === undefined)
      throw new CoreApiError("eula_not_accepted", "The user has not accepted the terms of use.");
  }

  return {
    /** @throws CoreApiError `eula_not_accepted`. While the store is down, acceptances are taken for granted. */
    async create({ eula: sentEula, ...sent }: SentSubmission): Promise<KnownSubmission> {
      // Terms are accepted by those who hand in a text.
      if (sent.attachmentOf === null) await assertAccepted({ ...sent, eula: sentEula });
      const submission = { ...sent, submissionId: uuidv4(), createdAt: new Date() };
      const stored = await unlessDown(async () => {
        await submissions.insert(database, submission);
        return true;
      });
      if (stored === DOWN) {
        const { keyName, submissionId, createdAt: at } = submission;
        await keep({ kind: "create", keyName, submissionId, at, content: submission });
      }
      return { ...submission, status: "CREATED", errorCode: null };
    },

    /**
     * Takes the file of a submission or of an attachment; the workers read it.
     * @throws CoreApiError `not_found`, `too_large`, `unavailable`
     */
    async upload(keyName: string, submissionId: string, filename: string, bytes: Readable): Promise<void> {
      const found = await unlessDown(() => submissions.find(database, keyName, submissionId));
      if (found === undefined && (await waiting(keyName, submissionId)) === undefined)
        throw submissionNotFound();
      if (found === DOWN) await assertNotOfAnother(keyName, submissionId);
      const uploadId = uuidv4();
      await spool.receive(uploadId, bytes, UPLOAD_BYTES_MAX);
      // Set when the file is complete: events about it wait from this moment.
      const upload = { uploadId, filename, uploadedAt: new Date() };
      const file = { uploadId, filename };
      await spool.add({ kind: "upload", keyName, submissionId, at: upload.uploadedAt, content: null, file });
      // After the entry, which outlives a kill: without it nothing would end what begins here.
      await unlessDown(() => submissions.beginUpload(database, keyName, submissionId, upload));
      wake();
    },

    /** @throws CoreApiError `not_found`; DomainError `store_unavailable` for one that only the store knows */
    async find(keyName: string, submissionId: string): Promise<KnownSubmission> {
      const found = await unlessDown(() => submissions.find(database, keyName, submissionId));
      if (found !== undefined && found !== DOWN) return found;
      const entry = await waiting(keyName, submissionId);
      if (entry === undefined && found === DOWN) throw unavailable();
      if (entry === undefined) throw submissionNotFound();
      const isUploaded = (await spool.find(keyName, submissionId, "upload")) !== undefined;
      const status = isUploaded ? "PROCESSING" : "CREATED";
      const { data } = NewSubmission.safeParse(entry.content);
      const { owner = null, title = "" } = data ?? {};
      return { submissionId, owner, title, createdAt: entry.at, status, errorCode: null };
    },

    /** @throws CoreApiError `not_found`; `conflict` until its text was read, with the code of its error if it has one */
    async requestReport(keyName: string, submissionId: string, request: ReportRequest): Promise<void> {
      const at = new Date();
      const isDone = await unlessDown(async () => {
        const found = await submissions.find(database, keyName, submissionId);
        if (found === undefined) {
          if ((await waiting(keyName, submissionId)) === undefined) throw submissionNotFound();
          throw notComplete(null);
        }
        if (!hasText(found)) throw notComplete(found.errorCode);
        await submissions.requestReport(database, submissionId, request, at);
        return true;
      });
      if (isDone === DOWN) {
        await assertNotOfAnother(keyName, submissionId);
        await keep({ kind: "similarity", keyName, submissionId, at, content: request });
      }
      wake();
    },
  };
}

function notComplete(errorCode: string | null): CoreApiError {
  return new CoreApiError("conflict", errorCode ?? "The text of the submission has not been read yet.");
}

function unavailable(): DomainError {
  return new DomainError("store_unavailable", "PostgreSQL does not answer; try again in a moment.");
}

/** Stands for the result of a call that PostgreSQL did not answer. */
export const DOWN = Symbol("PostgreSQL does not answer");

/** The result of a call to the store, or `DOWN`. */
export async function unlessDown<T>(call: () => Promise<T>): Promise<T | typeof DOWN> {
  try {
    return await call();
  } catch (error) {
    if (isUnavailable(error)) return DOWN;
    throw error;
  }
}
