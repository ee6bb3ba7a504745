import { expect } from "chai";
import fc from "fast-check";
import type { PassagePair } from "../../../../measure/evaluation/scoring/match-passages.ts";
import { type FoundPair, matchPassages } from "../../../../measure/evaluation/scoring/match-passages.ts";
import { score } from "../../../../measure/evaluation/scoring/score.ts";

const EXACT = 1e-12;

/** A passage at one of several disjoint places. */
const passage = fc
  .tuple(fc.nat(9), fc.nat(9), fc.integer({ min: 2, max: 40 }), fc.integer({ min: 2, max: 40 }))
  .map(
    ([queryPlace, sourcePlace, queryLength, sourceLength]): PassagePair => ({
      query: { start: queryPlace * 100, end: queryPlace * 100 + queryLength },
      source: { start: sourcePlace * 100, end: sourcePlace * 100 + sourceLength },
    }),
  );
const passages = fc.uniqueArray(passage, {
  minLength: 1,
  maxLength: 6,
  selector: ({ query }) => query.start,
});

describe("plagdet", () => {
  it("equals the value computed by hand for a case with two detections, a missed case and a false detection", () => {
    const found: FoundPair = {
      cases: [span(0, 100, 0, 100), span(500, 600, 500, 600)],
      detections: [span(0, 40, 0, 40), span(40, 100, 40, 100), span(800, 900, 0, 100)],
    };
    const figures = score([matchPassages(found)]);
    expect(figures.recall).to.be.closeTo(1 / 2, EXACT);
    expect(figures.precision).to.be.closeTo(2 / 3, EXACT);
    expect(figures.granularity).to.equal(2);
    expect(figures.plagdet).to.be.closeTo(4 / 7 / Math.log2(3), EXACT);
  });

  it("is 1 if exactly the planted passages are found", () => {
    fc.assert(
      fc.property(passages, (cases) => {
        expect(scoreOf({ cases, detections: cases }).plagdet).to.be.closeTo(1, EXACT);
      }),
      { seed: 1 },
    );
  });

  it("is divided by log2(3) if every case is found in two halves", () => {
    fc.assert(
      fc.property(passages, (cases) => {
        const halved = scoreOf({ cases, detections: cases.flatMap(halves) });
        expect(halved.recall).to.be.closeTo(1, EXACT);
        expect(halved.precision).to.be.closeTo(1, EXACT);
        expect(halved.plagdet).to.be.closeTo(1 / Math.log2(3), EXACT);
      }),
      { seed: 2 },
    );
  });

  it("swaps recall and precision if cases and detections are swapped", () => {
    fc.assert(
      fc.property(passages, passages, (cases, detections) => {
        const there = scoreOf({ cases, detections });
        const back = scoreOf({ cases: detections, detections: cases });
        expect(back.recall).to.be.closeTo(there.precision, EXACT);
        expect(back.precision).to.be.closeTo(there.recall, EXACT);
      }),
      { seed: 3 },
    );
  });

  it("gives every case the same weight, whatever its pair", () => {
    const whole = { cases: [span(0, 100, 0, 100)], detections: [span(0, 100, 0, 100)] };
    const missed = { cases: [span(0, 9000, 0, 9000), span(9500, 9510, 0, 10)], detections: [] };
    expect(score([matchPassages(whole), matchPassages(missed)]).recall).to.be.closeTo(1 / 3, EXACT);
  });

  it("is 0 with detections only, and 1 with neither cases nor detections", () => {
    const only = scoreOf({ cases: [], detections: [span(0, 10, 0, 10)] });
    expect(only).to.include({ plagdet: 0, precision: 0, granularity: 1, detections: 1 });
    expect(scoreOf({ cases: [], detections: [] }).plagdet).to.equal(1);
  });
});

function scoreOf(found: FoundPair) {
  return score([matchPassages(found)]);
}

function halves({ query, source }: PassagePair): PassagePair[] {
  const queryMiddle = (query.start + query.end) >> 1;
  const sourceMiddle = (source.start + source.end) >> 1;
  return [
    { query: { ...query, end: queryMiddle }, source: { ...source, end: sourceMiddle } },
    { query: { ...query, start: queryMiddle }, source: { ...source, start: sourceMiddle } },
  ];
}

function span(queryStart: number, queryEnd: number, sourceStart: number, sourceEnd: number): PassagePair {
  return { query: { start: queryStart, end: queryEnd }, source: { start: sourceStart, end: sourceEnd } };
}
