import { setTimeout as sleep } from "node:timers/promises";
import { DomainError } from "../domain-error.ts";

/** Waits double up to a maximum: a store that restarts is back within seconds. */
const WAIT_MIN_MS = 500;
const WAIT_MAX_MS = 15_000;

/** A restart of OpenSearch with a large index takes a minute or two. A longer outage needs a person. */
export const STORE_WAIT_MS = 5 * 60_000;

/** Runs `work`, and repeats it while a store is unavailable. `work` must be safe to repeat. */
export type RetryPolicy = <T>(work: () => Promise<T>) => Promise<T>;

type Options = {
  readonly waitMs: number;
  readonly say: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
};

/** Makes a retry policy for stores. @throws from each call: `store_unavailable` in the end; errors of `work`. */
export function createRetryPolicy({ waitMs, say, signal }: Options): RetryPolicy {
  /** Several calls may wait for the same store: one line announces the wait, and one its end. */
  let announced = false;

  return async (work) => {
    const started = performance.now();
    for (let waitNextMs = WAIT_MIN_MS; ; waitNextMs = Math.min(2 * waitNextMs, WAIT_MAX_MS)) {
      signal?.throwIfAborted();
      try {
        const result = await work();
        if (announced) say("The stores answer again.");
        announced = false;
        return result;
      } catch (error) {
        if (!isStoreUnavailable(error)) throw error;
        const leftMs = waitMs - (performance.now() - started);
        if (leftMs <= 0) throw error;
        if (!announced) say(`${error.message} Waiting for it up to ${Math.ceil(leftMs / 1000)} s.`);
        announced = true;
        await sleep(Math.min(waitNextMs, leftMs), undefined, { signal }).catch(() =>
          signal?.throwIfAborted(),
        );
      }
    }
  };
}

/** Whether a store could not be reached, so that the same call may succeed later. */
export function isStoreUnavailable(error: unknown): error is DomainError {
  return error instanceof DomainError && error.code === "store_unavailable";
}
