import { EncoderUnavailable, type SentenceEncoder } from "../../src/matching/encoder/sentence-encoder.ts";

export const DIMENSIONS = 512;

/** Gives each sentence of a call another vector; fails after some calls, as an encoder that is killed. */
export class CountingEncoder implements SentenceEncoder {
  readonly model = "test-model";
  readonly encoded: string[] = [];
  callsLeft = Number.POSITIVE_INFINITY;
  #block: { readonly begin: () => void; readonly released: Promise<void> } | undefined;

  /** The next call begins, and ends when it is released. */
  blocked(): { readonly begun: Promise<void>; readonly release: () => void } {
    const begun = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    this.#block = { begin: begun.resolve, released: released.promise };
    return { begun: begun.promise, release: released.resolve };
  }

  async encode(sentences: readonly string[]) {
    const block = this.#block;
    this.#block = undefined;
    block?.begin();
    await block?.released;
    if (this.callsLeft-- <= 0) throw new EncoderUnavailable("the encoder's process ended (SIGKILL)");
    this.encoded.push(...sentences);
    const values = Float32Array.from({ length: sentences.length * DIMENSIONS }, (_, at) => Math.sin(at));
    return { dimensions: DIMENSIONS, values };
  }

  async nearest({ values }: { values: Float32Array }) {
    return Array.from({ length: values.length / DIMENSIONS }, (_, at) => [{ centroid: at % 7, cosine: 0.5 }]);
  }

  async close() {}
}
