import { expect } from "chai";
import { align } from "../../../src/matching/words/align.ts";
import { prepareQuery } from "../../../src/matching/words/text-pair.ts";
import { newWords, passageTexts, tokenised, wordsText } from "./sample-texts.ts";

function alignTexts(query: string, source: string) {
  return align(prepareQuery(tokenised(query)), tokenised(source));
}

describe("the alignment of edited and reworded text", () => {
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

    it("is two passages if a whole paragraph was inserted", () => {
      const [a, b] = [newWords("a", 20), newWords("b", 20)];
      expect(alignTexts(`${a} ${newWords("new", 40)} ${b}`, `${a} ${b}`).kept).to.have.length(2);
    });

    it("does not extend to a few equal words beyond more than a line of changed ones", () => {
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

    it("is one paraphrased passage if every third word was replaced and the order of words changed", () => {
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

    it("is one passage if two thirds of the source's clauses were omitted", () => {
      const clauses = Array.from({ length: 30 }, (_, i) => `${newWords(`c${i}w`, 7)},`);
      const query = tokenised(between(clauses.filter((_, i) => i % 3 === 0).join(" "), "q"));
      const source = tokenised(`${between(clauses.join(" "), "s")} ${background}`);
      const { kept } = align(prepareQuery(query), source);
      expect(kept).to.have.lengthOf(1);
      const [, inSource = ""] = kept[0] ? passageTexts(query, source, kept[0]) : [];
      expect(inSource).to.include("c0w0").and.include("c27w6");
    });
  });
});
