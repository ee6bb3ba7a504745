import type {
  BatchProgressEnd,
  BatchProgressEvent,
  ProgressEnd,
  ProgressEvent,
} from "./generated/engine-api.ts";
import type { RequestOptions } from "./transport.ts";
import { ProblemError, UnreachableError } from "./transport.ts";

/** Reconnects without progress in between. With the pauses they take 75 s; a restart of the service takes 20. */
const RECONNECTS_MAX = 10;

/** The first pause and the longest; each is twice the one before. */
const PAUSE_MS_MIN = 250;
const PAUSE_MS_MAX = 15_000;

/** The service sends a comment every 15 seconds; after three missing ones the connection is dead. */
const SILENCE_MS_MAX = 45_000;

/** How to open the stream, and its time limits in milliseconds. */
type ProgressStream = {
  readonly open: (checkId: string, options: RequestOptions) => Promise<Response>;
  readonly silenceMsMax?: number;
  readonly pauseMsMin?: number;
};

/** Yields the progress of a check as `EngineClient.followCheck` does. @throws as that; the signal's reason. */
export function followCheck(
  stream: ProgressStream,
  checkId: string,
  options: RequestOptions = {},
): AsyncGenerator<ProgressEvent | ProgressEnd, void, undefined> {
  return follow<ProgressEvent | ProgressEnd>(stream, checkId, deletedMeanwhile, options);
}

/** Yields the progress of a batch as `EngineClient.followBatch` does. @throws as that; the signal's reason. */
export function followBatch(
  stream: ProgressStream,
  batchId: string,
  options: RequestOptions = {},
): AsyncGenerator<BatchProgressEvent | BatchProgressEnd, void, undefined> {
  return follow<BatchProgressEvent | BatchProgressEnd>(stream, batchId, deletedBatch, options);
}

/** @param deleted the last event if the object is gone when the stream is opened again. */
async function* follow<T>(
  { open, silenceMsMax = SILENCE_MS_MAX, pauseMsMin = PAUSE_MS_MIN }: ProgressStream,
  id: string,
  deleted: (id: string) => T,
  { signal }: RequestOptions,
): AsyncGenerator<T, void, undefined> {
  let last: string | undefined;
  let failures = 0;
  for (;;) {
    let failure: unknown;
    try {
      for await (const { name, data } of connection(open, id, signal, silenceMsMax)) {
        const progress: T = JSON.parse(data);
        const isEnd = name !== "message";
        // A reopened stream begins with the state that was seen last.
        if (isEnd || data !== last) yield progress;
        if (isEnd) return;
        if (data !== last) failures = 0;
        last = data;
      }
    } catch (error) {
      if (signal?.aborted) throw error;
      if (last !== undefined && error instanceof ProblemError && error.status === 404) {
        yield deleted(id);
        return;
      }
      if (!passes(error)) throw error;
      failure = error;
    }
    failures += 1;
    if (failures > RECONNECTS_MAX)
      throw failure ?? new UnreachableError(`The progress stream of ${id} keeps disconnecting.`);
    await pause(
      Math.max(Math.min(pauseMsMin * 2 ** (failures - 1), PAUSE_MS_MAX), askedPauseMs(failure)),
      signal,
    );
  }
}

/** The events of one connection, which is closed when nothing comes for too long. */
async function* connection(
  open: ProgressStream["open"],
  checkId: string,
  signal: AbortSignal | undefined,
  silenceMsMax: number,
) {
  const ended = new AbortController();
  let silence: ReturnType<typeof setTimeout> | undefined;
  const listen = () => {
    clearTimeout(silence);
    silence = setTimeout(() => ended.abort(), silenceMsMax);
  };
  listen();
  try {
    const stop = signal === undefined ? ended.signal : AbortSignal.any([signal, ended.signal]);
    const { body } = await open(checkId, { signal: stop });
    if (body !== null) yield* readEvents(body, listen);
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    if (error instanceof ProblemError) throw error;
    throw new UnreachableError(`The progress stream of ${checkId} was interrupted.`, { cause: error });
  } finally {
    clearTimeout(silence);
    ended.abort();
  }
}

/** Errors that pass: a restarting service, a proxy in front of it, a rate limit. */
function passes(error: unknown): boolean {
  return (
    error instanceof UnreachableError ||
    (error instanceof ProblemError && (error.status >= 500 || error.status === 429))
  );
}

/** The event with which its stream would have ended. */
function deletedMeanwhile(checkId: string): ProgressEnd {
  return {
    check_id: checkId,
    status: "deleted",
    overall_similarity_pct: null,
    error_message: null,
    report_url: `/v1/checks/${checkId}/report`,
  };
}

function deletedBatch(batchId: string): BatchProgressEnd {
  return {
    batch_id: batchId,
    status: "deleted",
    ...{ members_total: 0, members_read: 0, members_compared: 0, members_failed: 0, pairs_found: 0 },
    report_url: `/v1/batches/${batchId}/report`,
  };
}

function askedPauseMs(failure: unknown): number {
  const seconds = failure instanceof ProblemError ? (failure.retryAfter ?? 0) : 0;
  return Math.min(seconds * 1000, PAUSE_MS_MAX);
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
    if (signal?.aborted) stop();
  });
}

export type ServerEvent = {
  /** `message` for an event without a name. */
  readonly name: string;
  readonly data: string;
};

/** Reads a stream of server-sent events (WHATWG HTML, section 9.2.6). @param onBytes called for all bytes, also of comments */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  onBytes: () => void = () => {},
): AsyncGenerator<ServerEvent, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let unread = "";
  let name = "";
  let data: string[] = [];
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      onBytes();
      unread += decoder.decode(value, { stream: true });
      // A carriage return at the end may be the first half of a line ending.
      const lines = unread.split(/\r\n|\n|\r(?!$)/);
      unread = lines.pop() ?? "";
      for (const line of lines) {
        if (line === "") {
          if (data.length > 0) yield { name: name || "message", data: data.join("\n") };
          name = "";
          data = [];
        } else if (line.startsWith("event:")) name = fieldValue(line);
        else if (line.startsWith("data:")) data.push(fieldValue(line));
      }
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function fieldValue(line: string): string {
  return line.slice(line.indexOf(":") + 1).replace(/^ /, "");
}
