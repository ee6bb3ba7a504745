import { expect } from "chai";
import type { SourcePassage } from "../../../src/core/report/report.ts";
import { type JudgedMeaning, passagesByDocument } from "../../../src/core/semantic/judge-meaning.ts";

function judged(documentId: string, logOdds: number, start: number, sourceStart = 0): JudgedMeaning {
  const range = (from: number) => {
    const span = { start: from, end: from + 100 };
    return { utf16: span, codePoint: span };
  };
  const passage: SourcePassage = {
    query: { start, end: start + 100 },
    sourceChunkIndex: 0,
    sourceChunk: range(sourceStart),
    sourceDocument: range(sourceStart),
    matchType: "paraphrased",
    preview: "",
    evidence: { matchedWords: 0, seeds: 1, similarity: 0, score: logOdds },
  };
  return { documentId, logOdds, passage };
}

describe("the passages that are found by meaning", () => {
  const all = [
    judged("a", 2, 0),
    judged("a", 3, 30),
    judged("a", 1, 200),
    judged("a", 1, 200, 500),
    judged("b", 4, 0),
  ];
  const summary = (given: readonly JudgedMeaning[]) =>
    [...passagesByDocument(given)].map(([documentId, passages]) => [
      documentId,
      passages.map(({ query, sourceDocument }) => [query.start, sourceDocument.utf16.start]),
    ]);
  const expected = [
    ["b", [[0, 0]]],
    [
      "a",
      [
        [30, 0],
        [200, 0],
      ],
    ],
  ];

  it("are those that share little with a better one of their document, best first", () => {
    expect(summary(all)).to.deep.equal(expected);
  });

  it("do not depend on the order in which they were judged", () => {
    expect(summary(all.toReversed())).to.deep.equal(expected);
    expect(summary([...all.slice(2), ...all.slice(0, 2)])).to.deep.equal(expected);
  });
});
