import { v7 as uuidv7 } from "uuid";
import type { Extractor } from "../extract/extractor.ts";
import { TITLE_CHARS_MAX } from "../http/input/wire-types.ts";
import type * as matchingTasks from "../matching/tasks.ts";
import type { Compute } from "../platform/compute-pool.ts";
import { DomainError } from "../platform/domain-error.ts";
import type { Database, Queryable } from "../platform/postgres/database.ts";
import type { JobQueue } from "../platform/postgres/job-queue.ts";
import { textPreview } from "../text/display-title.ts";
import type { HiddenText } from "../text/hidden-text.ts";
import type { Margins } from "../text/margins.ts";
import type { PageNote } from "../text/page-notes.ts";
import { enqueueCheck, RUN_CHECK_QUEUES } from "./check-lanes.ts";
import type { CheckStore, NewOriginal } from "./check-store.ts";
import { type IdempotencyStore, keyedRequest, type RequestParts } from "./idempotency-store.ts";

export const QUERY_TEXT_CHARS_MAX = 500_000;

type SubmitCheckInput = {
  readonly queryText: string;
  /** The parts of a PDF's text that are not compared. */
  readonly pageMargins?: Margins;
  /** The text of a file that its reader does not see. */
  readonly hiddenText?: readonly HiddenText[];
  readonly pageNotes?: readonly PageNote[];
  /** The file of the text, if it is kept. */
  readonly original?: NewOriginal | null;
  /** Detected when it is undefined. */
  readonly language: string | undefined;
  readonly title: string | null;
  /** A repeated request with the same key gives the same check. */
  readonly idempotencyKey: string | undefined;
  /** The parts of the request that define the check, with the language used; compared when a key is reused. */
  readonly request: (language: string) => RequestParts;
};

/** Accepts a text and returns the check's identifier. @throws `idempotency_key_reused`; `service_busy` when the queue is full. */
export type SubmitCheck = (input: SubmitCheckInput) => Promise<string>;

type SubmitCheckParts = {
  readonly database: Database;
  readonly queue: JobQueue;
  readonly compute: Compute<typeof matchingTasks>;
  readonly checks: CheckStore;
  readonly idempotencyKeys: IdempotencyStore;
  /** Checks that may wait for a worker, over all replicas. Simultaneous submissions may exceed it by a few. */
  readonly checksWaitingMax: number;
};

/** Makes the use case. The check, its key and its job are created together or not at all. */
export function createSubmitCheck(parts: SubmitCheckParts): SubmitCheck {
  const { database, checks, idempotencyKeys, queue, compute, checksWaitingMax } = parts;
  return async (input) => {
    const { queryText, pageMargins = [], hiddenText = [], pageNotes = [], original = null } = input;
    const { language, title, idempotencyKey, request } = input;
    const measure = await compute.run("measureText", { text: queryText, margins: pageMargins, language });
    const keyed = await keyedRequest("check", idempotencyKey, request(measure.language));
    return database.transaction(async (transaction) => {
      const { id } = await idempotencyKeys.once(transaction, keyed, async () => ({
        id: await insert(transaction),
        membersAdded: 0,
      }));
      return id;
    });

    async function insert(transaction: Queryable): Promise<string> {
      const waiting = await queue.countWaiting(RUN_CHECK_QUEUES, checksWaitingMax, transaction);
      if (waiting >= checksWaitingMax) {
        throw new DomainError(
          "service_busy",
          "Too many checks are waiting. Retry after the number of seconds in Retry-After.",
        );
      }
      const checkId = uuidv7();
      await checks.insert(transaction, {
        checkId,
        queryText,
        pageMargins,
        hiddenText,
        pageNotes,
        original,
        queryTextPreview: textPreview(queryText),
        title,
        ...measure,
      });
      await enqueueCheck(queue, { checkId, wordCount: measure.wordCount }, transaction);
      return checkId;
    }
  };
}

type SubmitUploadInput = Pick<SubmitCheckInput, "language" | "idempotencyKey"> & {
  readonly file: { readonly filename: string; readonly bytes: Uint8Array };
  readonly title: string | undefined;
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal;
};

/** Accepts a file for a check of its text. @throws the errors of the extraction and of `SubmitCheck`. */
export type SubmitUpload = (input: SubmitUploadInput) => Promise<string>;

type SubmitUploadParts = {
  readonly extractor: Extractor;
  readonly submitCheck: SubmitCheck;
  readonly keepOriginals: boolean;
};

export function createSubmitUpload(parts: SubmitUploadParts): SubmitUpload {
  const { extractor, submitCheck, keepOriginals } = parts;
  return async ({ file, language, title, idempotencyKey, signal }) => {
    const options = { filename: file.filename, accept: ACCEPTED_TYPES, textCharsMax: QUERY_TEXT_CHARS_MAX };
    const { text, margins, hidden, pageNotes, mediaType } = await extractor.extract(
      file.bytes,
      options,
      signal,
    );
    const type = ACCEPTED_TYPES.find((one) => one === mediaType);
    return submitCheck({
      queryText: text,
      pageMargins: margins,
      hiddenText: hidden,
      pageNotes,
      original:
        keepOriginals && type !== undefined
          ? { filename: file.filename, mediaType: type, content: file.bytes }
          : null,
      language,
      title: title ?? firstCharacters(file.filename, TITLE_CHARS_MAX),
      idempotencyKey,
      request: (used) => ["file", file.bytes, file.filename, used, title ?? null],
    });
  };
}

/** The types of file that are checked. */
export const ACCEPTED_TYPES = [
  "application/pdf",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  "text/plain",
] as const;

/** The first code points of a text. */
function firstCharacters(text: string, count: number): string {
  return [...text.slice(0, 2 * count)].slice(0, count).join("");
}
