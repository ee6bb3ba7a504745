import { expect } from "chai";
import fc from "fast-check";
import { inGroups } from "../../../src/platform/flow/concurrency.ts";

describe("groups of items", () => {
  it("keep the order, hold at most so many, and end where their sizes come to the limit", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(12)), async (sizes) => {
        const limits = { countMax: 4, sizeMax: 10, sizeOf: (size: number) => size };
        const groups = await Array.fromAsync(inGroups(sizes, limits));
        expect(groups.flat()).to.deep.equal(sizes);
        for (const group of groups) {
          expect(group.length).to.be.within(1, 4);
          const sum = group.reduce((total, size) => total + size, 0);
          expect(group.length === 1 || sum <= 10, String(group)).to.equal(true);
        }
      }),
      { seed: 4 },
    );
  });

  it("are as large as they may be", async () => {
    const limits = { countMax: 3, sizeMax: 10, sizeOf: (size: number) => size };
    expect(await Array.fromAsync(inGroups([1, 1, 1, 1, 9, 9, 20, 1], limits))).to.deep.equal([
      [1, 1, 1],
      [1, 9],
      [9],
      [20],
      [1],
    ]);
  });
});
