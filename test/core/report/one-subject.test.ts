import { expect } from "chai";
import type { MatchType } from "../../../src/core/alignment/match-type.ts";
import { exceedsOneSubject } from "../../../src/core/report/one-subject.ts";

describe("what two texts on one subject have in common", () => {
  const span = { start: 0, end: 100 };
  const range = { utf16: span, codePoint: span };

  const byMeaning = (matchType: MatchType, margins: readonly number[]) => ({
    matchType,
    evidence: {
      ...{ matchedWords: 0, seeds: margins.length, similarity: 0, score: 1 },
      meaning: { pairs: margins.map((margin) => ({ query: span, source: range, margin })), sharedWords: [] },
    },
  });
  const byWords = (matchType: MatchType, matchedWords: number, score: number) => ({
    matchType,
    evidence: { matchedWords, seeds: 1, similarity: 0.3, score },
  });

  it("are sentences that are less near than those of reused passages", () => {
    expect(exceedsOneSubject(byMeaning("paraphrased", [0.25, 0.3]))).to.equal(false);
    expect(exceedsOneSubject(byMeaning("paraphrased", [0.25, 0.36]))).to.equal(true);
    expect(exceedsOneSubject(byMeaning("translated", [0.15, 0.26]))).to.equal(true);
    expect(exceedsOneSubject(byMeaning("translated", [0.15, 0.2]))).to.equal(false);
  });

  it("are words that say less than those of reworded passages", () => {
    expect(exceedsOneSubject(byWords("paraphrased", 60, 40))).to.equal(false);
    expect(exceedsOneSubject(byWords("paraphrased", 60, 48))).to.equal(true);
  });

  it("are no copies, however common their words are", () => {
    expect(exceedsOneSubject(byWords("identical", 30, -2))).to.equal(true);
    expect(exceedsOneSubject(byWords("minor_changes", 30, 5))).to.equal(true);
  });
});
