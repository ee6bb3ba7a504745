/**
 * The time that a check may spend retrieving, over all its runs.
 * The clock starts with the budget; `earlierMs` is what earlier runs of the check have spent.
 */
export class TimeBudget {
  readonly #limitMs: number;
  readonly #earlierMs: number;
  readonly #now: () => number;
  readonly #startedAt: number;

  constructor(limitMs: number, earlierMs: number, now: () => number = () => performance.now()) {
    this.#limitMs = limitMs;
    this.#earlierMs = earlierMs;
    this.#now = now;
    this.#startedAt = now();
  }

  get spentMs(): number {
    return this.#earlierMs + this.#now() - this.#startedAt;
  }

  get remainingMs(): number {
    return Math.max(0, this.#limitMs - this.spentMs);
  }

  get isSpent(): boolean {
    return this.remainingMs === 0;
  }
}
