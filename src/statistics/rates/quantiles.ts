import { compiled, igamc, igami, incbi, lgam, ndtri } from "cephes";

// Cephes (Moshier, 1989), against mpmath with 40 digits, for shapes from 1 to 100,000: off by at most 2.5e-11, relative.
// The other packages that were measured miss 1e-9: @stdlib's gamma quantile is off by 1.5e-4 above 0.5 from a shape of
// 1,000 on, and jStat's beta quantile by 1.4e-9.
await compiled;

/** The `x` below which a gamma distribution with this shape and the scale 1 has the probability `lowerTail`. */
export function gammaQuantile(shape: number, lowerTail: number): number {
  return shape < LARGE_SHAPE ? igami(shape, 1 - lowerTail) : largeGammaQuantile(shape, lowerTail);
}

/** The `x` below which a beta distribution has the probability `lowerTail`. */
export function betaQuantile(alpha: number, beta: number, lowerTail: number): number {
  return incbi(alpha, beta, lowerTail);
}

/** Of the shapes from 7,485 to 100,000, `igami` throws at one in 50: it begins its search where a step underflows. */
const LARGE_SHAPE = 5_000;

/** Newton's method from the approximation of Wilson and Hilferty (1931), which is right to six digits at such shapes. */
function largeGammaQuantile(shape: number, lowerTail: number): number {
  const ninth = 1 / (9 * shape);
  let x = shape * (1 - ninth + ndtri(lowerTail) * Math.sqrt(ninth)) ** 3;
  for (let step = 0; step < NEWTON_STEPS; step += 1) {
    const density = Math.exp((shape - 1) * Math.log(x) - x - lgam(shape));
    x += (igamc(shape, x) - (1 - lowerTail)) / density;
  }
  return x;
}

/** Each doubles the digits; from six, two are enough for all that a double holds. */
const NEWTON_STEPS = 3;
