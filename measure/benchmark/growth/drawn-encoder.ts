import type { SentenceEncoder, SentenceVectors } from "../../../src/matching/encoder/sentence-encoder.ts";
import type { NearCentroid } from "../../../src/matching/meaning/centroids.ts";
import { BACKGROUND_CENTROIDS, type MeaningModel } from "../../../src/matching/meaning/meaning-model.ts";
import { mulberry32 } from "../../../test/support/work/prose.ts";

/** Different blends; at a million chunks each stands for some 100 sentences, which differ by their noise. */
const BLENDS = 80_000;

/** The sentences of articles that are mixed in a blend. */
const BLENDED = 3;

/** The length of the noise that is added to a blend of length 1. */
const NOISE = 0.3;

/** Real sentences, encoded. */
export type EncodedSentences = {
  readonly sentences: readonly string[];
  readonly vectors: SentenceVectors;
  readonly nearest: readonly NearCentroid[][];
};

/**
 * Gives real sentences the vectors that they have, and all others vectors that are drawn: blends of three real ones with some
 * noise, each with the nearest centroids of its blend. It takes a hundredth of the time of encoding them, and their
 * neighbourhoods are about as dense as around real sentences.
 */
export class DrawnEncoder implements SentenceEncoder {
  readonly model: string;
  readonly #real: EncodedSentences;
  readonly #realAt: ReadonlyMap<string, number>;
  readonly #blends: SentenceVectors;
  readonly #nearestOfBlends: readonly NearCentroid[][];
  /** Of vectors that were given. */
  readonly #nearestOf = new WeakMap<Float32Array, NearCentroid[][]>();
  readonly #random = mulberry32(23);

  private constructor(
    model: string,
    real: EncodedSentences,
    blends: SentenceVectors,
    nearestOfBlends: readonly NearCentroid[][],
  ) {
    this.model = model;
    this.#real = real;
    this.#realAt = new Map(real.sentences.map((sentence, at) => [sentence, at]));
    this.#blends = blends;
    this.#nearestOfBlends = nearestOfBlends;
  }

  static async open(
    encoder: SentenceEncoder,
    { centroids }: MeaningModel,
    real: EncodedSentences,
  ): Promise<DrawnEncoder> {
    const blends = blendsOf(real.vectors);
    const nearest = await encoder.nearest(blends, centroids, BACKGROUND_CENTROIDS, "corpus");
    return new DrawnEncoder(encoder.model, real, blends, nearest);
  }

  async encode(sentences: readonly string[]): Promise<SentenceVectors> {
    const { dimensions } = this.#blends;
    const values = new Float32Array(sentences.length * dimensions);
    const nearest = sentences.map((sentence, at) => {
      const real = this.#realAt.get(sentence);
      if (real === undefined) return this.#draw(values, at * dimensions);
      values.set(rowOf(this.#real.vectors, real), at * dimensions);
      return this.#real.nearest[real] ?? [];
    });
    this.#nearestOf.set(values, nearest);
    return { dimensions, values };
  }

  async nearest({ values }: SentenceVectors): Promise<NearCentroid[][]> {
    return this.#nearestOf.get(values) ?? [];
  }

  async close(): Promise<void> {}

  #draw(values: Float32Array, base: number): NearCentroid[] {
    const { dimensions } = this.#blends;
    const blend = Math.floor(this.#random() * BLENDS);
    const vector = rowOf(this.#blends, blend);
    // Uniform noise between -step and step has a variance of step² / 3.
    const step = NOISE * Math.sqrt(3 / dimensions);
    for (let at = 0; at < dimensions; at++)
      values[base + at] = (vector[at] ?? 0) + step * (2 * this.#random() - 1);
    return this.#nearestOfBlends[blend] ?? [];
  }
}

function blendsOf(vectors: SentenceVectors): SentenceVectors {
  const { dimensions } = vectors;
  const count = vectors.values.length / dimensions;
  const random = mulberry32(17);
  const values = new Float32Array(BLENDS * dimensions);
  for (let blend = 0; blend < BLENDS; blend++) {
    const of = values.subarray(blend * dimensions, (blend + 1) * dimensions);
    for (let part = 0; part < BLENDED; part++) {
      const weight = 0.5 + random();
      const vector = rowOf(vectors, Math.floor(random() * count));
      for (let at = 0; at < dimensions; at++) of[at] = (of[at] ?? 0) + weight * (vector[at] ?? 0);
    }
    const length = Math.hypot(...of);
    for (let at = 0; at < dimensions; at++) of[at] = (of[at] ?? 0) / length;
  }
  return { dimensions, values };
}

function rowOf({ dimensions, values }: SentenceVectors, row: number): Float32Array {
  return values.subarray(row * dimensions, (row + 1) * dimensions);
}
