import { expect } from "chai";
import fc from "fast-check";
import { wordBorders } from "../../../src/core/report/word-borders.ts";

const WORD_CHARACTER = /[\p{L}\p{N}]/u;

describe("wordBorders", () => {
  it("finds letters and digits with their marks, and nothing else", () => {
    const { nextWord, previousWordEnd } = wordBorders(" —a e\u0301! ½ 𝐀.");
    expect([0, 2, 3, 4, 6, 7, 10, 13].map(nextWord)).to.deep.equal([2, 2, 4, 4, 10, 10, 10, 13]);
    expect([0, 2, 3, 4, 6, 8, 13].map(previousWordEnd)).to.deep.equal([0, 0, 3, 3, 6, 6, 12]);
  });

  it("agrees with a look at each character", () => {
    const text = fc.array(fc.constantFrom("a", "1", "e\u0301", " ", ",", "𝐀", "🙂\ufe0f", "中"), {
      maxLength: 30,
    });
    fc.assert(
      fc.property(text, (characters) => {
        const joined = characters.join("");
        const { nextWord, previousWordEnd } = wordBorders(joined);
        let offset = 0;
        let wordEnd = 0;
        for (const [index, character] of characters.entries()) {
          expect(previousWordEnd(offset)).to.equal(wordEnd);
          const before = characters.slice(
            0,
            characters.findIndex((c, i) => i >= index && WORD_CHARACTER.test(c)),
          );
          const hasNext = characters.slice(index).some((c) => WORD_CHARACTER.test(c));
          expect(nextWord(offset)).to.equal(hasNext ? before.join("").length : joined.length);
          offset += character.length;
          if (WORD_CHARACTER.test(character)) wordEnd = offset;
        }
        expect(nextWord(joined.length)).to.equal(joined.length);
        expect(previousWordEnd(joined.length)).to.equal(wordEnd);
      }),
      { seed: 7 },
    );
  });
});
