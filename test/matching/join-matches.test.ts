import { expect } from "chai";
import { joinMatches } from "../../src/matching/match.ts";
import type { DroppedMatch, DroppedMatches } from "../../src/matching/words/dropped-matches.ts";
import type { SourcePassage } from "../../src/matching/words/source-passage.ts";

const span = { start: 0, end: 9 };
const range = { utf16: span, codePoint: span };
const passage = (preview: string): SourcePassage => ({
  query: span,
  sourceChunkIndex: 0,
  sourceChunk: range,
  sourceDocument: range,
  matchType: "paraphrased",
  preview,
});
const dropped = (reason: DroppedMatch["reason"], score: number): DroppedMatches => ({
  matches: [{ query: span, sourceDocument: range, reason, matchedWords: 0, score }],
  counts: { [reason]: 1 },
});

describe("what words and meaning have found", () => {
  it("is joined by document: passages of both, and dropped matches of both", () => {
    const found = joinMatches(
      [
        { documentId: "both", passages: [passage("words")], dropped: dropped("too_short", -9) },
        { documentId: "words", passages: [], dropped: dropped("set_phrase", -4) },
      ],
      {
        passages: new Map([
          ["both", [passage("meaning")]],
          ["meaning", [passage("alone")]],
        ]),
        dropped: new Map([
          ["both", dropped("weak_meaning", -1)],
          ["nearly", dropped("weak_meaning", -2)],
        ]),
      },
    );
    const summary = found.map(({ documentId, passages, dropped: { matches, counts } }) => [
      documentId,
      passages.map(({ preview }) => preview),
      matches.map(({ score }) => score),
      counts,
    ]);
    expect(summary).to.deep.equal([
      ["both", ["words", "meaning"], [-1, -9], { too_short: 1, weak_meaning: 1 }],
      ["words", [], [-4], { set_phrase: 1 }],
      ["meaning", ["alone"], [], {}],
      ["nearly", [], [-2], { weak_meaning: 1 }],
    ]);
  });
});
