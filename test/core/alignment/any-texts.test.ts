import { expect } from "chai";
import fc from "fast-check";
import { align } from "../../../src/core/alignment/align.ts";
import type { TokenisedText } from "../../../src/core/alignment/boundaries.ts";
import { prepareQuery } from "../../../src/core/alignment/text-pair.ts";
import type { Span } from "../../../src/core/text/span.ts";
import { tokenise } from "../../../src/core/text/tokenise.ts";
import { PIECES } from "../text/sample-texts.ts";
import { TRAP_PIECES } from "../trap-texts.ts";

const piece = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...PIECES) },
  { weight: 2, arbitrary: fc.constantFrom(...TRAP_PIECES) },
  fc.string({ unit: "binary", maxLength: 8 }),
);
const anyText = fc.array(piece, { maxLength: 120 }).map((pieces) => pieces.join(""));

/** Two texts with nothing in common, or some of the same stretches in another order. */
const anyPair = fc
  .tuple(anyText, anyText, anyText)
  .map(([a, b, c]) => [`${a} ${b} ${c}`, `${c}${b} ${a}`] as const);

/** A text with its words as the service finds them. */
function read(text: string): TokenisedText {
  return { text, tokens: tokenise(text, "en") };
}

function expectInside({ start, end }: Span, text: string): void {
  expect(start).to.be.within(0, text.length);
  expect(end).to.be.within(start + 1, text.length);
}

describe("align: texts of any kind", () => {
  it("have passages inside both, apart in the query, whichever of the two is the query", () => {
    fc.assert(
      fc.property(anyPair, ([one, other]) => {
        for (const [query, source] of [
          [one, other],
          [other, one],
        ] as const) {
          const { kept, dropped } = align(prepareQuery(read(query)), read(source));
          let end = 0;
          for (const passage of kept) {
            expect(passage.query.start).to.be.at.least(end);
            end = passage.query.end;
          }
          for (const passage of [...kept, ...dropped.map((one) => one.passage)]) {
            expectInside(passage.query, query);
            expectInside(passage.source, source);
          }
        }
      }),
      { seed: 21, numRuns: 200 },
    );
  });

  it("are one passage against themselves, from the first word to the last", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { tokens } = read(text);
        const { kept } = align(prepareQuery(read(text)), read(text));
        expect(kept).to.have.lengthOf(tokens.words.length === 0 ? 0 : 1);
        const [passage] = kept;
        if (passage === undefined) return;
        expect(passage.query).to.deep.equal(passage.source);
        expect(passage.query.start).to.be.at.most(tokens.starts[0] ?? -1);
        expect(passage.query.end).to.be.at.least(tokens.ends.at(-1) ?? text.length + 1);
        expect(passage.matchType).to.equal("identical");
      }),
      { seed: 22, numRuns: 300 },
    );
  });
});
