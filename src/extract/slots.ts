type Slots = {
  /** Waits for a slot. @throws the signal's reason; that of `close`; that of `busy` beyond `waitingMax` callers or `waitMs`. */
  take(signal?: AbortSignal): Promise<void>;
  /** Hands a slot that was taken to the caller that has waited longest. */
  free(): void;
  /** Rejects all waiting and all later callers with `reason`. */
  close(reason: Error): void;
};

type WaitingLimits = {
  readonly waitingMax: number;
  readonly waitMs: number;
  readonly busy: () => Error;
};

const NO_LIMITS: WaitingLimits = {
  waitingMax: Number.POSITIVE_INFINITY,
  waitMs: Number.POSITIVE_INFINITY,
  busy: () => new Error("too many callers wait"),
};

type Waiting = { readonly start: () => void; readonly reject: (reason: unknown) => void };

/** Lets `count` callers through at a time, in the order of their arrival. p-limit lacks limits on waiting and a signal per caller. */
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
      const entry: Waiting = { start: resolve, reject };
      const giveUp = (reason: unknown) => {
        if (waiting.delete(entry)) reject(reason);
      };
      const abort = () => giveUp(signal?.reason);
      waiting.add(entry);
      signal?.addEventListener("abort", abort, { once: true });
      const timer = Number.isFinite(waitMs) ? setTimeout(() => giveUp(busy()), waitMs) : undefined;
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
      for (const { reject } of waiting) reject(reason);
      waiting.clear();
    },
  };
}
