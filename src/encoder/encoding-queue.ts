import type { EncodingPriority } from "./sentence-encoder.ts";

type Job = { readonly start: () => Promise<void>; readonly isGone: () => boolean };

/** Runs pieces of work, at most `concurrency` at a time: those of checks first, and those of one priority in their order. */
export class EncodingQueue {
  readonly #concurrency: number;
  readonly #waiting: Record<EncodingPriority, Job[]> = { check: [], corpus: [] };
  #running = 0;

  constructor(concurrency: number) {
    this.#concurrency = concurrency;
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
      const job = this.#waiting.check.shift() ?? this.#waiting.corpus.shift();
      if (job === undefined) return;
      if (job.isGone()) continue;
      this.#running++;
      void job.start().finally(() => {
        this.#running--;
        this.#startNext();
      });
    }
  }
}
