/** The package has these types, but its `exports` hide them from an ES module. */
declare module "cephes" {
  /** Resolves when the functions may be called: an ES module has them compiled from WebAssembly in the background. */
  export const compiled: Promise<void>;
  /** The regularised upper incomplete gamma function of `a` at `x`. */
  export function igamc(a: number, x: number): number;
  /** The `x` at which the regularised upper incomplete gamma function of `a` is `upperTail`. */
  export function igami(a: number, upperTail: number): number;
  /** The `x` at which the regularised incomplete beta function of `a` and `b` is `lowerTail`. */
  export function incbi(a: number, b: number, lowerTail: number): number;
  /** The natural logarithm of the gamma function. */
  export function lgam(x: number): number;
  /** The `x` below which the standard normal distribution has the probability `lowerTail`. */
  export function ndtri(lowerTail: number): number;
}
