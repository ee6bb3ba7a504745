import { expect } from "chai";
import fc from "fast-check";
import { joinSpans, overlappingSpans, type Span, spansLength, subtractSpans } from "../../src/text/span.ts";

const spans = fc.array(
  fc.tuple(fc.nat(60), fc.nat(12)).map(([start, length]) => ({ start, end: start + length })),
  { maxLength: 12 },
);

describe("spans", () => {
  it("joins spans that overlap or touch, in any order, and drops empty ones", () => {
    const given = [
      { start: 5, end: 9 },
      { start: 20, end: 30 },
      { start: 0, end: 5 },
      { start: 22, end: 25 },
      { start: 40, end: 40 },
    ];
    expect(joinSpans(given)).to.deep.equal([
      { start: 0, end: 9 },
      { start: 20, end: 30 },
    ]);
  });

  it("covers the same places after joining, each once", () => {
    fc.assert(
      fc.property(spans, (given) => {
        const joined = joinSpans(given);
        const covered = places(given);
        expect(places(joined)).to.deep.equal(covered);
        expect(spansLength(joined)).to.equal(covered.size);
      }),
      { seed: 1 },
    );
  });

  it("keeps the parts of a span that no hole covers", () => {
    fc.assert(
      fc.property(spans, fc.nat(60), fc.nat(40), (given, start, length) => {
        const span = { start, end: start + length };
        const holes = joinSpans(given);
        const covered = places(holes);
        const left = new Set([...places([span])].filter((at) => !covered.has(at)));
        expect(places(subtractSpans(span, holes))).to.deep.equal(left);
      }),
      { seed: 2 },
    );
  });

  it("finds exactly the spans that overlap a span", () => {
    fc.assert(
      fc.property(spans, fc.nat(60), fc.integer({ min: 1, max: 40 }), (given, start, length) => {
        const span = { start, end: start + length };
        const joined = joinSpans(given);
        const overlapping = joined.filter((one) => one.start < span.end && one.end > span.start);
        expect(overlappingSpans(span, joined)).to.deep.equal(overlapping);
      }),
      { seed: 4 },
    );
  });
});

function places(given: readonly Span[]): Set<number> {
  const all = new Set<number>();
  for (const { start, end } of given.toSorted((a, b) => a.start - b.start)) {
    for (let at = start; at < end; at++) all.add(at);
  }
  return new Set([...all].sort((a, b) => a - b));
}
