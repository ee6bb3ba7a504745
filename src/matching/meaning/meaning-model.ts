import type { Cells } from "./cells.ts";
import type { Centroids } from "./centroids.ts";
import type { CodeScale } from "./sentence-code.ts";

/** General measurements of a model's vectors, taken once. Without them, cosines can't be interpreted. */
export type Calibration = {
  /** The background of a sentence is `base + slope · (the mean cosine with its nearest centroids)`. */
  readonly background: { readonly base: number; readonly slope: number };
  readonly code: CodeScale;
  /** The factor that makes margins comparable between models; 1 for the built-in one. */
  readonly marginScale: number;
};

/** A model whose vectors can be compared, with the generation of fingerprints that are made of them. */
export type MeaningModel = {
  readonly generation: number;
  readonly model: string;
  readonly centroids: Centroids;
  readonly mean: Float32Array;
  readonly cells: Cells;
  readonly calibration: Calibration;
  /** The vector of `PROBE`; empty for a model that nobody can replace. */
  readonly probe: readonly number[];
};

/** A sentence whose vector shows whether an encoder still has the model that it was calibrated with. */
export const PROBE = "The keeper carried oil up the stairs every evening.";

/** Centroids whose cosines make the background of a sentence. */
export const BACKGROUND_CENTROIDS = 20;

/** The mean of all centroids, which is the mean of the vectors with every subject counted once. */
export function meanOf({ dimensions, values }: Centroids): Float32Array {
  const mean = new Float32Array(dimensions);
  const count = values.length / dimensions;
  for (const [at, value] of values.entries()) {
    const dimension = at % dimensions;
    mean[dimension] = (mean[dimension] ?? 0) + value / count;
  }
  return mean;
}
