import { expect } from "chai";
import {
  boxAround,
  cornersOf,
  joinBoxes,
  type PagePiece,
  sideOf,
  stack,
} from "../../../../src/web/browser/report/page-places.ts";

const FONTS = { f: { fontFamily: "monospace", ascent: 0.8, descent: -0.2 } };

/** Every letter is as wide as the others. */
const measure = (text: string) => text.length;

function piece(transform: readonly number[], more: Partial<PagePiece["item"]> = {}): PagePiece {
  const item = {
    str: "0123456789",
    transform,
    width: 100,
    height: 10,
    hasEOL: false,
    dir: "ltr",
    fontName: "f",
  };
  return { start: 50, end: 60, page: 0, item: { ...item, ...more } };
}

const boxOf = (of: PagePiece, start: number, end: number) =>
  boxAround(cornersOf(of, { start, end }, FONTS, measure));

describe("the places of a text on a page", () => {
  it("are those of the letters within their piece", () => {
    const placed = piece([10, 0, 0, 10, 30, 700]);
    expect(boxOf(placed, 50, 60)).to.deep.equal({ left: 30, right: 130, top: 698, bottom: 708 });
    expect(boxOf(placed, 52, 55)).to.deep.equal({ left: 50, right: 80, top: 698, bottom: 708 });
  });

  it("follow text that runs upwards, and text from right to left", () => {
    const up = boxOf(piece([0, 10, -10, 0, 30, 100]), 50, 55);
    expect(up).to.deep.equal({ left: 22, right: 32, top: 100, bottom: 150 });
    const hebrew = boxOf(piece([10, 0, 0, 10, 30, 700], { dir: "rtl" }), 50, 52);
    expect(hebrew).to.deep.include({ left: 110, right: 130 });
  });

  it("are joined along a line, not over the gap between columns or to the next line", () => {
    const box = (left: number, top: number) => ({ left, right: left + 40, top, bottom: top + 10 });
    expect(joinBoxes([box(0, 0), box(45, 1), box(120, 0), box(0, 12)])).to.deep.equal([
      { left: 0, right: 85, top: 0, bottom: 11 },
      box(120, 0),
      box(0, 12),
    ]);
  });
});

describe("the side of a page where a number stands", () => {
  const line = (left: number, right: number) => ({ left, right, top: 0, bottom: 10 });
  it("is that of its own column, and the left one for a text of one column", () => {
    expect(sideOf([line(50, 290), line(50, 120)], 612)).to.equal("left");
    expect(sideOf([line(320, 560), line(320, 400)], 612)).to.equal("right");
    expect(sideOf([line(50, 290), line(320, 560)], 612)).to.equal("left");
    expect(sideOf([line(400, 555), line(90, 555), line(90, 120)], 612)).to.equal("left");
  });
});

describe("places along a line", () => {
  it("are kept where they are free, and moved behind the place before where they are not", () => {
    const ranges = [10, 12, 20, 60].map((start) => ({ start, length: 10 }));
    expect(stack(ranges)).to.deep.equal([10, 20, 30, 60]);
  });
});
