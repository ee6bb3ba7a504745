import {
  CheckFailedError,
  type EngineClient,
  type GetReportQuery,
  ProblemError,
  type ProgressEvent,
  type Report,
  UnreachableError,
} from "../client/index.ts";
import { FileError, readFile } from "./read-file.ts";

/** As many as a worker runs at once by default; more would only wait in the queue. */
const FILES_AT_ONCE = 2;

/** What came of a file. */
export type CheckedFile = {
  readonly file: string;
  /** Undefined when it was not submitted. */
  readonly checkId: string | undefined;
  readonly outcome:
    | { readonly kind: "report"; readonly report: Report }
    | { readonly kind: "failure"; readonly code: string; readonly message: string }
    /** By the signal; a check that was submitted goes on in the service. */
    | { readonly kind: "stopped" };
};

export type CheckFilesRequest = {
  readonly files: readonly string[];
  readonly language: string | undefined;
  readonly title: string | undefined;
  readonly filters: GetReportQuery;
  readonly signal: AbortSignal;
  readonly onProgress: (file: string, progress: ProgressEvent) => void;
};

/** Checks files, a few at a time, and gives what came of each in the order of the files. One that fails stops no other. */
export async function* checkFiles(
  client: EngineClient,
  { files, ...request }: CheckFilesRequest,
): AsyncGenerator<CheckedFile> {
  const waiting = [...files];
  const running: Promise<CheckedFile>[] = [];
  for (;;) {
    for (const file of waiting.splice(0, FILES_AT_ONCE - running.length))
      running.push(checkFile(client, file, request));
    const first = running.shift();
    if (first === undefined) return;
    yield await first;
  }
}

async function checkFile(
  client: EngineClient,
  file: string,
  { language, title, filters, signal, onProgress }: Omit<CheckFilesRequest, "files">,
): Promise<CheckedFile> {
  let checkId: string | undefined;
  try {
    signal.throwIfAborted();
    const report = await client.check(await readFile(file, signal), {
      language,
      title,
      report: filters,
      signal,
      onSubmitted(submitted) {
        checkId = submitted;
      },
      onProgress: (progress) => onProgress(file, progress),
    });
    return { file, checkId, outcome: { kind: "report", report } };
  } catch (error) {
    if (signal.aborted) return { file, checkId, outcome: { kind: "stopped" } };
    return { file, checkId, outcome: { kind: "failure", ...failureOf(error) } };
  }
}

/** @throws what nobody foresaw, as it is. */
function failureOf(error: unknown): { readonly code: string; readonly message: string } {
  if (error instanceof ProblemError) {
    const faults = error.errors.map(({ field, message }) => `${field} ${message}`);
    return { code: error.code, message: faults.length > 0 ? `${faults.join("; ")}.` : error.detail };
  }
  if (error instanceof CheckFailedError) return { code: `check_${error.status}`, message: error.message };
  if (error instanceof UnreachableError) return { code: "unreachable", message: `${error.message}.` };
  if (error instanceof FileError) return { code: "unreadable_file", message: error.message };
  throw error;
}
