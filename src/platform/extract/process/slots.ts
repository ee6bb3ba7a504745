type Waiting = { readonly start: () => void; readonly refuse: (reason: unknown) => void };

export type Slots = {
  /**
   * Waits for a slot; rejects with the signal's reason when that comes first, or after `close`; with what `full` makes
   * when as many wait already as may.
   */
  take(signal?: AbortSignal): Promise<void>;
  /** Hands a slot that was taken to the caller that has waited longest. */
  free(): void;
  /** Refuses all who wait, and all who come, with `reason`. */
  close(reason: Error): void;
};

/** Lets `count` callers through at a time, the others in the order they came; at most `waitingMax` may wait. */
export function createSlots(
  count: number,
  waitingMax = Number.POSITIVE_INFINITY,
  full: () => Error = () => new Error("too many wait"),
): Slots {
  let left = count;
  let closedFor: Error | undefined;
  const waiting = new Set<Waiting>();

  return {
    async take(signal) {
      signal?.throwIfAborted();
      if (closedFor !== undefined) throw closedFor;
      if (left > 0) {
        left--;
        return;
      }
      if (waiting.size >= waitingMax) throw full();
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const entry: Waiting = { start: resolve, refuse: reject };
      const abort = () => {
        if (waiting.delete(entry)) reject(signal?.reason);
      };
      waiting.add(entry);
      signal?.addEventListener("abort", abort, { once: true });
      await promise.finally(() => signal?.removeEventListener("abort", abort));
    },
    free() {
      const [next] = waiting;
      if (next === undefined) left++;
      else if (waiting.delete(next)) next.start();
    },
    close(reason) {
      closedFor = reason;
      for (const { refuse } of waiting) refuse(reason);
      waiting.clear();
    },
  };
}
