/**
 * Work that is done whenever somebody wakes it, one at a time: who wakes it while it is under way has it done once more
 * afterwards.
 */
export class RepeatedWork {
  readonly #work: (signal: AbortSignal) => Promise<void>;
  readonly #onFault: (error: unknown) => void;
  readonly #closing = new AbortController();
  #running: Promise<void> | undefined;
  #again = false;

  /**
   * @param work ends early when its signal is aborted.
   * @param onFault is told what `work` threw, unless that came of closing.
   */
  constructor(work: (signal: AbortSignal) => Promise<void>, onFault: (error: unknown) => void) {
    this.#work = work;
    this.#onFault = onFault;
  }

  wake(): void {
    if (this.#closing.signal.aborted) return;
    this.#again = true;
    this.#running ??= this.#run();
  }

  /** Tells the work that is under way to end, and waits for that. */
  async close(): Promise<void> {
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
