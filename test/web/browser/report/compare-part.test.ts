import { expect } from "chai";
import { partFrom, partUntil } from "../../../../src/web/browser/report/compare-part.ts";
import { placedPassages } from "../../../../src/web/browser/report/passages.ts";
import { wireSource } from "./wire-report.ts";

function passageOf(start: number, end: number) {
  const report = { sources: [wireSource("1", [[start, end]])] };
  const [passage] = placedPassages(report);
  if (passage === undefined) throw new Error("the report has a passage");
  return passage;
}

describe("a passage that is compared part by part", () => {
  it("is one part if it is short", () => {
    const part = partFrom(passageOf(100, 400));
    expect(part).to.deep.equal({
      queryStart: 100,
      queryEnd: 400,
      sourceStart: 1_100,
      sourceEnd: 1_400,
      hasMore: false,
    });
    expect(partUntil(part, { queryEnd: 10, sourceEnd: 10 }), "its end is shown too").to.equal(part);
  });

  it("continues after the last equal words until it is compared completely", () => {
    const passage = passageOf(0, 50_000);
    let part = partUntil(partFrom(passage), { queryEnd: 5_900, sourceEnd: 5_950 });
    expect(part).to.include({ queryEnd: 5_900, sourceEnd: 6_950, hasMore: true });
    for (let parts = 1; part.hasMore; parts++) {
      expect(parts).to.be.below(20);
      const next = partFrom(passage, part.queryEnd, part.sourceEnd);
      expect(next.queryStart).to.equal(part.queryEnd);
      part = partUntil(next, undefined);
    }
    expect(part.queryEnd).to.equal(50_000);
  });
});
