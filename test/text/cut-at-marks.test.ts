import { expect } from "chai";
import fc from "fast-check";
import { cutAtMarks } from "../../src/text/cut-at-marks.ts";

const LENGTH = 60;

describe("cutting a text at marks", () => {
  it("covers each range without gaps, and gives every place exactly its marks, in the order of their starts", () => {
    const span = fc
      .tuple(fc.nat(LENGTH), fc.nat(LENGTH))
      .map(([a, b]) => ({ start: Math.min(a, b), end: Math.max(a, b) }));
    const ranges = [
      { start: 0, end: 25 },
      { start: 27, end: LENGTH },
    ];
    fc.assert(
      fc.property(fc.array(span), (marks) => {
        const ascending = marks.toSorted((a, b) => a.start - b.start);
        const cut = [...cutAtMarks(ranges, marks)];
        for (const [index, { start, end }] of ranges.entries()) {
          const spans = cut[index] ?? [];
          expect([start, ...spans.map((one) => one.end)]).to.deep.equal([
            ...spans.map((one) => one.start),
            end,
          ]);
          for (const one of spans)
            for (let at = one.start; at < one.end; at++)
              expect(one.marks.filter(isLong)).to.deep.equal(
                ascending.filter((mark) => mark.start <= at && mark.end > at),
              );
        }
        // A mark of no length stands once, in the span that begins at it or next after it.
        const spans = cut.flat();
        for (const mark of marks.filter((one) => !isLong(one))) {
          const holding = spans.filter((one) => one.marks.includes(mark));
          const next = spans.find(({ start }) => start >= mark.start);
          expect(holding).to.deep.equal(next === undefined ? [] : [next]);
        }
      }),
      { seed: 3, numRuns: 300 },
    );
  });
});

function isLong({ start, end }: { readonly start: number; readonly end: number }): boolean {
  return start < end;
}
