import { expect } from "chai";
import {
  BARRIER,
  boundaryPriors,
  boundaryTypes,
  endsParagraph,
  endsSentence,
} from "../../../src/matching/words/boundaries.ts";
import { ALIGNMENT } from "../../../src/matching/words/model.ts";
import { tokenise } from "../../../src/text/tokenise.ts";
import { tokenised } from "./sample-texts.ts";

/** The log-odds, on the query's side, of the place between the two words of a text. */
function priorBetween(text: string): number {
  return boundaryPriors(boundaryTypes(tokenised(text)), ALIGNMENT.queryBoundaryPriors)[1] ?? Number.NaN;
}

describe("boundary types", () => {
  it("make a passage's end more likely, the stronger the separation of two words", () => {
    const ascending = ["a-b", "a, b", "a. b", "a.\nb", "a\n\nb"];
    const priors = ascending.map(priorBetween);
    expect(priors).to.deep.equal(priors.toSorted((x, y) => x - y));
    expect(new Set(priors)).to.have.lengthOf(ascending.length);
  });

  it("distinguish small and capital letters in any script that has both", () => {
    for (const [small, large] of [
      ["a b", "a B"],
      ["д б", "д Б"],
      ["a\nb", "a\nB"],
    ] as const) {
      expect(priorBetween(small), small).to.be.lessThan(priorBetween(large));
    }
  });

  it("recognise the sentence ends of any script", () => {
    for (const text of ["a. b", "a? B", "क। ख", "ا؟ ب", "一。二", "a… B"]) {
      const [, type = 0] = boundaryTypes(tokenised(text));
      expect(endsSentence(type), text).to.equal(true);
      expect(endsParagraph(type), text).to.equal(false);
    }
    for (const text of ["a b", "a, b", "a  b"]) {
      expect(endsSentence(boundaryTypes(tokenised(text))[1] ?? 0), text).to.equal(false);
    }
  });

  it("include both ends of the text", () => {
    for (const text of ["", "one", "one two", "東京は日本の首都です。人口が多い。"]) {
      const query = { text, tokens: tokenise(text, "ja") };
      const types = boundaryTypes(query);
      expect(types).to.have.lengthOf(query.tokens.words.length + 1);
      expect(types[0]).to.equal(types.at(-1));
      expect(boundaryPriors(types, ALIGNMENT.sourceBoundaryPriors)[0]).to.be.greaterThan(0);
    }
  });

  it("treat both sides of a barrier as ends of the text", () => {
    const { text, tokens } = tokenised("one | two");
    const starts = Int32Array.from([0, 4, 6]);
    const ends = Int32Array.from([3, 5, 9]);
    const types = boundaryTypes({
      text,
      tokens: { words: [tokens.words[0] ?? "", BARRIER, "two"], starts, ends },
    });
    expect(new Set(types)).to.have.lengthOf(1);
  });
});
