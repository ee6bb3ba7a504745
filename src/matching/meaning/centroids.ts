/** Centres of sentence vectors, each of length 1, one after the other. */
export type Centroids = { readonly dimensions: number; readonly values: Float32Array };

/** The first centroids of spherical k-means: every n-th vector, so that the same vectors always give the same centroids. */
export function firstCentroids({ dimensions, values }: Centroids, count: number): Centroids {
  const total = values.length / dimensions;
  const first = new Float32Array(count * dimensions);
  for (let at = 0; at < count; at++) {
    const from = Math.floor((at * total) / count) * dimensions;
    first.set(values.subarray(from, from + dimensions), at * dimensions);
  }
  return { dimensions, values: first };
}

/**
 * One round of spherical k-means (Dhillon & Modha, 2001): each centroid moves to the mean direction of the vectors that it is
 * nearest to. @param nearest for each vector, the number of its centroid.
 */
export function movedCentroids(
  vectors: Centroids,
  nearest: readonly number[],
  centroids: Centroids,
): Centroids {
  const { dimensions } = vectors;
  const values = centroids.values.slice();
  const sums = new Float32Array(values.length);
  for (const [at, centroid] of nearest.entries()) {
    const [from, base] = [at * dimensions, centroid * dimensions];
    for (let d = 0; d < dimensions; d++)
      sums[base + d] = (sums[base + d] ?? 0) + (vectors.values[from + d] ?? 0);
  }
  for (let base = 0; base < values.length; base += dimensions) normalise(sums, values, base, dimensions);
  return { dimensions, values };
}

/** A centroid without a vector stays where it is. */
function normalise(sums: Float32Array, values: Float32Array, base: number, dimensions: number): void {
  let squares = 0;
  for (let d = 0; d < dimensions; d++) squares += (sums[base + d] ?? 0) ** 2;
  if (squares === 0) return;
  const length = Math.sqrt(squares);
  for (let d = 0; d < dimensions; d++) values[base + d] = (sums[base + d] ?? 0) / length;
}

export type NearCentroid = { readonly centroid: number; readonly cosine: number };

/** The nearest centroids of a vector, nearest first. It takes 2 ms for 4,096 centroids of 512 dimensions. */
export function nearestCentroids(
  vector: Float32Array,
  { dimensions, values }: Centroids,
  count: number,
): NearCentroid[] {
  const total = values.length / dimensions;
  return greatest(total, (centroid) => dot(vector, values, centroid * dimensions, dimensions), count);
}

/** The centroids with the greatest cosines among `total`, greatest first. */
export function greatest(
  total: number,
  cosineOf: (centroid: number) => number,
  count: number,
): NearCentroid[] {
  const centroids = new Int32Array(count);
  const cosines = new Float64Array(count);
  let found = 0;
  let least = Number.NEGATIVE_INFINITY;
  for (let centroid = 0; centroid < total; centroid++) {
    const cosine = cosineOf(centroid);
    if (found === count && cosine <= least) continue;
    let place = found < count ? found++ : count - 1;
    for (; place > 0 && (cosines[place - 1] ?? 0) < cosine; place--) {
      cosines[place] = cosines[place - 1] ?? 0;
      centroids[place] = centroids[place - 1] ?? 0;
    }
    cosines[place] = cosine;
    centroids[place] = centroid;
    least = cosines[found - 1] ?? least;
  }
  return Array.from({ length: found }, (_, at) => ({
    centroid: centroids[at] ?? 0,
    cosine: cosines[at] ?? 0,
  }));
}

/**
 * The dot product of a vector with the one that begins at `base`. Four parallel sums take half the time of one, since no addition
 * waits for the previous one.
 */
export function dot(vector: Float32Array, values: Float32Array, base: number, dimensions: number): number {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  for (let at = 0; at < dimensions; at += 4) {
    a += (vector[at] ?? 0) * (values[base + at] ?? 0);
    b += (vector[at + 1] ?? 0) * (values[base + at + 1] ?? 0);
    c += (vector[at + 2] ?? 0) * (values[base + at + 2] ?? 0);
    d += (vector[at + 3] ?? 0) * (values[base + at + 3] ?? 0);
  }
  return a + b + c + d;
}
