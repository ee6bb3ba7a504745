/** Dimensions of a sentence vector that its code keeps at most, one bit each. More would not fit the room that the stores may take. */
const CODE_BITS_MAX = 416;

/** The bytes of a sentence's code: 52, or fewer for vectors of less than 416 dimensions. */
export function codeBytes(dimensions: number): number {
  return Math.floor(Math.min(CODE_BITS_MAX, dimensions) / 8);
}

/**
 * Writes the code of a sentence: the signs of its vector's first dimensions after subtracting the mean vector.
 * Signs keep the angle between two vectors (Charikar, 2002); subtracting the mean makes them equally frequent.
 */
export function writeSentenceCode(
  vector: Float32Array,
  mean: Float32Array,
  codes: Uint8Array,
  at: number,
): void {
  const bytes = codeBytes(vector.length);
  for (let byte = 0; byte < bytes; byte++) {
    let bits = 0;
    for (let bit = 0; bit < 8; bit++) {
      const dimension = byte * 8 + bit;
      if ((vector[dimension] ?? 0) > (mean[dimension] ?? 0)) bits |= 1 << bit;
    }
    codes[at + byte] = bits;
  }
}

/**
 * Estimates the cosine of one vector with many codes: each half byte of a code looks up the sum of four dimensions.
 * It is the estimate of an unbiased sign code: `dot(x − mean, signs) · scale`, plus the contribution of the mean.
 */
export class CodeCosines {
  readonly #codeBytes: number;
  readonly #sums: Float32Array;
  readonly #offset: number;

  /** @param vector of length 1. */
  constructor(vector: Float32Array, mean: Float32Array, { scale, offset }: CodeScale) {
    let withMean = 0;
    for (let dimension = 0; dimension < vector.length; dimension++)
      withMean += (vector[dimension] ?? 0) * (mean[dimension] ?? 0);
    this.#offset = withMean + offset;
    this.#codeBytes = codeBytes(vector.length);
    const sums = new Float32Array(this.#codeBytes * 32);
    this.#sums = sums;
    for (let nibble = 0; nibble < this.#codeBytes * 2; nibble++) {
      const base = nibble * 16;
      for (let bit = 0; bit < 4; bit++) {
        const dimension = nibble * 4 + bit;
        const scaled = scale * ((vector[dimension] ?? 0) - (mean[dimension] ?? 0));
        sums[base] = (sums[base] ?? 0) - scaled;
      }
      // Each further bit doubles the sums that are there, with its dimension added instead of subtracted.
      for (let bit = 0; bit < 4; bit++) {
        const dimension = nibble * 4 + bit;
        const doubled = 2 * scale * ((vector[dimension] ?? 0) - (mean[dimension] ?? 0));
        for (let bits = 0; bits < 1 << bit; bits++)
          sums[base + bits + (1 << bit)] = (sums[base + bits] ?? 0) + doubled;
      }
    }
  }

  /** The estimated cosine with the code that begins at `at`. */
  of(codes: Uint8Array, at: number): number {
    const sums = this.#sums;
    const bytes = this.#codeBytes;
    let sum = this.#offset;
    for (let byte = 0; byte < bytes; byte++) {
      const bits = codes[at + byte] ?? 0;
      sum += (sums[byte * 32 + (bits & 15)] ?? 0) + (sums[byte * 32 + 16 + (bits >> 4)] ?? 0);
    }
    return sum;
  }
}

/** How sums of signed dimensions become cosines; fitted once for a model on pairs of its vectors. */
export type CodeScale = { readonly scale: number; readonly offset: number };
