import { expect } from "chai";
import { reuseLogOdds } from "../../../src/core/semantic/meaning-decision.ts";
import { rareSharedWords, termsOf, wordContrast } from "../../../src/core/semantic/shared-words.ts";

const COUNTS = {
  chunks: 10_000,
  chunksWith: new Map([
    ["the", 9_000],
    ["lamp", 2_000],
    ["keeper", 3],
  ]),
};
const terms = (text: string) => termsOf(text, "en");

describe("the words of sentences that correspond", () => {
  it("speak for a pair when no sentence around has them", () => {
    const pairs = [{ query: terms("the keeper of the lamp"), source: terms("a keeper climbed") }];
    expect(wordContrast(pairs, [terms("wheat prices fell")], COUNTS)).to.be.above(0.4);
    expect(wordContrast(pairs, [terms("each keeper slept")], COUNTS)).to.equal(0);
    expect(wordContrast(pairs, [terms("the keeper and the lamp of the town")], COUNTS)).to.be.below(0);
  });

  it("are listed when they are rare, as the query writes them, rarest first", () => {
    const shared = rareSharedWords("The Keeper lit 1894 lamps.", "en", "In 1894 the keeper saw lamps", "en", {
      chunks: 10_000,
      chunksWith: new Map([
        ["the", 9_000],
        ["lamps", 2_000],
        ["keeper", 30],
        ["1894", 3],
      ]),
    });
    expect(shared).to.deep.equal(["1894", "Keeper"]);
  });
});

describe("the decision by meaning and words", () => {
  const evidence = {
    score: 0.6,
    passageSentences: 3,
    wordContrast: 0.2,
    isSameLanguage: true,
    querySentences: 20,
  };

  it("grows with the similarity and the words, and shrinks with the length of the query", () => {
    const usual = reuseLogOdds(evidence);
    expect(reuseLogOdds({ ...evidence, score: 0.7 })).to.be.above(usual);
    expect(reuseLogOdds({ ...evidence, wordContrast: 0.5 })).to.be.above(usual);
    expect(reuseLogOdds({ ...evidence, querySentences: 500 })).to.be.closeTo(usual - Math.log(20), 1e-9);
  });

  it("needs more than the subject within a language, and no words between two", () => {
    expect(reuseLogOdds({ ...evidence, score: 0.4, passageSentences: 5, wordContrast: 0 })).to.be.below(0);
    expect(reuseLogOdds({ ...evidence, isSameLanguage: false, wordContrast: 0 })).to.be.above(0);
    expect(reuseLogOdds({ ...evidence, isSameLanguage: false, score: 0.3 })).to.be.below(0);
  });
});
