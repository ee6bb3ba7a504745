import { expect } from "chai";
import fc from "fast-check";
import { bridge } from "../../../src/core/alignment/bridge.ts";

describe("bridge", () => {
  const ids = fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 10 });

  it("finds as many equal words in order as there are", () => {
    fc.assert(
      fc.property(ids, ids, (query, source) => {
        const gap = { queryStart: 0, queryEnd: query.length, sourceStart: 0, sourceEnd: source.length };
        const runs = bridge(Int32Array.from(query), Int32Array.from(source), gap);
        let [queryEnd, sourceEnd, words] = [0, 0, 0];
        for (const run of runs) {
          expect(run.queryWord).to.be.at.least(queryEnd);
          expect(run.sourceWord).to.be.at.least(sourceEnd);
          queryEnd = run.queryWord + run.words;
          sourceEnd = run.sourceWord + run.words;
          expect(query.slice(run.queryWord, queryEnd)).to.deep.equal(source.slice(run.sourceWord, sourceEnd));
          words += run.words;
        }
        expect(words).to.equal(longestCommon(query, source));
      }),
      { seed: 31, numRuns: 300 },
    );
  });
});

/** The definition itself, without the table. */
function longestCommon(query: readonly number[], source: readonly number[]): number {
  const [first, ...rest] = query;
  if (first === undefined) return 0;
  const at = source.indexOf(first);
  const without = longestCommon(rest, source);
  return at === -1 ? without : Math.max(without, 1 + longestCommon(rest, source.slice(at + 1)));
}
