import { expect } from "chai";
import {
  exceedsOneSubject,
  type ParagraphEvidence,
  rewordedLogOdds,
  SUPPORT_GREATEST,
  supportOf,
  translatedLogOdds,
} from "../../../src/matching/meaning/meaning-decision.ts";

describe("the decision that a paragraph was reworded", () => {
  const QUERY_SENTENCES = 20;
  const evidence: ParagraphEvidence = {
    words: 6,
    meaning: 0.1,
    namesFound: 2,
    namesMissing: 1,
    sourceSentences: 4,
    length: 500,
    formulaShare: 0,
    isBesideWords: false,
  };
  const logOdds = (changed: Partial<ParagraphEvidence>, querySentences = QUERY_SENTENCES) =>
    rewordedLogOdds({ ...evidence, ...changed }, querySentences);
  const usual = logOdds({});

  it("grows with words, meaning, names, followed sentences and length", () => {
    expect(usual).to.be.above(0);
    for (const less of [
      { words: 2 },
      { meaning: 0.05 },
      { namesFound: 1 },
      { namesMissing: 3 },
      { sourceSentences: 2 },
      { length: 200 },
    ])
      expect(logOdds(less), JSON.stringify(less)).to.be.below(usual);
  });

  it("needs more in a long query, which has more paragraphs that are similar by chance", () => {
    expect(logOdds({}, 25)).to.equal(usual);
    expect(logOdds({}, 100)).to.be.below(usual);
  });

  it("needs less beside a passage that words have found", () => {
    const weak = { words: 2, meaning: 0, namesFound: 1 };
    expect(logOdds(weak)).to.be.below(0);
    expect(logOdds({ ...weak, isBesideWords: true })).to.be.above(0);
  });

  it("counts sentences less that are near because of their formulas", () => {
    expect(logOdds({ formulaShare: 0.2 })).to.be.below(usual);
    expect(logOdds({ formulaShare: 0.5 })).to.equal(logOdds({ formulaShare: 0.3 }));
  });

  it("is not made by one figure alone", () => {
    expect(logOdds({ words: 15, meaning: -0.2, namesFound: 0 })).to.be.below(0);
    expect(logOdds({ words: -10, meaning: 0.3, namesFound: 0, namesMissing: 4 })).to.be.below(0);
    // Made-up words have similar vectors, and none in common.
    expect(logOdds({ words: -30, meaning: 0.3, namesFound: 0, namesMissing: 0, length: 1_200 })).to.be.below(
      -3,
    );
    // One sentence with the same names is a fact that both know.
    expect(
      logOdds({ sourceSentences: 1, length: 120, words: 4, namesFound: 3, namesMissing: 0 }),
    ).to.be.below(0);
  });

  it("is supported by other paragraphs from the same document, within bounds", () => {
    expect(supportOf(-3)).to.equal(0);
    expect(supportOf(0)).to.be.within(0.5, 1);
    expect(supportOf(100)).to.equal(SUPPORT_GREATEST);
  });
});

describe("the decision that a passage was translated", () => {
  const QUERY_SENTENCES = 20;
  const evidence = { meaning: 0.9, meaningElsewhere: 0.2, sentences: 3 };

  it("asks for sentences that are near on average and nearer than others of the source", () => {
    expect(translatedLogOdds(evidence, QUERY_SENTENCES)).to.be.above(0);
    expect(translatedLogOdds({ ...evidence, meaning: 0.3 }, QUERY_SENTENCES)).to.be.below(0);
    expect(translatedLogOdds({ ...evidence, sentences: 12 }, QUERY_SENTENCES)).to.be.below(0);
    expect(translatedLogOdds({ ...evidence, meaningElsewhere: 1 }, QUERY_SENTENCES)).to.be.below(0);
  });

  it("takes a chapter for a translation although it resembles the rest of its source too", () => {
    const chapter = { meaning: 0.35 * 150, meaningElsewhere: 0.2 * 150, sentences: 150 };
    expect(translatedLogOdds(chapter, 150)).to.be.above(0);
  });

  it("asks more of a long query", () => {
    const usual = translatedLogOdds(evidence, QUERY_SENTENCES);
    expect(translatedLogOdds(evidence, 500)).to.be.closeTo(usual - Math.log(20), 1e-9);
  });
});

describe("the decision between members of a batch", () => {
  const exceeds = (isTranslated: boolean, margins: readonly number[], logOdds = 2, members = 20) =>
    exceedsOneSubject({ isTranslated, logOdds, margins }, members);

  it("asks more of members, which may be essays on one subject", () => {
    expect(exceeds(false, [0.25, 0.3])).to.equal(false);
    expect(exceeds(false, [0.25, 0.36])).to.equal(true);
    expect(exceeds(true, [0.15, 0.26])).to.equal(true);
    expect(exceeds(true, [0.15, 0.2])).to.equal(false);
  });

  it("asks for more evidence of reworded text the more members there are", () => {
    expect(exceeds(false, [0.35, 0.35], 2, 100)).to.equal(true);
    expect(exceeds(false, [0.35, 0.35], 2, 1_000)).to.equal(false);
    expect(exceeds(false, [0.35, 0.35], 5.5, 1_000)).to.equal(true);
    expect(exceeds(true, [0.35, 0.35], 2, 1_000)).to.equal(true);
  });
});
