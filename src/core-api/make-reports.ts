import { createHash } from "node:crypto";
import { QUERY_TEXT_CHARS_MAX, type SubmitCheck } from "../checks/index.ts";
import type { IngestDocuments } from "../corpus/index.ts";
import { TITLE_CHARS_MAX } from "../http/input/wire-types.ts";
import { DomainError, isUnavailable } from "../platform/domain-error.ts";
import type { Logger } from "../platform/logger.ts";
import type { Database } from "../platform/postgres/database.ts";
import { withoutMargins } from "../text/margins.ts";
import { decodePercent } from "./file-name.ts";
import { isHidden } from "./hidden-documents.ts";
import type { MeasureSimilarity } from "./measure-similarity.ts";
import { presentSimilarity } from "./present.ts";
import type { Submission } from "./submission.ts";
import type { SubmissionStore } from "./submission-store.ts";
import type { EventStore } from "./webhooks/event-store.ts";

/**
 * The least time between the answer to a request for a report and the event about it: a client that has not noted the answer yet
 * would overwrite the score.
 */
const EVENT_WAIT_MS = 3_000;

const TOGETHER = 50;

const DOCUMENT_TITLE_CHARS_MAX = 1_000;

/** The documents of submissions belong to one collection for each key. */
const COLLECTION_PREFIX = "core-api:";

type MakeReportsParts = {
  readonly database: Database;
  readonly submissions: SubmissionStore;
  readonly events: EventStore;
  readonly submitCheck: SubmitCheck;
  /** Does nothing for a check that is gone. */
  readonly deleteCheck: (checkId: string) => Promise<void>;
  readonly measureSimilarity: MeasureSimilarity;
  readonly ingestDocuments: (
    documents: Parameters<IngestDocuments>[0],
  ) => Promise<readonly { readonly document: { readonly documentId: string } }[]>;
  readonly deleteDocument: (documentId: string) => Promise<void>;
  readonly fingerprintDocuments: (documentIds: readonly string[]) => Promise<number>;
  readonly log: Logger;
};

/** Submits the checks of requested reports, and ends the reports of checks that have ended. Safe to repeat. */
export function createMakeReports(parts: MakeReportsParts) {
  const { database, submissions, events, submitCheck, deleteCheck, log } = parts;

  return async (signal: AbortSignal): Promise<void> => {
    for (const submission of await submissions.listRequested(database, TOGETHER)) {
      if (!(await attempt(submission, signal, () => start(submission)))) break;
    }
    for (const submission of await submissions.listChecked(database, TOGETHER)) {
      await attempt(submission, signal, () => finish(submission, submission.checkStatus));
    }
  };

  /** Fails the report of a submission alone, so that it holds up no other. True then. */
  async function attempt<T>(
    submission: Submission,
    signal: AbortSignal,
    work: () => Promise<T>,
  ): Promise<T | true> {
    signal.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      if (signal.aborted || isUnavailable(error)) throw error;
      log.error({ submissionId: submission.submissionId, err: error }, "report not made");
      await submissions.failReport(database, submission);
      return true;
    }
  }

  /** False when the queue of checks is full. */
  async function start(submission: Submission): Promise<boolean> {
    const { submissionId, keyName, owner, groupId, title, request, checkId: earlier } = submission;
    const content = await submissions.findText(database, submissionId);
    if (content === undefined) return true;
    const templates = groupId === null ? [] : await submissions.listTemplates(database, keyName, groupId);
    try {
      const checkId = await submitCheck({
        queryText: content.text,
        pageMargins: content.margins,
        language: undefined,
        title: shownTitle(title, TITLE_CHARS_MAX) || null,
        templates: templates.map((text) => text.slice(0, QUERY_TEXT_CHARS_MAX)),
        scope: {
          ...belongingOf(submission),
          // Own work in one group or context is not a group of the check: classmates' texts are compared.
          leaveOut: request?.selfMatchingScope === "ALL" && owner !== null ? "owner" : null,
          collections: null,
        },
        // A check that was submitted before a kill is found again.
        idempotencyKey: idempotencyKeyOf(submission, templates),
        request: () => [],
      });
      const isStarted = await submissions.startCheck(database, submission, checkId);
      if (isStarted && earlier !== null && earlier !== checkId) await deleteCheck(earlier);
      if (!isStarted) await deleteUnused(submission, checkId);
    } catch (error) {
      if (error instanceof DomainError && error.code === "service_busy") return false;
      throw error;
    }
    return true;
  }

  /** Another process may have been faster with the same check. */
  async function deleteUnused({ keyName, submissionId }: Submission, checkId: string): Promise<void> {
    const current = await submissions.find(database, keyName, submissionId);
    if (current?.checkId !== checkId) await deleteCheck(checkId);
  }

  async function finish(submission: Submission, checkStatus: string | null): Promise<void> {
    if (checkStatus !== "complete") {
      log.error({ submissionId: submission.submissionId, checkStatus }, "report without a complete check");
      if (!(await submissions.retryReport(database, submission)))
        await submissions.failReport(database, submission);
      return;
    }
    const hidden = await hiddenSources(submission);
    const similarity = await parts.measureSimilarity({ ...submission, hidden });
    await addToIndex(submission);
    await database.transaction(async (transaction) => {
      const ended = await submissions.endReport(transaction, submission, similarity, hidden);
      if (ended === undefined) return;
      const requestedMs = ended.requestedAt?.getTime() ?? 0;
      const dueAt = new Date(Math.max(Date.now(), requestedMs) + EVENT_WAIT_MS);
      await events.record(transaction, ended, {
        type: "SIMILARITY_COMPLETE",
        body: presentSimilarity(ended),
        dueAt,
      });
    });
  }

  async function hiddenSources(submission: Submission): Promise<string[]> {
    const known = await submissions.listSourcesOf(database, submission.checkId);
    return known.flatMap((one) => (isHidden(submission, one) ? (one.documentId ?? []) : []));
  }

  /** After its check, in which it would find itself. */
  async function addToIndex(submission: Submission): Promise<void> {
    if (submission.request?.addToIndex === true) await indexSubmission(parts, submission);
  }
}

/** Adds the text of a submission to the corpus, in place of an earlier text of it; later checks are compared with it. */
export async function indexSubmission(
  {
    database,
    submissions,
    ingestDocuments,
    deleteDocument,
    fingerprintDocuments,
  }: Pick<
    MakeReportsParts,
    "database" | "submissions" | "ingestDocuments" | "deleteDocument" | "fingerprintDocuments"
  >,
  submission: Submission,
): Promise<void> {
  const { submissionId, keyName, title } = submission;
  const content = await submissions.findText(database, submissionId);
  if (content === undefined) return;
  const text = withoutMargins(content.text, content.margins);
  const bytes = Buffer.from(text);
  const [ingested] = await ingestDocuments([
    {
      origin: { scope: "platform", collection: `${COLLECTION_PREFIX}${keyName}`, path: submissionId },
      belonging: belongingOf(submission),
      filename: shownTitle(title, DOCUMENT_TITLE_CHARS_MAX),
      title: shownTitle(title, DOCUMENT_TITLE_CHARS_MAX) || submissionId,
      mediaType: "text/plain",
      language: undefined,
      sourceUrl: null,
      sizeBytes: bytes.length,
      sha256: createHash("sha256").update(bytes).digest("hex"),
      text,
    },
  ]);
  if (ingested === undefined) throw new Error("the ingest of one document returned none");
  const { documentId } = ingested.document;
  // The submission may have been deleted meanwhile.
  if (!(await submissions.setDocument(database, submissionId, documentId))) return deleteDocument(documentId);
  try {
    await fingerprintDocuments([documentId]);
  } catch (error) {
    // Reconciliation does it within the hour. The score does not wait for it.
    if (!isUnavailable(error)) throw error;
  }
}

/** Of a request for a report, its attempt, and the templates it is checked with. */
function idempotencyKeyOf(
  { submissionId, requestedAt, retried }: Submission,
  templates: readonly string[],
): string {
  const handedOut = createHash("sha256").update(JSON.stringify(templates)).digest("hex");
  return `core-api:${submissionId}:${requestedAt?.toISOString()}:${retried ? 2 : 1}:${handedOut}`;
}

/** Some clients send the name of a file, percent-encoded. */
function shownTitle(title: string, charsMax: number): string {
  return [...decodePercent(title).slice(0, 2 * charsMax)].slice(0, charsMax).join("").trim();
}

/** Names are unique to their key: the same identifier under another key is another person. */
function belongingOf({ keyName, owner, groupId }: Submission) {
  const named = (id: string | null) => (id === null ? null : `${keyName}:${id}`);
  return { owner: named(owner), group: named(groupId) };
}
