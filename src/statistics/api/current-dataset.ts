import type { Dataset } from "../read-model/rows.ts";

/**
 * What is loaded at present, read once and kept until a load is heard of: the answers that come from memory ask the
 * database nothing.
 */
export class CurrentDataset {
  readonly #read: () => Promise<Dataset>;
  #reading: Promise<Dataset> | undefined;

  constructor(read: () => Promise<Dataset>) {
    this.#read = read;
  }

  /** @throws what reading it throws; the next call tries again. */
  async get(): Promise<Dataset> {
    this.#reading ??= this.#read();
    const reading = this.#reading;
    try {
      const dataset = await reading;
      // Forgotten meanwhile: it may be the state before the load.
      return this.#reading === reading ? dataset : await this.get();
    } catch (error) {
      if (this.#reading === reading) this.#reading = undefined;
      throw error;
    }
  }

  /** Something was loaded, or may have been. */
  forget(): void {
    this.#reading = undefined;
  }
}
