import { followCheck } from "./follow-check.ts";
import {
  engineOperations,
  type GetReportQuery,
  type ProgressEnd,
  type ProgressEvent,
  type Report,
} from "./generated/engine-api.ts";
import type { RequestOptions } from "./request.ts";
import { CheckFailedError, type ClientOptions, createTransport } from "./transport.ts";

/** The engine's operations, each a function named after its operationId, and two functions built from them. */
export type EngineClient = Omit<ReturnType<typeof engineOperations>, "followCheck"> & {
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
  const { followCheck: open, ...operations } = engineOperations(createTransport(options));
  const client: EngineClient = {
    ...operations,
    followCheck: (checkId, requestOptions) => followCheck({ open }, checkId, requestOptions),
    check: (query, checkOptions) => check(client, query, checkOptions),
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
