import { engineOperations, type GetBatchReportQuery, type GetReportQuery } from "./engine-operations.ts";
import { followBatch, followCheck } from "./follow-check.ts";
import type {
  BatchProgressEnd,
  BatchProgressEvent,
  BatchReport,
  ProgressEnd,
  ProgressEvent,
  Report,
} from "./generated/engine-api.ts";
import type { RequestOptions } from "./transport.ts";
import { CheckFailedError, type ClientOptions, createTransport } from "./transport.ts";

/** The engine's operations, each a function named after its operationId, and four functions built from them. */
export type EngineClient = Omit<ReturnType<typeof engineOperations>, "followCheck" | "followBatch"> & {
  /**
   * Follows a check: its present state, each change, and last its end, which has a `status`. Reconnects; leaving the loop
   * closes it.
   * @throws ProblemError, such as `check_not_found`; UnreachableError when the connection stays broken.
   */
  followCheck(
    checkId: string,
    options?: RequestOptions,
  ): AsyncGenerator<ProgressEvent | ProgressEnd, void, undefined>;
  /** Checks a text or a file from submission to report. @throws CheckFailedError when the check ends without a report. */
  check(query: string | Blob, options?: CheckOptions): Promise<Report>;
  /** Follows a batch as `followCheck` a check. */
  followBatch(
    batchId: string,
    options?: RequestOptions,
  ): AsyncGenerator<BatchProgressEvent | BatchProgressEnd, void, undefined>;
  /**
   * Compares files or texts with each other, from submission to report.
   * @throws CheckFailedError when the batch is deleted; RangeError for a key that is too long, before anything is sent.
   */
  checkTogether(members: readonly (string | Blob)[], options?: TogetherOptions): Promise<BatchReport>;
};

export type TogetherOptions = RequestOptions & {
  /** 1 to 200 characters. */
  readonly title?: string | undefined;
  /** ISO 639-1 code of the language of all texts; by default the service detects it in each. */
  readonly language?: string | undefined;
  /** `members` by default. */
  readonly compareWith?: "corpus" | "members" | "both" | undefined;
  /** Texts that were handed out. Text that comes from them is not compared. */
  readonly templates?: readonly (string | Blob)[] | undefined;
  /** Whether files whose names have the same folder are a group, which is not compared with itself. */
  readonly groupByFolder?: boolean | undefined;
  /** Makes a retry with the same members safe. It has at most 250 characters, because further requests append their number. */
  readonly idempotencyKey?: string | undefined;
  /** Filters and page of the report. */
  readonly report?: GetBatchReportQuery | undefined;
  /** Called with the batch's identifier once the first files are submitted. */
  readonly onSubmitted?: ((batchId: string) => void) | undefined;
  readonly onProgress?: ((progress: BatchProgressEvent) => void) | undefined;
};

export type CheckOptions = RequestOptions & {
  /** ISO 639-1 code of the text's language; by default the service detects it. */
  readonly language?: string | undefined;
  /** 1 to 200 characters; by default the name of the file. */
  readonly title?: string | undefined;
  /** Makes a retry safe. */
  readonly idempotencyKey?: string | undefined;
  /** Filters of the report and the unit of its offsets. */
  readonly report?: GetReportQuery | undefined;
  /** Called with the check's identifier once it is submitted. */
  readonly onSubmitted?: ((checkId: string) => void) | undefined;
  readonly onProgress?: ((progress: ProgressEvent) => void) | undefined;
};

/** A client of the engine for Node.js 20.3 or newer and for browsers. It holds no connection, so nothing needs closing. */
export function createEngineClient(options: ClientOptions = {}): EngineClient {
  const {
    followCheck: open,
    followBatch: openBatch,
    ...operations
  } = engineOperations(createTransport(options));
  const client: EngineClient = {
    ...operations,
    followCheck: (checkId, requestOptions) => followCheck({ open }, checkId, requestOptions),
    check: (query, checkOptions) => check(client, query, checkOptions),
    followBatch: (batchId, requestOptions) => followBatch({ open: openBatch }, batchId, requestOptions),
    checkTogether: (members, togetherOptions) => checkTogether(client, members, togetherOptions),
  };
  return client;
}

async function check(
  client: EngineClient,
  query: string | Blob,
  options: CheckOptions = {},
): Promise<Report> {
  const { language = null, title = null, report, onSubmitted, onProgress, ...request } = options;
  const { check_id: checkId } =
    typeof query === "string"
      ? await client.submitCheck({ query_text: query, language, title }, request)
      : await client.submitUpload(query, { language: language ?? "", title: title ?? "" }, request);
  onSubmitted?.(checkId);
  for await (const progress of client.followCheck(checkId, request)) {
    if (!("status" in progress)) onProgress?.(progress);
    else if (progress.status !== "complete") {
      const what = progress.status === "deleted" ? "The check was deleted." : "The check failed.";
      throw new CheckFailedError(checkId, progress.status, progress.error_message ?? what);
    }
  }
  return client.getReport(checkId, report, request);
}

/** Files of one request: the service takes 100 MiB. */
const REQUEST_BYTES_MAX = 50 * 1024 * 1024;
const REQUEST_FILES_MAX = 1_000;

/** The service takes 255 characters; the rest is for the numbers of further requests. */
const KEY_CHARS_MAX = 250;

async function checkTogether(
  client: EngineClient,
  members: readonly (string | Blob)[],
  options: TogetherOptions = {},
): Promise<BatchReport> {
  const { title, language, compareWith, templates = [], groupByFolder, report, ...rest } = options;
  const { onSubmitted, onProgress, ...request } = rest;
  const { idempotencyKey: key, ...plain } = request;
  if (key !== undefined && key.length > KEY_CHARS_MAX)
    throw new RangeError(`idempotencyKey must have at most ${KEY_CHARS_MAX} characters.`);
  const [first = [], ...further] = requestsOf(
    members.map((member, at) => toFile(member, `text ${at + 1}.txt`)),
  );
  const grouping = { group_by_folder: groupByFolder === true ? "true" : "false" } as const;
  const fields = {
    ...grouping,
    title: title ?? "",
    language: language ?? "",
    compare_with: compareWith ?? "",
    templates: templates.map((template, at) => toFile(template, `template ${at + 1}.txt`)),
  } as const;
  const { batch_id: batchId } = await client.submitBatch(first, fields, request);
  onSubmitted?.(batchId);
  for (const [at, files] of further.entries()) {
    const idempotencyKey = key === undefined ? undefined : `${key}-${at + 2}`;
    await client.addMembers(batchId, files, grouping, { ...plain, idempotencyKey });
  }
  for await (const progress of client.followBatch(batchId, plain)) {
    if (!("batch_id" in progress)) onProgress?.(progress);
    else if (progress.status === "deleted")
      throw new CheckFailedError(batchId, "deleted", "The batch was deleted.");
  }
  return client.getBatchReport(batchId, report, plain);
}

/** A text as a file, whose ending says that it is plain text. */
function toFile(member: string | Blob, name: string): Blob {
  return typeof member === "string" ? new File([member], name, { type: "text/plain" }) : member;
}

function requestsOf(files: readonly Blob[]): Blob[][] {
  const requests: Blob[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const file of files) {
    const last = requests.at(-1);
    if (last === undefined || bytes + file.size > REQUEST_BYTES_MAX || last.length >= REQUEST_FILES_MAX) {
      requests.push([file]);
      bytes = file.size;
    } else {
      last.push(file);
      bytes += file.size;
    }
  }
  return requests;
}
