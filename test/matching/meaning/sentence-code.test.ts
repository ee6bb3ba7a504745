import { expect } from "chai";
import { CodeCosines, codeBytes, writeSentenceCode } from "../../../src/matching/meaning/sentence-code.ts";

/** A vector of length 1 whose dimensions look random and are always the same. */
function vectorOf(seed: number, dimensions = 512): Float32Array {
  const values = Float32Array.from(
    { length: dimensions },
    (_, at) => Math.sin((at + 1) * (seed + 1) * 12.9898) % 1,
  );
  const length = Math.hypot(...values);
  return values.map((value) => value / length);
}

const mix = (a: Float32Array, b: Float32Array, share: number): Float32Array => {
  const mixed = a.map((value, at) => value * share + (b[at] ?? 0) * (1 - share));
  const length = Math.hypot(...mixed);
  return mixed.map((value) => value / length);
};

describe("the code of a sentence", () => {
  const mean = new Float32Array(512);

  for (const dimensions of [64, 100, 384, 512, 1536])
    it(`keeps the order of cosines of ${dimensions} dimensions`, () => {
      const query = vectorOf(1, dimensions);
      const shares = [1, 0.8, 0.6, 0.4, 0];
      const bytes = codeBytes(dimensions);
      const codes = new Uint8Array(shares.length * bytes);
      for (const [at, share] of shares.entries())
        writeSentenceCode(mix(query, vectorOf(2, dimensions), share), mean, codes, at * bytes);
      const cosines = new CodeCosines(query, mean, { scale: 0.06, offset: 0 });
      const estimates = shares.map((_, at) => cosines.of(codes, at * bytes));
      expect(estimates).to.deep.equal(estimates.toSorted((a, b) => b - a));
    });

  it("takes a bit for each dimension, up to 416", () => {
    expect([64, 100, 384, 416, 512, 1536].map(codeBytes)).to.deep.equal([8, 12, 48, 52, 52, 52]);
  });

  it("takes the mean vector into account", () => {
    const shifted = vectorOf(3);
    const codes = new Uint8Array(codeBytes(512));
    writeSentenceCode(shifted, shifted, codes, 0);
    expect([...codes].every((byte) => byte === 0)).to.equal(true);
    const cosines = new CodeCosines(shifted, shifted, { scale: 0.06, offset: -0.03 });
    expect(cosines.of(codes, 0)).to.be.closeTo(0.97, 0.001);
  });
});
