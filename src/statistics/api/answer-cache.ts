/**
 * Keeps what was built last, up to a number of bytes, and builds nothing twice at once: who asks for a key that is just
 * being built waits for it. What fails is not kept.
 */
export class AnswerCache<V> {
  readonly #bytesMax: number;
  readonly #bytesOf: (value: V) => number;
  /** In the order of their last use. */
  readonly #kept = new Map<string, V>();
  readonly #building = new Map<string, Promise<V>>();
  #bytes = 0;

  constructor(bytesMax: number, bytesOf: (value: V) => number) {
    this.#bytesMax = bytesMax;
    this.#bytesOf = bytesOf;
  }

  /** The value of a key; undefined when it is not kept. */
  find(key: string): V | undefined {
    const value = this.#kept.get(key);
    if (value === undefined) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, value);
    return value;
  }

  /** The value of a key, built when it is not kept. */
  async get(key: string, build: () => Promise<V>): Promise<V> {
    const kept = this.find(key) ?? this.#building.get(key);
    if (kept !== undefined) return kept;
    const building = build();
    this.#building.set(key, building);
    try {
      const value = await building;
      // A cleared cache has forgotten this build: its value is of the state before.
      if (this.#building.get(key) === building) this.#keep(key, value);
      return value;
    } finally {
      if (this.#building.get(key) === building) this.#building.delete(key);
    }
  }

  /** Forgets everything, also what is still being built. */
  clear(): void {
    this.#kept.clear();
    this.#building.clear();
    this.#bytes = 0;
  }

  #keep(key: string, value: V): void {
    this.#kept.set(key, value);
    this.#bytes += this.#bytesOf(value);
    for (const [oldest, of] of this.#kept) {
      if (this.#bytes <= this.#bytesMax) return;
      this.#kept.delete(oldest);
      this.#bytes -= this.#bytesOf(of);
    }
  }
}
