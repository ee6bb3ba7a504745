import { expect } from "chai";
import fc from "fast-check";
import { compareSides } from "../../../src/core/report/compare-sides.ts";
import { type DiffPiece, wordDiff } from "../../../src/core/report/word-diff.ts";
import { prose } from "../../support/prose.ts";

const textOf = (pieces: readonly DiffPiece[]) => pieces.map(({ text }) => text).join("");
const differing = (pieces: readonly DiffPiece[]) =>
  pieces.filter(({ differs }) => differs).map(({ text }) => text);

describe("two texts compared word by word", () => {
  it("finds the words that the other side has not", () => {
    const { query, source, equalWords, queryWords } = wordDiff(
      "The keeper carried heavy buckets up the stairs.",
      "Each keeper carried buckets of oil up the stairs.",
      "en",
    );
    expect(differing(query)).to.deep.equal(["The", "heavy"]);
    expect(differing(source)).to.deep.equal(["Each", "of oil"]);
    expect([equalWords, queryWords]).to.deep.equal([6, 8]);
  });

  it("takes no note of case and of what is no letter or digit", () => {
    const { query, source } = wordDiff("“Oil,” he said: BUCKETS!", "oil he said buckets", "en");
    expect([...differing(query), ...differing(source)]).to.deep.equal([]);
  });

  it("finds words where none are parted by spaces", () => {
    const { query } = wordDiff("我们今天在图书馆里读书", "我们昨天在图书馆里读书", "zh");
    expect(differing(query)).to.deep.equal(["今天"]);
  });

  it("gives both texts back in pieces without gaps, and as many equal words on each side", () => {
    const word = fc.constantFrom(
      "one",
      "two",
      "three",
      "é",
      "e\u0301",
      "👩‍🚀",
      "ذهب",
      "今天",
      ",",
      " ",
      "\r\n",
      "-",
    );
    const text = fc.array(word, { maxLength: 25 }).map((words) => words.join(" "));
    fc.assert(
      fc.property(text, text, (query, source) => {
        const diff = wordDiff(query, source, "en");
        expect(textOf(diff.query)).to.equal(query);
        expect(textOf(diff.source)).to.equal(source);
        expect(wordDiff(source, query, "en").equalWords).to.equal(diff.equalWords);
      }),
      { seed: 21 },
    );
  });
});

describe("both sides of a passage", () => {
  it("are compared whole where they are whole", () => {
    const sides = compareSides("one two three", "one two four", "en", false);
    expect(sides).to.deep.include({ isCut: false });
    expect([differing(sides.query), differing(sides.source)]).to.deep.equal([["three"], ["four"]]);
  });

  it("where they go on, end with the last words that are equal, and split no character", () => {
    const text = prose(1, 40);
    const sides = compareSides(`${text} and 😀`.slice(0, -1), `new ${text} an`, "en", true);
    expect(sides.isCut).to.equal(true);
    expect(textOf(sides.query)).to.equal(text.slice(0, -1));
    expect(differing(sides.query)).to.deep.equal([]);
    expect(differing(sides.source)).to.deep.equal(["new"]);
    const nothing = compareSides("😀".slice(0, 1), "other", "en", true);
    expect(textOf(nothing.query)).to.equal("");
  });
});
