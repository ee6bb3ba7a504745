import { expect } from "chai";
import type { PassagePair } from "../../../../measure/evaluation/scoring/match-passages.ts";
import { matchPassages } from "../../../../measure/evaluation/scoring/match-passages.ts";

describe("matching detections with cases", () => {
  const planted = pair(100, 200, 1000, 1100);

  it("counts a detection for a case only when both sides overlap", () => {
    const beside = [pair(100, 200, 1100, 1200), pair(200, 300, 1000, 1100), pair(0, 100, 1000, 1100)];
    const { cases, detections } = matchPassages({ cases: [planted], detections: beside });
    expect(cases[0]?.partners).to.deep.equal([]);
    expect(detections.map(({ share }) => share)).to.deep.equal([0, 0, 0]);
  });

  it("counts one shared character on each side as an overlap", () => {
    const { cases, detections } = matchPassages({
      cases: [planted],
      detections: [pair(199, 299, 1099, 1199)],
    });
    expect(cases[0]?.share).to.equal(2 / 200);
    expect(detections[0]?.share).to.equal(2 / 200);
  });

  it("measures shares over both sides together", () => {
    const { cases, detections } = matchPassages({
      cases: [planted],
      detections: [pair(100, 150, 1000, 1400)],
    });
    expect(cases[0]?.share).to.equal((50 + 100) / 200);
    expect(detections[0]?.share).to.equal((50 + 100) / 450);
  });

  it("counts characters that two detections cover once", () => {
    const { cases } = matchPassages({
      cases: [planted],
      detections: [pair(100, 160, 1000, 1060), pair(140, 180, 1040, 1080)],
    });
    expect(cases[0]?.partners).to.have.length(2);
    expect(cases[0]?.share).to.equal((80 + 80) / 200);
  });

  it("lets one detection cover two cases", () => {
    const second = pair(220, 260, 1120, 1160);
    const { cases, detections } = matchPassages({
      cases: [planted, second],
      detections: [pair(100, 260, 1000, 1160)],
    });
    expect(cases.map(({ share }) => share)).to.deep.equal([1, 1]);
    expect(detections[0]?.share).to.equal((140 + 140) / 320);
  });
});

function pair(queryStart: number, queryEnd: number, sourceStart: number, sourceEnd: number): PassagePair {
  return { query: { start: queryStart, end: queryEnd }, source: { start: sourceStart, end: sourceEnd } };
}
