import { expect } from "chai";
import fc from "fast-check";
import { align } from "../../../src/matching/words/align.ts";
import type { TokenisedText } from "../../../src/matching/words/boundaries.ts";
import type { Passage } from "../../../src/matching/words/passages.ts";
import { prepareQuery } from "../../../src/matching/words/text-pair.ts";
import type { Span } from "../../../src/text/span.ts";
import { tokenise } from "../../../src/text/tokenise.ts";
import { TRAP_PIECES } from "../../platform/trap-texts.ts";
import { PIECES } from "../../text/sample-texts.ts";
import { newWords, passageTexts, tokenised } from "./sample-texts.ts";

function alignTexts(query: string, source: string) {
  return align(prepareQuery(tokenised(query)), tokenised(source));
}

describe("align", () => {
  describe("the laws of its passages", () => {
    const word = fc.constantFrom(..."abcdefghijklmnopqrst", "Über", "naïve", "語");
    const separator = fc.constantFrom(" ", " ", " ", ", ", ". ", "\n\n", " (", ") ", "😀 ");
    const plain = fc
      .array(fc.tuple(word, separator), { maxLength: 60 })
      .map((pairs) => pairs.flat().join(""));
    const pair = fc
      .tuple(plain, plain, plain, plain, plain)
      .map(([a, b, c, d, e]) => [`${a}${b} ${c}${b} ${d}`, `${d} ${b}${e}${c}${a}`] as const);

    it("hold: passages lie inside the texts, ascend and do not overlap in the query, cut no character, and copies end with equal words", () => {
      fc.assert(
        fc.property(pair, ([queryText, sourceText]) => {
          const query = tokenised(queryText);
          const source = tokenised(sourceText);
          const { kept, dropped } = align(prepareQuery(query), source);
          let end = 0;
          for (const passage of kept) {
            expect(passage.query.start).to.be.at.least(end);
            end = passage.query.end;
            expect(end).to.be.at.most(queryText.length);
            const [inQuery, inSource] = passageTexts(query, source, passage);
            expect(inQuery).to.satisfy(isWellFormed);
            expect(passage.matchedWords).to.be.at.least(Math.min(8, query.tokens.words.length));
            if (passage.matchType === "identical") expectEqualEnds(tokenised(inQuery), tokenised(inSource));
            expect(inSource).to.satisfy(isWellFormed);
          }
          for (const { passage } of dropped) {
            expect(passage.source.end).to.be.at.most(sourceText.length);
            expect(passageTexts(query, source, passage)).to.not.include("");
          }
        }),
        { seed: 13, numRuns: 500 },
      );
    });

    it("hold: a prepared query gives the same passages again, whatever it was aligned with in between", () => {
      fc.assert(
        fc.property(pair, plain, ([query, source], other) => {
          const prepared = prepareQuery(tokenised(query));
          const first = align(prepared, tokenised(source));
          align(prepared, tokenised(other));
          align(prepared, tokenised(query));
          expect(align(prepared, tokenised(source))).to.deep.equal(first);
        }),
        { seed: 14, numRuns: 200 },
      );
    });

    it("hold: a text that the other contains is found whole in both directions, whatever its words are", () => {
      // A table of common words: nothing in it is evidence of reuse.
      const common = "the of and to in a is was that for it as with he on be".split(" ");
      const words = fc.array(fc.constantFrom(...common), { minLength: 30, maxLength: 200 });
      fc.assert(
        fc.property(words, fc.integer({ min: 1, max: 40 }), (list, others) => {
          const contained = list.join(" ");
          const container = `${newWords("q", others)} ${contained} ${newWords("r", others)}`;
          for (const [query, source] of [
            [contained, container],
            [container, contained],
          ] as const) {
            const covered = alignTexts(query, source).kept.reduce(
              (sum, one) => sum + one.query.end - one.query.start,
              0,
            );
            expect(covered).to.equal(contained.length);
          }
        }),
        { seed: 16, numRuns: 100 },
      );
    });

    it("hold: a copy is found in both directions", () => {
      fc.assert(
        fc.property(fc.nat(40), fc.nat(40), fc.integer({ min: 8, max: 50 }), (before, after, length) => {
          const a = `${newWords("q", before)} ${newWords("copy", length)} ${newWords("r", after)}`;
          const b = `${newWords("s", after)} ${newWords("copy", length)} ${newWords("t", before)}`;
          const spans = (kept: readonly Passage[]) => kept.map((p) => [p.query, p.source, p.matchType]);
          const turned = alignTexts(b, a).kept.map((p) => ({ ...p, query: p.source, source: p.query }));
          expect(spans(alignTexts(a, b).kept)).to.deep.equal(spans(turned));
        }),
        { seed: 15, numRuns: 100 },
      );
    });
  });
});

function expectEqualEnds(query: TokenisedText, source: TokenisedText): void {
  expect(query.tokens.words[0]).to.equal(source.tokens.words[0]);
  expect(query.tokens.words.at(-1)).to.equal(source.tokens.words.at(-1));
}

function isWellFormed(text: string): boolean {
  return text.isWellFormed();
}

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

describe("the alignment of texts of any kind", () => {
  it("gives passages inside both texts that do not overlap in the query, whichever of the two is the query", () => {
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

  it("gives a text against itself as one passage from the first word to the last", () => {
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
