import { expect } from "chai";
import { betweenInsertions, insertions } from "../../../src/core/alignment/candidates.ts";

/** Scores of found (`x`), used-up (`o`) and missed (`.`) words. */
function scores(picture: string): Float64Array {
  return Float64Array.from(picture, (word) => (word === "x" ? 2 : word === "o" ? 0 : -0.7));
}

const found = "x".repeat(20);
const missed = ".".repeat(20);

describe("insertions", () => {
  it("are long spans of missed words, wherever they are", () => {
    expect(insertions(scores(found + missed + found))).to.deep.equal([{ start: 20, end: 40 }]);
    expect(insertions(scores(missed + found + missed))).to.deep.equal([
      { start: 0, end: 20 },
      { start: 40, end: 60 },
    ]);
  });

  it("may contain a few found words, such as common ones", () => {
    expect(insertions(scores(`${found}${"......x".repeat(6)}......${found}`))).to.deep.equal([
      { start: 20, end: 68 },
    ]);
  });

  it("are no edits: short stretches, or every other word", () => {
    for (const edited of [
      ".".repeat(14),
      "x.".repeat(40),
      "xx..".repeat(20),
      "..x".repeat(20),
      "oo....".repeat(9),
    ]) {
      expect(insertions(scores(found + edited + found)), edited).to.deep.equal([]);
    }
  });
});

describe("betweenInsertions", () => {
  it("gives the other spans, in places of the text", () => {
    expect(betweenInsertions(scores(found + missed + found), 100)).to.deep.equal([
      { start: 100, end: 120 },
      { start: 140, end: 160 },
    ]);
    expect(betweenInsertions(scores(found), 7)).to.deep.equal([{ start: 7, end: 27 }]);
    expect(betweenInsertions(scores(missed), 0)).to.deep.equal([]);
  });
});
