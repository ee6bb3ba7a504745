type Waiting = { readonly start: () => void; readonly refuse: (reason: unknown) => void };

export type Slots = {
  /**
   * Waits for a slot; rejects with the signal's reason when that comes first, or after `close`; with what `busy` makes
   * when as many wait already as may, or when the wait has lasted as long as it may.
   */
  take(signal?: AbortSignal): Promise<void>;
  /** Hands a slot that was taken to the caller that has waited longest. */
  free(): void;
  /** Refuses all who wait, and all who come, with `reason`. */
  close(reason: Error): void;
};

export type WaitingLimits = {
  /** The most callers that may wait. */
  readonly waitingMax: number;
  /** The longest that one may wait, in milliseconds. */
  readonly waitMs: number;
  readonly busy: () => Error;
};

const NO_LIMITS: WaitingLimits = {
  waitingMax: Number.POSITIVE_INFINITY,
  waitMs: Number.POSITIVE_INFINITY,
  busy: () => new Error("too many wait"),
};

/** Lets `count` callers through at a time, the others in the order they came; without limits they wait for as long as it takes. */
export function createSlots(count: number, limits: Partial<WaitingLimits> = {}): Slots {
  const { waitingMax, waitMs, busy } = { ...NO_LIMITS, ...limits };
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
      if (waiting.size >= waitingMax) throw busy();
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const entry: Waiting = { start: resolve, refuse: reject };
      const abort = () => {
        if (waiting.delete(entry)) reject(signal?.reason);
      };
      const giveUp = () => {
        if (waiting.delete(entry)) reject(busy());
      };
      waiting.add(entry);
      signal?.addEventListener("abort", abort, { once: true });
      const timer = Number.isFinite(waitMs) ? setTimeout(giveUp, waitMs) : undefined;
      await promise.finally(() => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", abort);
      });
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
