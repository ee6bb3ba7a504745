import { expect } from "chai";
import { compareWords } from "../../../measure/files/compare-words.ts";

describe("compareWords", () => {
  it("counts lost, added and moved words", () => {
    expect(compareWords("one two four three five", "one two three four six")).to.deep.equal({
      words: 5,
      lost: 1,
      added: 1,
      moved: 2,
    });
  });

  it("compares words without case, ligatures and hyphens at the end of a line", () => {
    expect(compareWords("An efficient method", "an e\ufb03-\ncient\nMETHOD")).to.deep.equal({
      words: 3,
      lost: 0,
      added: 0,
      moved: 0,
    });
  });
});
