import { codeBytes, writeSentenceCode } from "../../../src/matching/meaning/sentence-code.ts";

export const DIMENSIONS = 64;

/** A model whose sentences all have the same background. */
export const MODEL = {
  mean: new Float32Array(DIMENSIONS),
  calibration: { background: { base: 0.1, slope: 0 }, code: { scale: 0.06, offset: 0 }, marginScale: 1 },
};

/** The vector of a made-up sentence; those of two seeds have little in common. */
export function vectorOf(seed: number): Float32Array {
  const values = Float32Array.from({ length: DIMENSIONS }, (_, at) => Math.sin(seed * 97 + at * at * 13));
  const length = Math.hypot(...values);
  return values.map((value) => value / length);
}

export function codeOf(vector: Float32Array): Uint8Array {
  const code = new Uint8Array(codeBytes(DIMENSIONS));
  writeSentenceCode(vector, MODEL.mean, code, 0);
  return code;
}
