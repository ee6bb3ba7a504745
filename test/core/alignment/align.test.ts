import { expect } from "chai";
import fc from "fast-check";
import {
  align,
  BARRIER,
  prepareQuery,
  type QueryOptions,
  type TokenisedText,
} from "../../../src/core/alignment/align.ts";
import type { Passage } from "../../../src/core/alignment/passage.ts";
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

    it("does not reach a few equal words beyond more changed ones than a line has", () => {
      const copy = newWords("a", 12);
      const query = tokenised(`${copy} ${newWords("q", 24)} b0 b1 b2`);
      const source = tokenised(`${copy} b0 b1 b2`);
      const { kept } = align(prepareQuery(query), source);
      expect(kept.map((passage) => passageTexts(query, source, passage))).to.deep.equal([[copy, copy]]);
    });

    it("is no passage when its changed words far outweigh the equal ones", () => {
      const query = wordsText(60, (i) => (i % 4 === 0 ? `w${i}` : `q${i}`));
      const source = wordsText(60, (i) => (i % 4 === 0 ? `w${i}` : `s${i}`));
      expect(alignTexts(query, source).kept).to.deep.equal([]);
    });
  });

  describe("reworded text", () => {
    const background = newWords("other", 400);
    const between = (passage: string, name: string) =>
      `${newWords(name, 40)}. ${passage} ${newWords(`${name}x`, 40)}`;

    it("is one paraphrased passage when every third word is another and the words are in another order", () => {
      const words = newWords("w", 60).split(" ");
      const reworded = words
        .map((word, i) => (i % 3 === 0 ? `new${i}` : word))
        .map((word, i, all) => all[i % 2 === 0 ? Math.min(i + 1, all.length - 1) : i - 1] ?? word);
      const query = tokenised(between(`${reworded.join(" ")}.`, "q"));
      const source = tokenised(`${between(`${words.join(" ")}.`, "s")} ${background}`);
      const { kept } = align(prepareQuery(query), source);
      expect(kept).to.have.lengthOf(1);
      expect(kept[0]).to.include({ matchType: "paraphrased" });
      const [inQuery, inSource] = kept[0] ? passageTexts(query, source, kept[0]) : ["", ""];
      expect(inSource).to.include("w5 ").and.include(" w55");
      expect(inQuery).to.include("w5 ").and.include("w55");
      expect(inQuery).to.not.match(/ q\d| qx\d/);
    });

    it("is one passage when its sentences are in another order", () => {
      const sentences = ["a", "b", "c", "d"].map((name) => `${newWords(name, 15)}.`);
      const [a = "", b = "", c = "", d = ""] = sentences;
      const query = tokenised(between([c, a, d, b].join(" "), "q"));
      const source = tokenised(between([a, b, c, d].join(" "), "s"));
      const { kept } = align(prepareQuery(query), source);
      expect(kept.map((passage) => passageTexts(query, source, passage))).to.deep.equal([
        [[c, a, d, b].join(" "), [a, b, c, d].join(" ")],
      ]);
    });

    it("is found in inflected forms of a language with stems", () => {
      const query = tokenised(
        between(
          "The houses were burning while the children watched the falling towers collapsing slowly.",
          "q",
        ),
      );
      const source = tokenised(
        between("The house burned while a child watches the tower that falls and slowly collapses.", "s"),
      );
      const matched = (language: string) =>
        align(prepareQuery(query, { language }), source).kept.reduce(
          (words, one) => words + one.matchedWords,
          0,
        );
      expect(matched("en")).to.be.at.least(8);
      expect(matched("xx")).to.equal(0);
    });

    it("is one passage of a condensed source from which two thirds of the clauses are left out", () => {
      const clauses = Array.from({ length: 30 }, (_, i) => `${newWords(`c${i}w`, 7)},`);
      const query = tokenised(between(clauses.filter((_, i) => i % 3 === 0).join(" "), "q"));
      const source = tokenised(`${between(clauses.join(" "), "s")} ${background}`);
      const { kept } = align(prepareQuery(query), source);
      expect(kept).to.have.lengthOf(1);
      const [, inSource = ""] = kept[0] ? passageTexts(query, source, kept[0]) : [];
      expect(inSource).to.include("c0w0").and.include("c27w6");
    });
  });

  describe("the evidence asked for", () => {
    const common = "the of and to in a is was that for it as with he on be at by";

    it("grows with the number of sources compared", () => {
      const passage = wordsText(16, (i) => (i % 2 === 0 ? `w${i}` : `q${i}`));
      const query = tokenised(`${newWords("q", 50)}. ${passage}. ${newWords("r", 50)}`);
      const source = tokenised(
        `${newWords("s", 50)}. ${wordsText(16, (i) => (i % 2 === 0 ? `w${i}` : `s${i}`))}. ${newWords("t", 50)}`,
      );
      const found = (pairsCompared: number) =>
        align(prepareQuery(query, { pairsCompared }), source).kept.length;
      expect(found(1)).to.equal(1);
      expect(found(1e9)).to.equal(0);
    });

    it("is not met by common words alone, as the language or the corpus has them", () => {
      const words = common.split(" ");
      const query = tokenised(`${newWords("q", 60)} ${words.slice(0, 11).join(" ")} ${newWords("r", 60)}`);
      const source = tokenised(`${newWords("s", 60)} ${words.slice(0, 11).join(" ")} ${newWords("t", 60)}`);
      const found = (options: QueryOptions) => align(prepareQuery(query, options), source).kept.length;
      const wordShare = (word: string) => (words.includes(word) ? 0.03 : 0);
      expect(found({})).to.equal(1);
      expect(found({ language: "en" })).to.equal(0);
      expect(found({ wordShare })).to.equal(0);
    });

    it("is met by any copy of twelve words that holds something rare, also where the texts share much", () => {
      const shared = newWords("topic", 200);
      const copy = "topic1 topic5 rare0 topic9 topic2 topic30 rare1 topic4 topic8 topic7 topic77 topic90";
      const query = tokenised(`${shared.split(" ").toReversed().join(" ")} ${copy} ${newWords("q", 9)}`);
      const source = tokenised(`${shared.split(" ").toSorted().join(" ")} ${copy} ${newWords("s", 9)}`);
      const found = align(prepareQuery(query), source).kept.map((one) => passageTexts(query, source, one)[0]);
      expect(found.join(" | ")).to.include(copy);
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
            expect(textsOf(query, source, passage)).to.not.include("");
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

function textsOf(query: TokenisedText, source: TokenisedText, passage: Parameters<typeof passageTexts>[2]) {
  return passageTexts(query, source, passage);
}

function expectEqualEnds(query: TokenisedText, source: TokenisedText): void {
  expect(query.tokens.words[0]).to.equal(source.tokens.words[0]);
  expect(query.tokens.words.at(-1)).to.equal(source.tokens.words.at(-1));
}

function isWellFormed(text: string): boolean {
  return text.isWellFormed();
}
