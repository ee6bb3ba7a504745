/** The time for a comparison, including the `earlierMs` of earlier runs. The clock starts now. */
export class TimeBudget {
  readonly #limitMs: number;
  readonly #now: () => number;
  readonly #startedAt: number;

  constructor(limitMs: number, earlierMs: number, now: () => number = () => performance.now()) {
    this.#limitMs = limitMs;
    this.#now = now;
    this.#startedAt = now() - earlierMs;
  }

  get spentMs(): number {
    return this.#now() - this.#startedAt;
  }

  get remainingMs(): number {
    return Math.max(0, this.#limitMs - this.spentMs);
  }

  get isSpent(): boolean {
    return this.remainingMs === 0;
  }
}
