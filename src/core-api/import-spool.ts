import { z } from "zod";
import { QUERY_TEXT_CHARS_MAX } from "../checks/index.ts";
import type { Extractor } from "../extract/extractor.ts";
import { detectContent } from "../extract/text/detect-content.ts";
import { BULK_MEDIA_TYPES, passwordProtected } from "../extract/text/extracted-text.ts";
import { decodeText } from "../extract/text/text-file.ts";
import type * as tasks from "../matching/preparation-tasks.ts";
import type { Compute } from "../platform/compute-pool.ts";
import { DomainError, isUnavailable } from "../platform/domain-error.ts";
import { mapConcurrently } from "../platform/flow/concurrency.ts";
import type { Logger } from "../platform/logger.ts";
import type { Database } from "../platform/postgres/database.ts";
import { presentAttachment, presentSubmission } from "./present.ts";
import type { Spool, SpoolEntry } from "./spool.ts";
import { errorCodeOf, hasText, NewSubmission, type ReportRequest, type Submission } from "./submission.ts";
import type { ReadUpload, SubmissionStore } from "./submission-store.ts";
import type { EventStore } from "./webhooks/event-store.ts";

/**
 * The least time between the answer to an upload and its event. One client drops the event if it has not noted the upload yet, and
 * another overwrites what the event told it. 10 s are enough for both; one more is for the way of the answer.
 */
const EVENT_WAIT_MS = 11_000;

/** Attempts before an entry is set aside, unless a store is down. */
const ATTEMPTS_MAX = 3;

/** Two are read in processes; the others wait for them or for PostgreSQL. */
const READ_AT_ONCE = 4;

type ImportParts = {
  readonly database: Database;
  readonly submissions: SubmissionStore;
  readonly events: EventStore;
  readonly spool: Spool;
  readonly extractor: Extractor;
  readonly compute: Compute<typeof tasks>;
  readonly log: Logger;
};

/** Brings what the spool holds into PostgreSQL, and reads the texts of uploads. Safe to repeat: a kill loses nothing. */
export function createImportSpool(parts: ImportParts) {
  const { database, submissions, events, spool, extractor, compute, log } = parts;

  const failures = new Map<string, number>();

  /** @throws `store_unavailable` at the first entry for which PostgreSQL does not answer: the rest stays. */
  return async (signal: AbortSignal): Promise<void> => {
    const bySubmission = Map.groupBy(await spool.list(), ({ submissionId }) => submissionId);
    const imported = mapConcurrently(bySubmission.values(), READ_AT_ONCE, async (entries) => {
      for (const entry of entries) {
        signal.throwIfAborted();
        try {
          if (await importEntry(entry, signal)) await spool.remove(entry);
        } catch (error) {
          if (signal.aborted || isUnavailable(error)) throw error;
          await countFailure(entry, error);
          return;
        }
      }
    });
    for await (const _ of imported);
  };

  async function countFailure(entry: SpoolEntry, error: unknown): Promise<void> {
    const { keyName, submissionId, kind, at } = entry;
    const name = `${submissionId} ${kind} ${keyName} ${at.getTime()}`;
    const attempts = (failures.get(name) ?? 0) + 1;
    const isOver = attempts >= ATTEMPTS_MAX;
    log.error({ submissionId, kind, isSetAside: isOver, err: error }, "entry of the spool not imported");
    failures.set(name, attempts);
    if (!isOver) return;
    try {
      if (kind === "upload") await endUpload(entry, { errorCode: "PROCESSING_ERROR" });
    } catch (failure) {
      if (isUnavailable(failure)) throw failure;
    }
    await spool.setAside(entry);
    failures.delete(name);
  }

  /** Whether the entry is done. */
  async function importEntry(entry: SpoolEntry, signal: AbortSignal): Promise<boolean> {
    switch (entry.kind) {
      case "create":
        await submissions.insert(database, NewSubmission.parse(entry.content));
        return true;
      case "upload":
        return importUpload(entry, signal);
      case "similarity":
        return importRequest(entry);
      default:
        return entry.kind satisfies never;
    }
  }

  async function importUpload(entry: SpoolEntry, signal: AbortSignal): Promise<boolean> {
    const { keyName, submissionId, file, at: uploadedAt } = entry;
    if (file === undefined) return true;
    const { uploadId } = file;
    await submissions.beginUpload(database, keyName, submissionId, { ...file, uploadedAt });
    const begun = await submissions.find(database, keyName, submissionId);
    if (begun?.uploadId !== uploadId || begun.status !== "PROCESSING") return true;
    const read = await readUpload(entry, signal);
    if (read === undefined) return false;
    await endUpload(entry, read);
    return true;
  }

  async function endUpload({ submissionId, file, at }: SpoolEntry, read: ReadUpload): Promise<void> {
    if (file === undefined) return;
    await database.transaction(async (transaction) => {
      const ended = await submissions.endUpload(transaction, submissionId, file.uploadId, read);
      if (ended !== undefined) await recordEnd(transaction, ended, at);
    });
  }

  async function recordEnd(
    transaction: Parameters<EventStore["record"]>[0],
    ended: Submission,
    uploadedAt: Date,
  ): Promise<void> {
    const dueAt = new Date(Math.max(Date.now(), uploadedAt.getTime()) + EVENT_WAIT_MS);
    const isAttachment = ended.attachmentOf !== null;
    await events.record(transaction, ended, {
      type: isAttachment ? "GROUP_ATTACHMENT_COMPLETE" : "SUBMISSION_COMPLETE",
      body: isAttachment ? presentAttachment(ended) : presentSubmission(ended),
      dueAt,
    });
  }

  /** Undefined if it has to be tried again. */
  async function readUpload(entry: SpoolEntry, signal: AbortSignal): Promise<ReadUpload | undefined> {
    const bytes = await spool.readFile(entry);
    try {
      const { filename = "" } = entry.file ?? {};
      const { text, margins, mediaType } = await extractor.extract(
        asPage(bytes, filename),
        { filename, accept: BULK_MEDIA_TYPES, textCharsMax: QUERY_TEXT_CHARS_MAX },
        signal,
      );
      const { wordCount, charCount } = await compute.run("measureText", {
        text,
        margins,
        language: undefined,
      });
      return { text, margins, contentType: mediaType, wordCount, charCount };
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof DomainError && ["service_busy", "store_unavailable"].includes(error.code))
        return undefined;
      const isLocked = error instanceof DomainError && error.message === passwordProtected().message;
      const errorCode = isEmptyPdf(bytes) ? "CANNOT_EXTRACT_TEXT" : errorCodeOf(error, isLocked);
      if (errorCode === undefined)
        log.error({ submissionId: entry.submissionId, err: error }, "upload not read");
      return { errorCode: errorCode ?? "PROCESSING_ERROR" };
    }
  }

  async function importRequest({ keyName, submissionId, content, at }: SpoolEntry): Promise<boolean> {
    const found = await submissions.find(database, keyName, submissionId);
    if (found?.status === "PROCESSING") return false;
    if (found !== undefined && hasText(found))
      await submissions.requestReport(database, submissionId, toReportRequest(content), at);
    return true;
  }
}

/** It was validated before it was kept. */
function toReportRequest(content: unknown): ReportRequest {
  return z.custom<ReportRequest>((value) => typeof value === "object" && value !== null).parse(content);
}

/** A part of an HTML page in a file that is named so, as the editors of some clients write it, as a page. Other files as they are. */
function asPage(bytes: Uint8Array, filename: string): Uint8Array {
  if (!/\.x?html?$/i.test(filename) || detectContent(bytes).kind !== "other") return bytes;
  const part = decodeText(bytes);
  return part === undefined ? bytes : Buffer.from(`<!doctype html><meta charset="utf-8">${part}`);
}

/** A PDF without any object has nothing that could hold text. */
function isEmptyPdf(bytes: Uint8Array): boolean {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return detectContent(bytes).kind === "pdf" && !view.includes(" obj");
}
