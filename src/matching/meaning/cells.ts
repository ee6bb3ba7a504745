import { type Centroids, dot, greatest, type NearCentroid } from "./centroids.ts";

/** Directions in which the sentences of a centroid may lie from it. */
export const DIRECTIONS = 64;

/** How far the centre of a cell lies from its centroid. */
const CELL_DISTANCE = 0.6;

/** The term of a cell: one of another generation never matches. */
export function meaningTerm(generation: number, cell: number): string {
  return `${generation}:${cell}`;
}

/** A cell and the cosine of a vector with its centre. */
type NearCell = { readonly cell: number; readonly cosine: number };

/**
 * The cells into which the sentences of each centroid are divided: a few thousand centroids make a quarter of a million cells, as
 * in a multi-index (Babenko & Lempitsky, 2012). The centre of a cell is its centroid moved in one of `DIRECTIONS`, which point
 * from the mean of all centroids to evenly spread ones. Sentences of one meaning are nearly always in the same or in neighbouring
 * cells; others of the same centroid seldom are.
 */
export class Cells {
  readonly #centroids: Centroids;
  readonly #directions: Float32Array;
  /** 1 / the length of the centre of each cell, for the centroids that were needed so far. */
  readonly #scales = new Map<number, Float32Array>();

  constructor(centroids: Centroids, mean: Float32Array) {
    this.#centroids = centroids;
    this.#directions = directionsOf(centroids, mean);
  }

  /** The nearest cells of a vector among the cells of some centroids, nearest first. */
  nearest(vector: Float32Array, centroids: readonly NearCentroid[], count: number): NearCell[] {
    const { dimensions } = this.#centroids;
    const along = new Float32Array(DIRECTIONS);
    for (let at = 0; at < DIRECTIONS; at++)
      along[at] = dot(vector, this.#directions, at * dimensions, dimensions);
    const cosines = new Float64Array(centroids.length * DIRECTIONS);
    for (const [place, { centroid, cosine }] of centroids.entries()) {
      const scales = this.#scalesOf(centroid);
      for (let at = 0; at < DIRECTIONS; at++)
        cosines[place * DIRECTIONS + at] = (cosine + (along[at] ?? 0)) * (scales[at] ?? 0);
    }
    return greatest(cosines.length, (at) => cosines[at] ?? 0, count).map(({ centroid: at, cosine }) => ({
      cell: (centroids[Math.floor(at / DIRECTIONS)]?.centroid ?? 0) * DIRECTIONS + (at % DIRECTIONS),
      cosine,
    }));
  }

  #scalesOf(centroid: number): Float32Array {
    const known = this.#scales.get(centroid);
    if (known !== undefined) return known;
    const { dimensions, values } = this.#centroids;
    const vector = values.subarray(centroid * dimensions, (centroid + 1) * dimensions);
    const scales = new Float32Array(DIRECTIONS);
    for (let at = 0; at < DIRECTIONS; at++) {
      const along = dot(vector, this.#directions, at * dimensions, dimensions);
      scales[at] = 1 / Math.sqrt(1 + 2 * along + CELL_DISTANCE ** 2);
    }
    this.#scales.set(centroid, scales);
    return scales;
  }
}

/** Evenly spread centroids less the mean, each `CELL_DISTANCE` long. */
function directionsOf({ dimensions, values }: Centroids, mean: Float32Array): Float32Array {
  const count = values.length / dimensions;
  const directions = new Float32Array(DIRECTIONS * dimensions);
  for (let at = 0; at < DIRECTIONS; at++) {
    const from = Math.floor((at * count) / DIRECTIONS) * dimensions;
    const own = directions.subarray(at * dimensions, (at + 1) * dimensions);
    for (let d = 0; d < dimensions; d++) own[d] = (values[from + d] ?? 0) - (mean[d] ?? 0);
    const scale = CELL_DISTANCE / (Math.sqrt(dot(own, own, 0, dimensions)) || 1);
    for (let d = 0; d < dimensions; d++) own[d] = (own[d] ?? 0) * scale;
  }
  return directions;
}
