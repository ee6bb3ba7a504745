/** Background callers get a slot when no foreground caller waits. */
export type Priority = "foreground" | "background";

export type Turn = {
  /** Ends the wait for a slot. */
  readonly signal?: AbortSignal | undefined;
  /** `foreground` by default. */
  readonly priority?: Priority;
};

export type SlotLimits = {
  readonly waitingMax: number;
  readonly waitMs: number;
  /** The error for callers beyond `waitingMax` or `waitMs`. */
  readonly busy: () => Error;
  /** How long background work is held back after foreground work. */
  readonly backgroundPauseMs: number;
};

const NO_LIMITS: SlotLimits = {
  waitingMax: Number.POSITIVE_INFINITY,
  waitMs: Number.POSITIVE_INFINITY,
  busy: () => new Error("too many callers wait"),
  backgroundPauseMs: 0,
};

/** However much foreground work there is, one piece of background work starts this often. */
const BACKGROUND_PAUSE_MAX_MS = 500;

type Waiting = { readonly start: () => void; readonly reject: (reason: unknown) => void };

/**
 * Runs at most `count` pieces of work at a time: foreground work first, and within a priority in the order of arrival. p-limit and
 * p-queue have no limits on waiting and no pause for background work.
 */
export class Slots {
  readonly #limits: SlotLimits;
  readonly #waiting: Record<Priority, Set<Waiting>> = { foreground: new Set(), background: new Set() };
  /** When work of each priority last started or ended. */
  readonly #lastAt: Record<Priority, number> = {
    foreground: Number.NEGATIVE_INFINITY,
    background: Number.NEGATIVE_INFINITY,
  };
  #free: number;
  #closedFor: Error | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(count: number, limits: Partial<SlotLimits> = {}) {
    this.#free = count;
    this.#limits = { ...NO_LIMITS, ...limits };
  }

  /** @throws the error of `work`; and while it waits, the signal's reason, the reason of `close`, or the error of `busy`. */
  async run<T>(work: () => Promise<T>, { signal, priority = "foreground" }: Turn = {}): Promise<T> {
    await this.#take(priority, signal);
    try {
      return await work();
    } finally {
      this.#free++;
      this.#lastAt[priority] = performance.now();
      this.#startNext();
    }
  }

  /** Rejects all waiting and all later callers with `reason`. */
  close(reason: Error): void {
    this.#closedFor = reason;
    clearTimeout(this.#timer);
    for (const waiting of Object.values(this.#waiting)) {
      for (const { reject } of waiting) reject(reason);
      waiting.clear();
    }
  }

  async #take(priority: Priority, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (this.#closedFor !== undefined) throw this.#closedFor;
    const { waitingMax, waitMs, busy } = this.#limits;
    const { foreground, background } = this.#waiting;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const entry: Waiting = { start: resolve, reject };
    const waiting = this.#waiting[priority].add(entry);
    this.#startNext();
    if (!waiting.has(entry)) return;
    const giveUp = (reason: unknown) => {
      if (waiting.delete(entry)) reject(reason);
    };
    if (foreground.size + background.size > waitingMax) giveUp(busy());
    const abort = () => giveUp(signal?.reason);
    signal?.addEventListener("abort", abort, { once: true });
    const timer = Number.isFinite(waitMs) ? setTimeout(() => giveUp(busy()), waitMs) : undefined;
    await promise.finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    });
  }

  #startNext(): void {
    while (this.#free > 0) {
      const priority = this.#waiting.foreground.size > 0 ? "foreground" : "background";
      const [next] = this.#waiting[priority];
      if (next === undefined || (priority === "background" && this.#isHeldBack())) return;
      this.#waiting[priority].delete(next);
      this.#free--;
      this.#lastAt[priority] = performance.now();
      next.start();
    }
  }

  /** Whether background work has to wait; a timer starts it in time. */
  #isHeldBack(): boolean {
    const { foreground, background } = this.#lastAt;
    const pauseEndsAt = foreground + this.#limits.backgroundPauseMs;
    const waitMs = Math.min(pauseEndsAt, background + BACKGROUND_PAUSE_MAX_MS) - performance.now();
    if (waitMs <= 0) return false;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#startNext(), waitMs);
    return true;
  }
}
