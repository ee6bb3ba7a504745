import { expect } from "chai";
import fc from "fast-check";

import { joinTextItems, type TextItem } from "../../../../src/platform/extract/pdf/page-text.ts";

/** A piece of 10-point text at `x`, `y`, as wide as given, turned by `degrees` around the page's corner. */
function item(str: string, x: number, y: number, width: number, degrees = 0): TextItem {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  const place = [x * cos - y * sin, x * sin + y * cos];
  const transform = [10 * cos, 10 * sin, -10 * sin, 10 * cos, ...place];
  return { str, transform, width, height: 10, hasEOL: false };
}

describe("joinTextItems", () => {
  it("joins what stands close together, and keeps cells and lines apart", () => {
    const items = [
      item("one", 0, 700, 20),
      item(" two", 20, 700, 20),
      item("cell", 90, 700, 20),
      item("below", 0, 686, 20),
      item("2", 20, 691, 4), // a superscript
    ];
    expect(joinTextItems(items)).to.equal("one two\tcell\nbelow2");
  });

  it("divides text that is drawn over other text", () => {
    expect(joinTextItems([item("first", 0, 700, 60), item("second", 0, 700, 60)])).to.equal("first\tsecond");
  });

  it("trusts the line ends that are marked", () => {
    const items = [{ ...item("one", 0, 700, 20), hasEOL: true }, item("two", 0, 600, 20)];
    expect(joinTextItems(items)).to.equal("one\ntwo");
  });

  it("begins a line where the direction changes", () => {
    expect(joinTextItems([item("across", 0, 0, 30), item("up", 0, -30, 10, 90)])).to.equal("across\nup");
  });

  it("reads the same at any angle", () => {
    const place = fc.record({ x: fc.nat(50), y: fc.nat(50), width: fc.integer({ min: 1, max: 30 }) });
    fc.assert(
      fc.property(fc.array(place), fc.integer({ min: 1, max: 359 }), (places, degrees) => {
        // Halves keep every distance away from the thresholds, which rounding would blur.
        const turned = (angle: number) =>
          places.map(({ x, y, width }, i) =>
            item(String(i), x * 3 + 0.5, y * 3 + 0.5, width * 3 + 0.25, angle),
          );
        expect(joinTextItems(turned(degrees))).to.equal(joinTextItems(turned(0)));
      }),
      { seed: 5, numRuns: 200 },
    );
  });
});
