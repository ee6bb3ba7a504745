import type { Queryable } from "../../platform/postgres/database.ts";
import type { FrequentShingleStore } from "./frequent-shingle-store.ts";

/**
 * The frequent shingles in the memory of a process that checks texts. The table has `FREQUENT_SHINGLES_MAX` rows at
 * most, so that is what they take: 100,000 shingles are 7 MB.
 */
export class FrequentShingles {
  readonly #store: FrequentShingleStore;
  #version: number | undefined;
  #shingles: ReadonlySet<string> = new Set();

  constructor(store: FrequentShingleStore) {
    this.#store = store;
  }

  /**
   * Those of the given shingles that are frequent. Asks for the number of the table's version, and reads the table when
   * that is another one: a measurement holds from the next check on.
   */
  async among(db: Queryable, shingles: Iterable<string>): Promise<ReadonlySet<string>> {
    if ((await this.#store.version(db)) !== this.#version) {
      const read = await this.#store.read(db);
      this.#version = read.version;
      this.#shingles = read.shingles;
    }
    const known = this.#shingles;
    const frequent = new Set<string>();
    for (const shingle of shingles) if (known.has(shingle)) frequent.add(shingle);
    return frequent;
  }
}
