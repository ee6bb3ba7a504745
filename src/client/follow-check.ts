import { ProblemError, UnreachableError } from "./errors.ts";
import type { ProgressEnd, ProgressEvent } from "./generated/engine-types.ts";
import { readEvents } from "./read-events.ts";
import type { RequestOptions } from "./transport.ts";

/** How often a broken stream is opened again before anything new came. With the pauses 75 s: a restart takes 20. */
const RECONNECTS_MAX = 10;

/** The first pause; each one doubles, up to the longest. */
const PAUSE_MS_MIN = 250;
const PAUSE_MS_MAX = 15_000;

/** The service sends a comment every 15 seconds; after three that did not come the connection is dead. */
const SILENCE_MS_MAX = 45_000;

/** Where the stream comes from, and how patient to be with it, in milliseconds. */
export type ProgressStream = {
  readonly open: (checkId: string, options: RequestOptions) => Promise<Response>;
  readonly silenceMsMax?: number;
  readonly pauseMsMin?: number;
};

/**
 * The progress of a check, as it comes: its present state, each change, and as the last value its end, which has a `status`.
 * A connection that breaks is opened again, ten times in a row at most.
 * @throws ProblemError, such as `check_not_found`; UnreachableError when it stays broken; the signal's reason.
 */
export async function* followCheck(
  { open, silenceMsMax = SILENCE_MS_MAX, pauseMsMin = PAUSE_MS_MIN }: ProgressStream,
  checkId: string,
  { signal }: RequestOptions = {},
): AsyncGenerator<ProgressEvent | ProgressEnd, void, undefined> {
  let last: string | undefined;
  let failures = 0;
  for (;;) {
    let failure: unknown;
    try {
      for await (const { name, data } of connection(open, checkId, signal, silenceMsMax)) {
        const progress: ProgressEvent | ProgressEnd = JSON.parse(data);
        const isEnd = name !== "message";
        // A stream that is opened again begins with the state that was seen last.
        if (isEnd || data !== last) yield progress;
        if (isEnd) return;
        if (data !== last) failures = 0;
        last = data;
      }
    } catch (error) {
      if (signal?.aborted) throw error;
      if (last !== undefined && error instanceof ProblemError && error.status === 404) {
        yield deletedMeanwhile(checkId);
        return;
      }
      if (!passes(error)) throw error;
      failure = error;
    }
    failures += 1;
    if (failures > RECONNECTS_MAX)
      throw failure ?? new UnreachableError(`The progress of check ${checkId} breaks off time and again.`);
    await pause(
      Math.max(Math.min(pauseMsMin * 2 ** (failures - 1), PAUSE_MS_MAX), askedPauseMs(failure)),
      signal,
    );
  }
}

/** The events of one connection, which is given up when nothing comes for too long. */
async function* connection(
  open: ProgressStream["open"],
  checkId: string,
  signal: AbortSignal | undefined,
  silenceMsMax: number,
) {
  const ended = new AbortController();
  const end = () => ended.abort(signal?.reason);
  let silence: ReturnType<typeof setTimeout> | undefined;
  const listen = () => {
    clearTimeout(silence);
    silence = setTimeout(end, silenceMsMax);
  };
  signal?.addEventListener("abort", end);
  if (signal?.aborted) end();
  listen();
  try {
    const { body } = await open(checkId, { signal: ended.signal });
    if (body !== null) yield* readEvents(body, listen);
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    if (error instanceof ProblemError) throw error;
    throw new UnreachableError(`The progress of check ${checkId} can't be had.`, { cause: error });
  } finally {
    clearTimeout(silence);
    signal?.removeEventListener("abort", end);
    ended.abort();
  }
}

/** What a service that restarts or a proxy before it answers, and what goes by. */
function passes(error: unknown): boolean {
  return (
    error instanceof UnreachableError ||
    (error instanceof ProblemError && (error.status >= 500 || error.status === 429))
  );
}

/** What the end of its stream would have said. */
function deletedMeanwhile(checkId: string): ProgressEnd {
  return {
    check_id: checkId,
    status: "deleted",
    overall_similarity_pct: null,
    error_message: null,
    report_url: `/v1/checks/${checkId}/report`,
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
