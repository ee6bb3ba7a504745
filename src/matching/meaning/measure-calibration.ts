import type { Centroids, NearCentroid } from "./centroids.ts";
import { type Calibration, meanOf } from "./meaning-model.ts";
import { CodeCosines, codeBytes, writeSentenceCode } from "./sentence-code.ts";

/** A smaller spread is rounding. Cosines of e5 models, which lie closest together, have .09. */
const SPREAD_MIN = 0.001;

/** Sentences of a corpus, and their neighbours among sentences of other documents. */
type CalibrationSample = {
  readonly queries: Centroids;
  /** Sentences of documents that no query comes from. */
  readonly others: Centroids;
  /** The mean of the model's centroids. */
  readonly mean: Float32Array;
  /** For each query its `BACKGROUND_CENTROIDS` nearest centroids, which were not made of it. */
  readonly nearestCentroids: readonly (readonly NearCentroid[])[];
  /** For each query its nearest others, at least `neighboursOf(others)`. */
  readonly nearestOthers: readonly (readonly NearCentroid[])[];
};

/** The built-in model's background is the mean of the 20 highest cosines among 59,418 sentences. */
const NEIGHBOUR_SHARE = 20 / 59_418;

/** The number of neighbours that corresponds to 20 in the sample corpus: a background must not depend on the sample's size. */
export function neighboursOf(sentences: number): number {
  return Math.max(1, Math.round(sentences * NEIGHBOUR_SHARE));
}

/**
 * How much nearer than any sentence the nearest of another document are, on average, with the built-in model. Measured as here
 * on the sample corpus.
 */
const SPREAD_OF_BUILT_IN = 0.38;

/** Near and random sentences with which a query's code is compared. */
const PAIRS_OF_QUERY = 8;

/**
 * Measures the calibration of a model: its background, the scale of its codes and the scale of its margins. There are no examples of
 * reuse, so the scale of the margins follows from chance: sentences of unrelated texts and of texts on one subject get the same margins
 * as with the built-in model, so the same thresholds give as few errors. @throws Error for vectors that don't differ.
 */
export function measureCalibration(sample: CalibrationSample): Calibration {
  const { queries, others, nearestCentroids, nearestOthers } = sample;
  const neighbours = neighboursOf(others.values.length / others.dimensions);
  const backgrounds = nearestOthers.map((near) => meanCosine(near.slice(0, neighbours)));
  const { slope, base } = fitLine(nearestCentroids.map(meanCosine), backgrounds);
  const chance = dotOf(meanOf(queries), meanOf(others));
  const spread = mean(backgrounds) - chance;
  if (!(spread > SPREAD_MIN)) throw new Error("the vectors of the model do not tell sentences apart");
  return {
    background: { base, slope },
    code: fitCode(sample),
    marginScale: SPREAD_OF_BUILT_IN / spread,
  };
}

/** The scale by which codes give the cosines with the vectors that they stand for. */
function fitCode({ queries, others, mean, nearestOthers }: CalibrationSample): Calibration["code"] {
  const { dimensions } = queries;
  const total = others.values.length / dimensions;
  const code = new Uint8Array(codeBytes(dimensions));
  const [sums, cosines]: [number[], number[]] = [[], []];
  for (const [at, near] of nearestOthers.entries()) {
    const vector = rowOf(queries, at);
    const withMean = dotOf(vector, mean);
    const codeCosines = new CodeCosines(vector, mean, { scale: 1, offset: -withMean });
    const random = Array.from({ length: PAIRS_OF_QUERY }, (_, step) => {
      const other = (at * PAIRS_OF_QUERY + step) * RANDOM_STEP;
      return other % total;
    });
    for (const other of [...near.slice(0, PAIRS_OF_QUERY).map(({ centroid }) => centroid), ...random]) {
      const otherVector = rowOf(others, other);
      writeSentenceCode(otherVector, mean, code, 0);
      sums.push(codeCosines.of(code, 0));
      cosines.push(dotOf(vector, otherVector) - withMean);
    }
  }
  const { slope, base } = fitLine(sums, cosines);
  return { scale: slope, offset: base };
}

/** A large prime, whose multiples are spread over all sentences. */
const RANDOM_STEP = 1_000_003;

/** Least squares: `y = base + slope · x`. */
function fitLine(
  x: readonly number[],
  y: readonly number[],
): { readonly base: number; readonly slope: number } {
  const [meanX, meanY] = [mean(x), mean(y)];
  let [products, squares] = [0, 0];
  for (const [at, value] of x.entries()) {
    products += (value - meanX) * ((y[at] ?? 0) - meanY);
    squares += (value - meanX) ** 2;
  }
  const slope = squares === 0 ? 0 : products / squares;
  return { slope, base: meanY - slope * meanX };
}

function meanCosine(near: readonly NearCentroid[]): number {
  return mean(near.map(({ cosine }) => cosine));
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

function rowOf({ dimensions, values }: Centroids, row: number): Float32Array {
  return values.subarray(row * dimensions, (row + 1) * dimensions);
}

function dotOf(x: Float32Array, y: Float32Array): number {
  return x.reduce((sum, value, at) => sum + value * (y[at] ?? 0), 0);
}
