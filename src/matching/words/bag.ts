import type { Span } from "../../text/span.ts";

/** A multiset of word numbers for one-to-one comparison. Negative numbers, words that the vocabulary lacks, are never in it. */
export class Bag {
  readonly #counts: Int32Array;
  readonly #left: Int32Array;
  readonly #added: (readonly [ids: Int32Array, span: Span])[] = [];

  /** @param vocabulary one more than the highest word number. */
  constructor(vocabulary: number) {
    this.#counts = new Int32Array(vocabulary);
    this.#left = new Int32Array(vocabulary);
  }

  /** Adds the words of a span of `ids`. */
  add(ids: Int32Array, span: Span): void {
    this.#added.push([ids, span]);
    for (let i = span.start; i < span.end; i++) {
      const id = ids[i] ?? -1;
      if (id < 0) continue;
      this.#counts[id] = (this.#counts[id] ?? 0) + 1;
      this.#left[id] = (this.#left[id] ?? 0) + 1;
    }
  }

  /** How often the word was added, whether or not it was taken since. */
  count(id: number): number {
    return id < 0 ? 0 : (this.#counts[id] ?? 0);
  }

  /** Takes one occurrence of the word, if one is left. */
  take(id: number): boolean {
    if (id < 0) return false;
    const left = this.#left[id] ?? 0;
    if (left === 0) return false;
    this.#left[id] = left - 1;
    return true;
  }

  /** Gives an occurrence back that was taken. */
  putBack(id: number): void {
    this.#left[id] = (this.#left[id] ?? 0) + 1;
  }

  /** Empties the bag; takes as long as the additions did, whatever the size of the vocabulary. */
  clear(): void {
    for (const [ids, { start, end }] of this.#added) {
      for (let i = start; i < end; i++) {
        const id = ids[i] ?? -1;
        if (id < 0) continue;
        this.#counts[id] = 0;
        this.#left[id] = 0;
      }
    }
    this.#added.length = 0;
  }
}

/** Lends bags of one vocabulary, so that aligning a long query with many short sources allocates them once. */
export class BagPool {
  readonly #vocabulary: number;
  readonly #free: Bag[] = [];

  constructor(vocabulary: number) {
    this.#vocabulary = vocabulary;
  }

  /** Lends an empty bag for the duration of the call and empties it afterwards, even if `use` throws. */
  lend<T>(use: (bag: Bag) => T): T {
    const bag = this.#free.pop() ?? new Bag(this.#vocabulary);
    try {
      return use(bag);
    } finally {
      bag.clear();
      this.#free.push(bag);
    }
  }

  /** Lends a bag that holds the words of a span. */
  lendFilled<T>(ids: Int32Array, span: Span, use: (bag: Bag) => T): T {
    return this.lend((bag) => {
      bag.add(ids, span);
      return use(bag);
    });
  }
}
