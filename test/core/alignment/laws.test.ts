import { expect } from "chai";
import fc from "fast-check";
import { align } from "../../../src/core/alignment/align.ts";
import type { TokenisedText } from "../../../src/core/alignment/boundaries.ts";
import type { Passage } from "../../../src/core/alignment/passages.ts";
import { prepareQuery } from "../../../src/core/alignment/text-pair.ts";
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

    it("hold: inside the texts, ascending, apart in the query, punctuation whole, copies end on equal words", () => {
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

    it("hold: the same again from the same prepared query, whatever it was aligned with in between", () => {
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

    it("hold: a copy that is found one way round is found the other way round", () => {
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
