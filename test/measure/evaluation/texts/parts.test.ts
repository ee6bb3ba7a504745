import { expect } from "chai";
import type { TextPair } from "../../../../measure/evaluation/texts/pan-corpus.ts";
import { everyKthPair, everyKthText, pairsOfPart } from "../../../../measure/evaluation/texts/parts.ts";

const PAIRS: readonly TextPair[] = Array.from({ length: 900 }, (_, at) => ({
  className: at < 300 ? "01-clean" : "02-copied",
  queryName: `susp${Math.floor(at / 3)}.txt`,
  sourceName: `src${at}.txt`,
  cases: [],
}));

describe("the parts of a corpus", () => {
  it("divides the suspicious texts between tuning and checking, about two to one", () => {
    const tune = pairsOfPart(PAIRS, "tune", true);
    const check = pairsOfPart(PAIRS, "check", true);
    expect([...tune, ...check]).to.have.members([...pairsOfPart(PAIRS, "all", true)]);
    expect(check.length).to.be.within(250, 350);
    const tuneTexts = new Set(tune.map(({ queryName }) => queryName));
    expect(check.filter(({ queryName }) => tuneTexts.has(queryName))).to.deep.equal([]);
  });

  it("holds out for the engine a part of the texts that are held out for alignment", () => {
    const ofEngine = pairsOfPart(PAIRS, "check", false);
    expect(ofEngine.length).to.be.within(60, 140);
    expect(pairsOfPart(PAIRS, "check", true)).to.include.members([...ofEngine]);
  });

  it("divides by the MD5 of the name, the same on every machine", () => {
    const heldOut = (name: string, alignsOnly: boolean) =>
      pairsOfPart(
        [{ className: "01-clean", queryName: name, sourceName: "src1.txt", cases: [] }],
        "check",
        alignsOnly,
      ).length;
    // The remainders modulo 3 of the first 32 bits and of the whole hash, computed by another program.
    // susp1.txt: b6e05cbe76f27e5c4b1035165a7c39d7 gives 1 and 1.
    expect([heldOut("susp1.txt", true), heldOut("susp1.txt", false)]).to.deep.equal([0, 0]);
    // susp5.txt: f0bd3beff3168337b22f588c70d742cf gives 1 and 2.
    expect([heldOut("susp5.txt", true), heldOut("susp5.txt", false)]).to.deep.equal([0, 0]);
    // susp3.txt: 225512fdc362f5f4f3e7ac1624f59c49 gives 0 and 1.
    expect([heldOut("susp3.txt", true), heldOut("susp3.txt", false)]).to.deep.equal([1, 0]);
    // susp2.txt: 064742f17570f9d7f63547ea6f1610fb gives 0 and 2.
    expect([heldOut("susp2.txt", true), heldOut("susp2.txt", false)]).to.deep.equal([1, 1]);
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

  it("contains whole texts if texts are counted", () => {
    const some = everyKthText(PAIRS, 10);
    expect(new Set(some.map(({ queryName }) => queryName)).size).to.equal(10);
    expect(some).to.have.length(30);
  });
});
