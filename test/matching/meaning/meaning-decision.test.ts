import { expect } from "chai";
import { exceedsOneSubject, reuseLogOdds } from "../../../src/matching/meaning/meaning-decision.ts";

describe("the decision by meaning and words", () => {
  const evidence = {
    meaning: 0.5,
    meaningElsewhere: -0.1,
    words: 16,
    wordsElsewhere: -3,
    namesFound: 2,
    namesMissing: 0,
    isBesideWords: false,
    sentences: 3,
    isSameLanguage: true,
    querySentences: 20,
  };

  it("grows with the similarity and the words, and shrinks with the length of the query", () => {
    const usual = reuseLogOdds(evidence);
    expect(usual).to.be.above(0);
    expect(reuseLogOdds({ ...evidence, meaning: 0.6 })).to.be.above(usual);
    expect(reuseLogOdds({ ...evidence, meaningElsewhere: 0.2 })).to.be.below(usual);
    expect(reuseLogOdds({ ...evidence, words: 18 })).to.be.above(usual);
    expect(reuseLogOdds({ ...evidence, wordsElsewhere: 0 })).to.be.below(usual);
    expect(reuseLogOdds({ ...evidence, sentences: 16 })).to.be.below(usual);
    expect(reuseLogOdds({ ...evidence, querySentences: 500 })).to.be.closeTo(usual - Math.log(20), 1e-9);
  });

  it("takes names that the source lacks for another subject, within a language", () => {
    const usual = reuseLogOdds(evidence);
    expect(reuseLogOdds({ ...evidence, namesFound: 4 })).to.be.above(usual);
    expect(reuseLogOdds({ ...evidence, namesMissing: 1 })).to.be.below(usual);
    // A statement about another country has other names in it.
    expect(reuseLogOdds({ ...evidence, namesFound: 0, namesMissing: 5 })).to.be.below(0);
    const translated = { ...evidence, isSameLanguage: false };
    expect(reuseLogOdds({ ...translated, namesMissing: 5 })).to.equal(reuseLogOdds(translated));
  });

  it("needs less beside a passage that words have found", () => {
    const weak = { ...evidence, words: 2, namesFound: 0 };
    expect(reuseLogOdds(weak)).to.be.below(0);
    expect(reuseLogOdds({ ...weak, isBesideWords: true })).to.be.above(0);
  });

  it("needs more than the subject within a language, and no words between two", () => {
    const onSubject = { ...evidence, meaning: 0.8, words: 0, wordsElsewhere: 2, namesFound: 0 };
    expect(reuseLogOdds(onSubject)).to.be.below(0);
    expect(reuseLogOdds({ ...onSubject, isSameLanguage: false })).to.be.above(0);
    expect(reuseLogOdds({ ...onSubject, isSameLanguage: false, meaning: 0.3 })).to.be.below(0);
  });

  it("asks for sentences that are near on average and nearer than others of the source, between two languages", () => {
    const translated = { ...evidence, isSameLanguage: false, meaning: 0.9, meaningElsewhere: 0.2 };
    expect(reuseLogOdds(translated)).to.be.above(0);
    expect(reuseLogOdds({ ...translated, sentences: 12 })).to.be.below(0);
    expect(reuseLogOdds({ ...translated, meaningElsewhere: 1 })).to.be.below(0);
    // A translated chapter resembles the rest of its source too.
    const chapter = { meaning: 0.35 * 150, meaningElsewhere: 0.2 * 150, sentences: 150, querySentences: 150 };
    expect(reuseLogOdds({ ...translated, ...chapter })).to.be.above(0);
  });

  it("takes no number of sentences that resemble all of the source for reuse", () => {
    const onSubject = {
      ...evidence,
      meaning: 0.3 * 150,
      meaningElsewhere: 0.28 * 150,
      words: -400,
      sentences: 150,
    };
    expect(reuseLogOdds({ ...onSubject, wordsElsewhere: -450 })).to.be.below(0);
    const chapter = { ...evidence, meaning: 0.2 * 150, meaningElsewhere: 0, words: 4 * 150, sentences: 150 };
    const named = { ...chapter, wordsElsewhere: -150, namesFound: 60, namesMissing: 20 };
    expect(reuseLogOdds({ ...named, querySentences: 150 })).to.be.above(0);
  });

  it("is not made by words alone", () => {
    expect(reuseLogOdds({ ...evidence, meaning: -0.4, words: 100, sentences: 9 })).to.be.below(0);
  });

  it("asks more of members, which may be essays on one subject", () => {
    expect(exceedsOneSubject(false, [0.25, 0.3])).to.equal(false);
    expect(exceedsOneSubject(false, [0.25, 0.36])).to.equal(true);
    expect(exceedsOneSubject(true, [0.15, 0.26])).to.equal(true);
    expect(exceedsOneSubject(true, [0.15, 0.2])).to.equal(false);
  });
});
