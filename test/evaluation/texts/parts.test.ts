import { expect } from "chai";
import type { TextPair } from "./pan-corpus.ts";
import { everyKthPair, everyKthText, pairsOfPart } from "./parts.ts";

const PAIRS: readonly TextPair[] = Array.from({ length: 900 }, (_, at) => ({
  className: at < 300 ? "01-clean" : "02-copied",
  queryName: `susp${Math.floor(at / 3)}.txt`,
  sourceName: `src${at}.txt`,
  cases: [],
}));

describe("the parts of a corpus", () => {
  it("divides the suspicious texts among tuning and checking, about two to one", () => {
    const tune = pairsOfPart(PAIRS, "tune");
    const check = pairsOfPart(PAIRS, "check");
    expect([...tune, ...check]).to.have.members([...pairsOfPart(PAIRS, "all")]);
    expect(check.length).to.be.within(250, 350);
    const tuneTexts = new Set(tune.map(({ queryName }) => queryName));
    expect(check.filter(({ queryName }) => tuneTexts.has(queryName))).to.deep.equal([]);
  });

  it("divides by the MD5 of the name, alike on every machine", () => {
    const heldOut = (name: string) =>
      pairsOfPart([{ className: "01-clean", queryName: name, sourceName: "src1.txt", cases: [] }], "check");
    // MD5 as other programs give it: 064742f17570f9d7f63547ea6f1610fb leaves 2 by 3, b6e05cbe76f27e5c4b1035165a7c39d7 leaves 1.
    expect(heldOut("susp2.txt")).to.have.length(1);
    expect(heldOut("susp1.txt")).to.have.length(0);
  });
});

describe("a part of the pairs", () => {
  it("is evenly spread and never larger than the limit", () => {
    for (const limit of [1, 7, 100, 899, 900, 5000]) {
      const some = everyKthPair(PAIRS, limit);
      expect(some.length).to.equal(Math.min(limit, PAIRS.length));
      const clean = some.filter(({ className }) => className === "01-clean").length;
      expect(clean / some.length).to.be.within(limit < 7 ? 0 : 0.2, limit < 7 ? 1 : 0.45);
    }
  });

  it("holds whole texts where texts are counted", () => {
    const some = everyKthText(PAIRS, 10);
    expect(new Set(some.map(({ queryName }) => queryName)).size).to.equal(10);
    expect(some).to.have.length(30);
  });
});
