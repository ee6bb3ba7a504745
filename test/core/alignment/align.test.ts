import { expect } from "chai";
import fc from "fast-check";
import { align, BARRIER, prepareQuery, type TokenisedText } from "../../../src/core/alignment/align.ts";
import { newWords, passageTexts, tokenised, wordsText } from "./sample-texts.ts";

const PASSAGE_WORDS_MIN = 8;

function alignTexts(query: string, source: string) {
  return align(prepareQuery(tokenised(query)), tokenised(source));
}

function expectSelfMatch(text: string): void {
  const { kept } = alignTexts(text, text);
  const { tokens } = tokenised(text);
  const whole = { start: tokens.starts[0], end: tokens.ends.at(-1) };
  expect(kept).to.deep.equal([
    { query: whole, source: whole, matchedWords: tokens.words.length, matchType: "identical" },
  ]);
}

describe("align", () => {
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

    it("takes in the punctuation at its ends", () => {
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

    it("does not count below eight words, and says so", () => {
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
    it("is found when the source has all of it in one run", () => {
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

  describe("an edited copy", () => {
    const edits: readonly [string, (words: string[]) => void][] = [
      ["a word is replaced", (words) => words.splice(12, 1, "new")],
      ["three words are replaced", (words) => words.splice(12, 3, "new", "newer", "newest")],
      ["a word is dropped", (words) => words.splice(12, 1)],
      ["a word is inserted", (words) => words.splice(12, 0, "new")],
      [
        "every fifth word is replaced",
        (words) => [4, 9, 14, 19, 24].map((i) => words.splice(i, 1, `new${i}`)),
      ],
      [
        "words are replaced close together",
        (words) => [10, 12, 15].map((i) => words.splice(i, 1, `new${i}`)),
      ],
    ];
    for (const [what, edit] of edits) {
      it(`is one passage of minor changes from end to end when ${what}`, () => {
        const words = newWords("w", 30).split(" ");
        edit(words);
        const query = tokenised(`${newWords("q", 20)} ${words.join(" ")} ${newWords("r", 20)}`);
        const source = tokenised(`${newWords("s", 20)} ${newWords("w", 30)} ${newWords("t", 20)}`);
        const { kept } = align(prepareQuery(query), source);
        expect(kept.map((passage) => passageTexts(query, source, passage))).to.deep.equal([
          [words.join(" "), newWords("w", 30)],
        ]);
        expect(kept[0]?.matchType).to.equal("minor_changes");
        expect(kept[0]?.matchedWords).to.equal(words.filter((word) => word.startsWith("w")).length);
      });
    }

    it("is two passages when a whole paragraph is put in between", () => {
      const [a, b] = [newWords("a", 20), newWords("b", 20)];
      expect(alignTexts(`${a} ${newWords("new", 40)} ${b}`, `${a} ${b}`).kept).to.have.length(2);
    });

    it("does not reach from short runs over more changed words than equal ones", () => {
      const { kept } = alignTexts(
        `${newWords("a", 10)} ${newWords("q", 11)} b0 b1 b2`,
        `${newWords("a", 10)} b0 b1 b2`,
      );
      expect(kept.map(({ matchedWords }) => matchedWords)).to.deep.equal([10]);
    });

    it("is no passage when its changed words outweigh the equal ones", () => {
      const query = "a0 a1 a2 q q b0 b1 b2 q q c0 c1 c2 q q d0 d1 d2";
      const { kept, dropped } = alignTexts(query, query.replaceAll("q", "s"));
      expect(kept).to.deep.equal([]);
      expect(dropped.map(({ reason, passage }) => [reason, passage.matchedWords])).to.deep.equal([
        ["too_short", 12],
      ]);
    });
  });

  describe("a source of parts that do not follow each other", () => {
    it("has no passage across the barrier between them, however near the copies stand", () => {
      const [a, b] = [newWords("a", 12), newWords("b", 12)];
      const { text, tokens } = tokenised(`${a} | ${b}`);
      const words = [...a.split(" "), BARRIER, ...b.split(" ")];
      const starts = Int32Array.from([
        ...tokens.starts.slice(0, 12),
        a.length + 1,
        ...tokens.starts.slice(12),
      ]);
      const ends = Int32Array.from([...tokens.ends.slice(0, 12), a.length + 2, ...tokens.ends.slice(12)]);
      const query = tokenised(`${a} ${b}`);
      const source = { text, tokens: { words, starts, ends } };
      const { kept } = align(prepareQuery(query), source);
      expect(kept.map((passage) => passageTexts(query, source, passage))).to.deep.equal([
        [a, a],
        [b, b],
      ]);
    });
  });

  describe("the laws of its passages", () => {
    const word = fc.constantFrom(..."abcdefghijklmnopqrst", "Über", "naïve", "語");
    const separator = fc.constantFrom(" ", " ", " ", ", ", ". ", "\n\n", " (", ") ", "😀 ");
    const plain = fc
      .array(fc.tuple(word, separator), { maxLength: 60 })
      .map((pairs) => pairs.flat().join(""));
    const pair = fc
      .tuple(plain, plain, plain, plain, plain)
      .map(([a, b, c, d, e]) => [`${a}${b} ${c}${b} ${d}`, `${d} ${b}${e}${c}${a}`] as const);

    it("hold: inside the texts, ascending, apart in the query, punctuation whole, ends on equal words", () => {
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
            expectEqualEnds(tokenised(inQuery), tokenised(inSource));
          }
          for (const { passage } of dropped) {
            expect(passage.source.end).to.be.at.most(sourceText.length);
            expectEqualEnds(...textsOf(query, source, passage));
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
          const turned = alignTexts(b, a).kept.map((p) => ({ ...p, query: p.source, source: p.query }));
          expect(alignTexts(a, b).kept).to.deep.equal(turned);
        }),
        { seed: 15, numRuns: 100 },
      );
    });
  });
});

function textsOf(query: TokenisedText, source: TokenisedText, passage: Parameters<typeof passageTexts>[2]) {
  const [inQuery, inSource] = passageTexts(query, source, passage);
  return [tokenised(inQuery), tokenised(inSource)] as const;
}

function expectEqualEnds(query: TokenisedText, source: TokenisedText): void {
  expect(query.tokens.words[0]).to.equal(source.tokens.words[0]);
  expect(query.tokens.words.at(-1)).to.equal(source.tokens.words.at(-1));
}

function isWellFormed(text: string): boolean {
  return text.isWellFormed();
}
