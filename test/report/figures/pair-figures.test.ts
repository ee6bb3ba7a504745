import { expect } from "chai";
import { seenFromSource } from "../../../src/report/figures/pair-figures.ts";
import { codePointOffsets } from "../../../src/text/code-points.ts";

describe("a passage that meaning has found, seen from the source", () => {
  it("has its pairs the other way round, and no names that only the other text has", () => {
    const range = { utf16: { start: 5, end: 9 }, codePoint: { start: 5, end: 9 } };
    const meaning = {
      pairs: [{ query: { start: 0, end: 4 }, source: range, margin: 0.3 }],
      sharedWords: ["1859"],
      ownNames: ["Ada"],
      languages: { query: "de", source: "en" },
    };
    const seen = seenFromSource(
      {
        query: { start: 0, end: 4 },
        sourceChunkIndex: 0,
        sourceChunk: range,
        sourceDocument: range,
        matchType: "translated",
        preview: "",
        evidence: { matchedWords: 0, seeds: 1, similarity: 0, score: 1, meaning },
      },
      codePointOffsets("Text and more"),
    );
    const own = { start: 0, end: 4 };
    expect(seen.evidence?.meaning).to.deep.equal({
      pairs: [{ query: { start: 5, end: 9 }, source: { utf16: own, codePoint: own }, margin: 0.3 }],
      sharedWords: ["1859"],
      languages: { query: "en", source: "de" },
    });
  });
});
