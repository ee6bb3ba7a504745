/** Work that runs once per wake-up, one at a time: waking it while it runs makes it run once more. */
export class RepeatedWork {
  readonly #work: (signal: AbortSignal) => Promise<void>;
  readonly #onFault: (error: unknown) => void;
  readonly #closing = new AbortController();
  #running: Promise<void> | undefined;
  #again = false;
  #timer: NodeJS.Timeout | undefined;

  /** @param onFault receives errors of `work`, except those caused by closing. */
  constructor(work: (signal: AbortSignal) => Promise<void>, onFault: (error: unknown) => void) {
    this.#work = work;
    this.#onFault = onFault;
  }

  wake(): void {
    if (this.#closing.signal.aborted) return;
    this.#again = true;
    this.#running ??= this.#run();
  }

  /** Wakes the work at this interval until `close`. */
  wakeEvery(intervalMs: number): void {
    this.#timer = setInterval(() => this.wake(), intervalMs);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#closing.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    while (this.#again && !signal.aborted) {
      this.#again = false;
      try {
        await this.#work(signal);
      } catch (error) {
        if (!signal.aborted) this.#onFault(error);
      }
    }
    this.#running = undefined;
  }
}
