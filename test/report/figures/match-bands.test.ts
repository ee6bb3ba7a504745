import { expect } from "chai";
import fc from "fast-check";
import { matchBands, matchedTenths } from "../../../src/report/figures/match-bands.ts";

const matched = (source: number, start: number, end: number) => ({ source, start, end });

describe("the map of a text", () => {
  it("shows in each row the source with most text, and joins equal rows to one band", () => {
    const spans = [matched(1, 0, 250), matched(2, 250, 290)];
    expect(matchBands(spans, 1_000, 10)).to.deep.equal([{ top: 0, rows: 3, source: 1 }]);
    expect(matchBands(spans, 1_000, 100).at(-1)).to.deep.equal({ top: 25, rows: 4, source: 2 });
  });

  it("contains every match, and none outside its rows", () => {
    const span = fc
      .tuple(fc.integer({ min: 0, max: 996 }), fc.integer({ min: 1, max: 300 }))
      .map(([start, length]) => matched(1, start, Math.min(997, start + length)));
    fc.assert(
      fc.property(
        fc.array(span, { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 1, max: 50 }),
        (spans, rows) => {
          const bands = matchBands(spans, 997, rows);
          for (const { top, rows: height } of bands) expect(top + height).to.be.at.most(rows);
          for (const { start, end } of spans) {
            const middle = Math.floor(((start + end) / 2 / 997) * rows);
            expect(bands.some(({ top, rows: height }) => top <= middle && middle < top + height)).to.equal(
              true,
            );
          }
        },
      ),
      { seed: 9 },
    );
  });

  it("is given in words as the matched share of each tenth", () => {
    expect(matchedTenths([matched(1, 50, 200)], 1_000)).to.deep.equal([50, 100, 0, 0, 0, 0, 0, 0, 0, 0]);
    expect(matchedTenths([], 0)).to.deep.equal(Array(10).fill(0));
  });
});
