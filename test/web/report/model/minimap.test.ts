import { expect } from "chai";
import fc from "fast-check";
import { matchedTenths } from "../../../../src/web/browser/report/model/matched-tenths.ts";
import { minimapBands } from "../../../../src/web/browser/report/model/minimap-bands.ts";
import { numberedSources, placedPassages } from "../../../../src/web/browser/report/model/passages.ts";
import { blockSegments } from "../../../../src/web/browser/report/model/segments.ts";
import { wireSource } from "./wire-report.ts";

function segmentsOf(length: number, ...sources: (readonly (readonly [number, number])[])[]) {
  const report = { sources: sources.map((places, index) => wireSource(String(index + 1), places)) };
  const passages = placedPassages(report, numberedSources(report));
  return blockSegments([{ start: 0, end: length }], { passages, flags: [], leftOut: [], unique: [] }).flat();
}

describe("the map of a text", () => {
  it("shows in each row the source with most text there, equal rows as one band", () => {
    const segments = segmentsOf(1_000, [[0, 250]], [[240, 290]]);
    expect(minimapBands(segments, 1_000, 10)).to.deep.equal([{ top: 0, rows: 3, source: 1 }]);
    expect(minimapBands(segments, 1_000, 100).at(-1)).to.deep.equal({ top: 25, rows: 4, source: 2 });
  });

  it("has no match outside its rows, and none is missing", () => {
    const place = fc
      .tuple(fc.integer({ min: 0, max: 996 }), fc.integer({ min: 1, max: 300 }))
      .map(([start, length]): [number, number] => [start, Math.min(997, start + length)]);
    fc.assert(
      fc.property(
        fc.array(place, { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 1, max: 50 }),
        (places, rows) => {
          const bands = minimapBands(segmentsOf(997, places), 997, rows);
          for (const { top, rows: high } of bands) expect(top + high).to.be.at.most(rows);
          for (const [start, end] of places) {
            const middle = Math.floor(((start + end) / 2 / 997) * rows);
            expect(bands.some(({ top, rows: high }) => top <= middle && middle < top + high)).to.equal(true);
          }
        },
      ),
      { seed: 9 },
    );
  });

  it("says the same in words: how much of each tenth is matched", () => {
    expect(matchedTenths(segmentsOf(1_000, [[50, 200]], [[150, 175]]), 1_000)).to.deep.equal([
      50, 100, 0, 0, 0, 0, 0, 0, 0, 0,
    ]);
    expect(matchedTenths([], 0)).to.deep.equal(Array(10).fill(0));
  });
});
