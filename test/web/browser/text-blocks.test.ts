import { expect } from "chai";
import fc from "fast-check";
import { likelyLines, textBlocks } from "../../../src/web/browser/corpus/text-blocks.ts";

/** Twice as much as the largest block. */
const LONG = 16_000;

describe("a long text in blocks", () => {
  it("loses nothing and parts no character, whatever the text is made of", () => {
    const units = fc.constantFrom("a", "word ", "line\n", "👩🏽‍🎓", "é", "漢", "\r\n", " ");
    fc.assert(
      fc.property(fc.array(units, { maxLength: 40 }), fc.integer({ min: 1, max: 2_000 }), (parts, times) => {
        const text = parts
          .join("")
          .repeat(times)
          .slice(0, 5 * LONG);
        const blocks = textBlocks(text);
        expect(blocks.join("")).to.equal(text);
        for (const block of blocks.slice(0, -1)) expect(block.isWellFormed()).to.equal(true);
      }),
      { seed: 1, numRuns: 200 },
    );
  });

  it("cuts at the end of a line where there is one, else after a space", () => {
    const lines = textBlocks(`${"x".repeat(70)}\n`.repeat(500));
    expect(lines).to.have.length.above(5);
    for (const block of lines) expect(block).to.match(/\n$/);
    const words = textBlocks("word ".repeat(LONG)).slice(0, -1);
    for (const block of words) expect(block).to.match(/ $/);
  });

  it("cuts a single word of any length too", () => {
    for (const block of textBlocks("👍".repeat(LONG)))
      expect(block.length)
        .to.be.within(1, 8_001)
        .and.satisfy((length: number) => length % 2 === 0);
  });

  it("has no block for no text", () => {
    expect(textBlocks("")).to.deep.equal([]);
  });

  it("guesses more lines for more text", () => {
    expect(likelyLines("one\ntwo\n")).to.equal(2);
    expect(likelyLines("one\n\ntwo")).to.equal(3);
    expect(likelyLines("x".repeat(850))).to.equal(10);
  });
});
