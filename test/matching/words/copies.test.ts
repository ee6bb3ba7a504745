import { expect } from "chai";
import fc from "fast-check";
import { align } from "../../../src/matching/words/align.ts";
import { prepareQuery } from "../../../src/matching/words/text-pair.ts";
import { newWords, passageTexts, tokenised, wordsText } from "./sample-texts.ts";

const PASSAGE_WORDS_MIN = 8;

function alignTexts(query: string, source: string) {
  return align(prepareQuery(tokenised(query)), tokenised(source));
}

function expectSelfMatch(text: string): void {
  const { kept } = alignTexts(text, text);
  const { tokens } = tokenised(text);
  const whole = { start: tokens.starts[0], end: tokens.ends.at(-1) };
  expect(kept).to.have.lengthOf(1);
  const matchedWords = tokens.words.length;
  expect(kept[0]).to.deep.include({ query: whole, source: whole, matchedWords, matchType: "identical" });
}

describe("the alignment of copies", () => {
  describe("a text against itself", () => {
    it("is one identical passage of all its words, whatever they are", () => {
      const word = fc.constantFrom("a", "b", "c", "one", "two", "three", "Zwölf", "слово", "語");
      fc.assert(
        fc.property(fc.array(word, { minLength: 1, maxLength: 60 }), (words) =>
          expectSelfMatch(words.join(" ")),
        ),
        { seed: 11, numRuns: 500 },
      );
    });

    for (const words of [1, 2, 3, 4, 5, 6, 7, 8]) {
      it(`is one passage when it has ${words} different words, or the same word ${words} times`, () => {
        expectSelfMatch(newWords("w", words));
        expectSelfMatch(wordsText(words, () => "a"));
      });
    }

    it("is one passage when it has one word 80,000 times", () =>
      expectSelfMatch(wordsText(80_000, () => "a")));

    it("is one passage when it is periodic", () => {
      for (const period of [2, 3, 7, 100]) expectSelfMatch(wordsText(5_000, (i) => `w${i % period}`));
    });

    it("includes the punctuation at its ends", () => {
      const text = "“One two three four five, six seven eight nine!”";
      expect(alignTexts(text, text).kept[0]?.query).to.deep.equal({ start: 0, end: text.length });
    });

    it("gives nothing when it has no words", () => {
      expect(alignTexts("… !", "… !")).to.deep.equal({ kept: [], dropped: [] });
      expect(alignTexts("", "")).to.deep.equal({ kept: [], dropped: [] });
    });
  });

  describe("a copy between other text", () => {
    it("is found with its exact edges on both sides, wherever it stands", () => {
      const words = fc.integer({ min: 0, max: 60 });
      const copied = fc.integer({ min: PASSAGE_WORDS_MIN, max: 80 });
      fc.assert(
        fc.property(
          words,
          words,
          words,
          words,
          copied,
          (before, after, sourceBefore, sourceAfter, length) => {
            const copy = newWords("copy", length);
            const query = tokenised(`${newWords("q", before)} ${copy} ${newWords("r", after)}`);
            const source = tokenised(`${newWords("s", sourceBefore)} ${copy} ${newWords("t", sourceAfter)}`);
            const { kept, dropped } = align(prepareQuery(query), source);
            expect(kept.map((passage) => passageTexts(query, source, passage))).to.deep.equal([[copy, copy]]);
            expect(kept[0]).to.include({ matchedWords: length, matchType: "identical" });
            expect(dropped).to.deep.equal([]);
          },
        ),
        { seed: 12, numRuns: 200 },
      );
    });

    it("is a passage of its own for each of several copies in any order", () => {
      const [a, b, c] = [newWords("a", 20), newWords("b", 30), newWords("c", 10)];
      const query = tokenised([newWords("q", 20), c, newWords("r", 20), a, newWords("s", 20), b].join(" "));
      const source = tokenised([a, newWords("t", 20), b, newWords("u", 20), c].join(" "));
      const { kept } = align(prepareQuery(query), source);
      expect(kept.map((passage) => passageTexts(query, source, passage))).to.deep.equal([
        [c, c],
        [a, a],
        [b, b],
      ]);
    });

    it("is identical in another case and with other punctuation", () => {
      const { kept } = alignTexts(
        "x. The QUICK brown fox, it jumped over lazy dogs: y",
        "z; the quick brown fox it jumped over lazy dogs z",
      );
      expect(kept).to.have.length(1);
      expect(kept[0]).to.include({ matchedWords: 9, matchType: "identical" });
    });

    it("is dropped as too short below eight words", () => {
      const copy = newWords("copy", 7);
      const { kept, dropped } = alignTexts(`${newWords("q", 9)} ${copy}`, `${copy} ${newWords("s", 9)}`);
      expect(kept).to.deep.equal([]);
      expect(dropped.map(({ reason, passage }) => [reason, passage.matchedWords])).to.deep.equal([
        ["too_short", 7],
      ]);
    });

    it("is not even listed as dropped below five words", () => {
      const copy = newWords("copy", 4);
      expect(alignTexts(`${newWords("q", 9)} ${copy}`, `${copy} s`)).to.deep.equal({ kept: [], dropped: [] });
    });
  });

  describe("a query shorter than a passage", () => {
    it("is found if the source contains it as a whole", () => {
      const query = tokenised("To be, or not!");
      const source = tokenised("He said: to be or not to be. To be or not.");
      const { kept, dropped } = align(prepareQuery(query), source);
      expect(kept.map((passage) => passageTexts(query, source, passage))).to.deep.equal([
        ["To be, or not", "to be or not"],
      ]);
      expect(dropped.map(({ reason }) => reason)).to.deep.equal(["duplicate"]);
    });

    it("is not found in part", () => {
      expect(alignTexts("to be or not", "to be or never")).to.deep.equal({ kept: [], dropped: [] });
    });
  });
});
