import { expect } from "chai";
import fc from "fast-check";
import { blockLines, textBlocks } from "../../../src/web/browser/shared/text-blocks.ts";

/** A combining mark of two UTF-16 units. */
const ASTRAL_MARK = "\u{1E944}";

const cut = (text: string) => textBlocks(text).map(({ start, end }) => text.slice(start, end));

describe("the blocks of a long text", () => {
  it("cover the text without gaps, none too long or empty, and cut no character", () => {
    const bits = fc.constantFrom(
      "a",
      "word ",
      "line\n",
      "\n\n",
      "End. ",
      "👩🏽‍🎓",
      "e\u0301",
      "漢",
      "\r\n",
      "كِتاب ",
    );
    fc.assert(
      fc.property(
        fc.array(bits, { maxLength: 40 }),
        fc.integer({ min: 1, max: 1_000 }),
        fc.constantFrom(2_000, 4_000),
        (parts, times, charsMax) => {
          const text = parts.join("").repeat(times).slice(0, 30_000);
          const blocks = textBlocks(text, charsMax);
          let at = 0;
          for (const { start, end } of blocks) {
            expect(start).to.equal(at);
            expect(end - start).to.be.within(1, charsMax);
            at = end;
          }
          expect(at).to.equal(text.length);
          for (const { start, end } of blocks.slice(0, -1))
            expect(text.slice(start, end).isWellFormed()).to.equal(true);
        },
      ),
      { seed: 7, numRuns: 200 },
    );
  });

  it("end after a blank line if there is one, otherwise a line, a sentence or a word", () => {
    const ends = (unit: string) =>
      cut(unit.repeat(Math.ceil(9_000 / unit.length)))
        .slice(0, -1)
        .map((block) => block.slice(-3));
    expect(new Set(ends(`${"word ".repeat(30)}end.\n\n`))).to.deep.equal(new Set([".\n\n"]));
    expect(new Set(ends(`${"word ".repeat(30)}end.\n`))).to.deep.equal(new Set(["d.\n"]));
    expect(new Set(ends(`${"word ".repeat(30)}end. `))).to.deep.equal(new Set(["d. "]));
    expect(new Set(ends("word "))).to.deep.equal(new Set(["rd "]));
    expect(new Set(ends("漢字仮名交じり文である。"))).to.deep.equal(new Set(["ある。"]));
  });

  it("cut 100,000 emoji between two of them, and stacked marks between code points", () => {
    for (const block of cut("👩🏽‍🎓".repeat(14_286))) expect(block).to.match(/^(?:👩🏽‍🎓)+$/u);
    expect(cut(`a${"\u0301".repeat(9_000)}`).join("")).to.have.length(9_001);
    for (const letters of ["a", "ab"])
      for (const block of cut(letters + ASTRAL_MARK.repeat(9_000)))
        expect(block.isWellFormed()).to.equal(true);
  });

  it("have more estimated lines with more text and narrower lines", () => {
    const text = `${"x".repeat(400)}\n\n${"漢".repeat(100)}`;
    const whole = { start: 0, end: text.length };
    expect(blockLines(text, whole, 40)).to.equal(5 + 1 + 3);
    expect(blockLines(text, whole, 20)).to.be.above(blockLines(text, whole, 40));
    expect(blockLines(text, { start: 0, end: 1 }, 40)).to.equal(1);
  });
});
