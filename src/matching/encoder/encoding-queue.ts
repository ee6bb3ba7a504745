import type { EncodingPriority } from "./sentence-encoder.ts";

type Job = { readonly start: () => Promise<void>; readonly isGone: () => boolean };

/** Where encoding takes a core of this machine, the corpus lets a check have it for so long after its sentences are encoded. */
export const PAUSE_FOR_CHECKS_MS = 300;

/** However many checks there are, the corpus gets its turn this often, for a batch of sentences. */
const PAUSE_MAX_MS = 500;

/** Runs pieces of work, at most `concurrency` at a time: those of checks first, and those of one priority in their order. */
export class EncodingQueue {
  readonly #concurrency: number;
  readonly #pauseMs: number;
  readonly #waiting: Record<EncodingPriority, Job[]> = { check: [], corpus: [] };
  #running = 0;
  /** When work of each priority was last started or done. */
  readonly #lastAt: Record<EncodingPriority, number> = {
    check: Number.NEGATIVE_INFINITY,
    corpus: Number.NEGATIVE_INFINITY,
  };
  #timer: NodeJS.Timeout | undefined;

  /** @param pauseMs how long work of the corpus is held back after work of a check. */
  constructor(concurrency: number, pauseMs = 0) {
    this.#concurrency = concurrency;
    this.#pauseMs = pauseMs;
  }

  /** @throws what the work throws; the signal's reason at once, also while the work waits. */
  run<T>(work: () => Promise<T>, priority: EncodingPriority, signal?: AbortSignal): Promise<T> {
    if (signal?.aborted === true) return Promise.reject(signal.reason);
    const settled = Promise.withResolvers<T>();
    const onAbort = () => settled.reject(signal?.reason);
    signal?.addEventListener("abort", onAbort, { once: true });
    this.#waiting[priority].push({
      isGone: () => signal?.aborted === true,
      start: () => work().then(settled.resolve, settled.reject),
    });
    this.#startNext();
    return settled.promise.finally(() => signal?.removeEventListener("abort", onAbort));
  }

  #startNext(): void {
    while (this.#running < this.#concurrency) {
      const priority = this.#waiting.check.length > 0 ? "check" : "corpus";
      if (priority === "corpus" && this.#isPaused()) return;
      const job = this.#waiting[priority].shift();
      if (job === undefined) return;
      if (job.isGone()) continue;
      this.#running++;
      this.#lastAt[priority] = performance.now();
      void job.start().finally(() => {
        this.#running--;
        this.#lastAt[priority] = performance.now();
        this.#startNext();
      });
    }
  }

  /** Whether work of the corpus has to wait; then it is started in time. */
  #isPaused(): boolean {
    if (this.#waiting.corpus.length === 0) return false;
    const dueAt = Math.min(this.#lastAt.check + this.#pauseMs, this.#lastAt.corpus + PAUSE_MAX_MS);
    const waitMs = dueAt - performance.now();
    if (waitMs <= 0) return false;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#startNext(), waitMs);
    return true;
  }
}
