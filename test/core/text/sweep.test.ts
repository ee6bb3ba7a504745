import { expect } from "chai";
import fc from "fast-check";
import { sweep } from "../../../src/core/text/sweep.ts";

const LENGTH = 60;

describe("a sweep over a text", () => {
  it("gives at each place just what covers it, in the order of the starts", () => {
    const span = fc
      .tuple(fc.nat(LENGTH), fc.nat(LENGTH))
      .map(([a, b]) => ({ start: Math.min(a, b), end: Math.max(a, b) }));
    fc.assert(
      fc.property(fc.array(span), (spans) => {
        const covering = sweep(spans, (one) => one);
        const ascending = spans.toSorted((a, b) => a.start - b.start);
        for (let at = 0; at <= LENGTH; at++)
          expect(covering(at)).to.deep.equal(ascending.filter(({ start, end }) => start <= at && end > at));
      }),
      { seed: 3, numRuns: 300 },
    );
  });
});
