/** Work that is repeated until it is told to end, or until some of it fails. */
export class RepeatedWork {
  readonly #running: Promise<void>[] = [];
  #isEnding = false;

  repeat(work: (round: number) => Promise<void>): void {
    const run = async () => {
      for (let round = 0; !this.#isEnding; round += 1) await work(round);
    };
    const running = run();
    // What fails is told by `end`; until then it must not count as a failure that nobody handles.
    running.catch(() => undefined);
    this.#running.push(running);
  }

  /** @throws the first fault of any of the work. */
  async end(): Promise<void> {
    this.#isEnding = true;
    await Promise.all(this.#running);
  }
}
