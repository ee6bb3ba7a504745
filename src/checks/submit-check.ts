import { v7 as uuidv7 } from "uuid";
import type { ChunkIndex } from "../corpus/index.ts";
import type { Extractor } from "../extract/extractor.ts";
import type { DocumentProperties } from "../extract/text/document-properties.ts";
import { MEDIA_TYPES } from "../extract/text/extracted-text.ts";
import type { ScannedPage } from "../extract/text/scanned-page.ts";
import { TITLE_CHARS_MAX } from "../http/input/wire-types.ts";
import type * as tasks from "../matching/preparation-tasks.ts";
import type { Compute } from "../platform/compute-pool.ts";
import { DomainError } from "../platform/domain-error.ts";
import type { Database, Queryable } from "../platform/postgres/database.ts";
import type { JobQueue } from "../platform/postgres/job-queue.ts";
import { textPreview } from "../text/display-title.ts";
import type { HiddenText } from "../text/hidden-text.ts";
import { type Margins, withoutMargins } from "../text/margins.ts";
import type { PageNote } from "../text/page-notes.ts";
import { type CheckScope, WHOLE_CORPUS } from "./check.ts";
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
  /** The pages of the original that were read by OCR. */
  readonly scanned?: readonly ScannedPage[] | undefined;
  readonly properties?: DocumentProperties | undefined;
  /** The file of the text, if it is kept. */
  readonly original?: NewOriginal | null;
  /** Detected when it is undefined. */
  readonly language: string | undefined;
  readonly title: string | null;
  /** The whole corpus when it is undefined. */
  readonly scope?: CheckScope;
  /** Texts that were handed out; what comes from them is not compared. */
  readonly templates?: readonly string[];
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
  readonly compute: Compute<typeof tasks>;
  readonly checks: CheckStore;
  readonly idempotencyKeys: IdempotencyStore;
  readonly chunkIndex: Pick<ChunkIndex, "assertCollections">;
  /** Checks that may wait for a worker, over all replicas. Simultaneous submissions may exceed it by a few. */
  readonly checksWaitingMax: number;
};

/** Makes the use case. The check, its key and its job are created together or not at all. */
export function createSubmitCheck(parts: SubmitCheckParts): SubmitCheck {
  const { database, checks, idempotencyKeys, queue, compute, chunkIndex, checksWaitingMax } = parts;
  return async (input) => {
    const { queryText, pageMargins = [], hiddenText = [], pageNotes = [], scanned, original = null } = input;
    const { language, title, idempotencyKey, request, scope = WHOLE_CORPUS, templates = [] } = input;
    if (scope.collections !== null) await chunkIndex.assertCollections();
    const query = { text: queryText, margins: pageMargins, language };
    const [measure, templateSpans] = await Promise.all([
      compute.run("measureText", query),
      templates.length === 0 ? [] : compute.run("findTemplates", { ...query, templates }),
    ]);
    const content = [...request(measure.language), ...optionalParts(scope, templates)];
    const keyed = await keyedRequest("check", idempotencyKey, content);
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
        scanned: original === null ? undefined : scanned,
        templateSpans,
        scope,
        original,
        properties: input.properties,
        queryTextPreview: textPreview(queryText),
        title,
        ...measure,
      });
      await enqueueCheck(queue, { checkId, wordCount: measure.wordCount }, transaction);
      return checkId;
    }
  };
}

/** None for a request without them, so that its content is what it was before they existed. */
function optionalParts(scope: CheckScope, templates: readonly string[]): RequestParts {
  const { group, owner, leaveOut, collections } = scope;
  const hasScope = [group, owner, leaveOut, collections].some((value) => value !== null);
  const scopeParts = hasScope ? ["scope", JSON.stringify([group, owner, leaveOut, collections])] : [];
  return [...scopeParts, ...templates.flatMap((template) => ["template", template])];
}

type GivenFile = { readonly filename: string; readonly bytes: Uint8Array };

type SubmitUploadInput = Pick<SubmitCheckInput, "language" | "idempotencyKey" | "scope"> & {
  readonly file: GivenFile;
  readonly templates: readonly GivenFile[];
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
  return async ({ file, templates, language, title, signal, ...rest }) => {
    const options = { filename: file.filename, accept: ACCEPTED_TYPES, textCharsMax: QUERY_TEXT_CHARS_MAX };
    const [extracted, ...templateTexts] = await Promise.all([
      extractor.extract(file.bytes, options, signal),
      ...templates.map((template) => extractTemplate(extractor, template, signal)),
    ]);
    const { text, margins, hidden, pageNotes, scanned, properties, mediaType } = extracted;
    const type = ACCEPTED_TYPES.find((one) => one === mediaType);
    return submitCheck({
      ...rest,
      templates: templateTexts,
      queryText: text,
      pageMargins: margins,
      hiddenText: hidden,
      pageNotes,
      scanned,
      properties,
      original:
        keepOriginals && type !== undefined
          ? { filename: file.filename, mediaType: type, content: file.bytes }
          : null,
      language,
      title: title ?? defaultTitle(file.filename),
      request: (used) => ["file", file.bytes, file.filename, used, title ?? null],
    });
  };
}

/** The text of a file that was handed out. One that can't be read refuses the request: its text would be reported. */
export async function extractTemplate(
  extractor: Extractor,
  { filename, bytes }: GivenFile,
  signal: AbortSignal,
): Promise<string> {
  const options = { filename, accept: MEDIA_TYPES, textCharsMax: QUERY_TEXT_CHARS_MAX };
  try {
    const { text, margins } = await extractor.extract(bytes, options, signal);
    return withoutMargins(text, margins);
  } catch (error) {
    throw inFile(filename, error);
  }
}

/** An error of an extraction that says which of several files it is about. */
export function inFile(filename: string, error: unknown): unknown {
  return error instanceof DomainError && error.code !== "service_busy"
    ? new DomainError(error.code, `${filename}: ${error.message}`, { cause: error })
    : error;
}

/** The types of file that are checked. */
export const ACCEPTED_TYPES = [
  "application/pdf",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  "text/plain",
] as const;

/** The title of a check of a file without one: the file's name, cut to the length of a title. */
export function defaultTitle(filename: string): string {
  return [...filename.slice(0, 2 * TITLE_CHARS_MAX)].slice(0, TITLE_CHARS_MAX).join("");
}
