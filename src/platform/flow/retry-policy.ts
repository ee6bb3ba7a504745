import { setTimeout as sleep } from "node:timers/promises";
import { DomainError } from "../../core/domain-error.ts";

/** Each wait is twice as long as the one before, up to the longest: a store that restarts is back within seconds. */
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;

/** A restart of OpenSearch with a large index takes a minute or two; what takes longer needs a person. */
export const STORE_WAIT_MS = 5 * 60_000;

/** Does `work`, and again while a store is away. */
export type WithPatience = <T>(work: () => Promise<T>) => Promise<T>;

type Options = {
  /** How long a store may be away, in milliseconds. */
  readonly waitMs: number;
  readonly say: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
};

/**
 * Makes a way of working that waits for a store that is away: for work that may be done twice.
 * @throws from each call: DomainError `store_unavailable` when the store stays away; the signal's reason; any other error
 *   of `work` as it is.
 */
export function createPatience({ waitMs, say, signal }: Options): WithPatience {
  /** Several pieces of work may wait for the same store: one line says so, and one that it is back. */
  let awaySaid = false;

  return async (work) => {
    const started = performance.now();
    for (let waitNextMs = FIRST_WAIT_MS; ; waitNextMs = Math.min(2 * waitNextMs, LONGEST_WAIT_MS)) {
      signal?.throwIfAborted();
      try {
        const result = await work();
        if (awaySaid) say("The stores answer again.");
        awaySaid = false;
        return result;
      } catch (error) {
        if (!isStoreAway(error)) throw error;
        const leftMs = waitMs - (performance.now() - started);
        if (leftMs <= 0) throw error;
        if (!awaySaid) say(`${error.message} Waiting for it, for ${Math.ceil(leftMs / 1000)} s at most.`);
        awaySaid = true;
        await sleep(Math.min(waitNextMs, leftMs), undefined, { signal }).catch(() =>
          signal?.throwIfAborted(),
        );
      }
    }
  };
}

/** Whether a store could not be reached: what failed so may succeed later. */
export function isStoreAway(error: unknown): error is DomainError {
  return error instanceof DomainError && error.code === "store_unavailable";
}
