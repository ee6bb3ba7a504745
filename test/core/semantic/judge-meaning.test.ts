import { expect } from "chai";
import type { SourcePassage } from "../../../src/core/report/report.ts";
import {
  type JudgedMeaning,
  judgeMeaning,
  passagesByDocument,
} from "../../../src/core/semantic/judge-meaning.ts";
import { codePointLength } from "../../../src/core/text/code-points.ts";
import type { Span } from "../../../src/core/text/span.ts";
import { codeOf, MODEL, vectorOf } from "./small-model.ts";

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

describe("the place of a passage that is found by meaning", () => {
  const sentences = Array.from({ length: 12 }, (_, at) => `\u{1d538}${at} \u{1f41f} swims \u{1d55d}. `);
  const text = sentences.join("");
  const spans: readonly Span[] = sentences.map((sentence, at) => {
    const start = sentences.slice(0, at).join("").length;
    return { start, end: start + sentence.trimEnd().length };
  });
  const startOf = (sentence: number) => spans[sentence]?.start ?? text.length;
  const borders = [0, startOf(5), startOf(9), text.length];
  const chunkOffsets = {
    utf16: borders,
    codePoints: borders.map((border) => codePointLength(text.slice(0, border))),
  };

  for (const [chunk, first, fromSentence] of [
    [0, 2, 0],
    [1, 5, 2],
    [1, 6, 5],
    [2, 9, 3],
    [0, 2, 1],
    [1, 7, 6],
  ] as const)
    it(`is counted in both units: sentence ${first} on, in chunk ${chunk}, where the text from sentence ${fromSentence} on is known`, () => {
      const known = { start: startOf(fromSentence), text: text.slice(startOf(fromSentence)) };
      const copied = [first, first + 1];
      const query = copied.map((sentence, at) => ({
        span: { start: at * 40, end: at * 40 + 30 },
        vector: vectorOf(sentence),
        background: 0.1,
        isCovered: false,
      }));
      const counts = { chunks: 0, chunksWith: new Map() };
      const asked = {
        model: MODEL,
        text: "Ein Fisch schwimmt im Meer. ".repeat(5),
        language: "de",
        sentences: 2,
        counts,
      };
      const [found] = judgeMeaning({ ...asked, detectLanguage: () => undefined }, [
        {
          documentId: "a",
          query,
          language: "en",
          chunkOffsets,
          around: known,
          sentences: spans.flatMap((span, at) =>
            at < fromSentence ? [] : [{ span, cell: 0, background: 0.1, code: codeOf(at) }],
          ),
        },
      ]);
      const utf16 = { start: startOf(first), end: spans[first + 1]?.end ?? 0 };
      const inCodePoints = (from: number) => ({
        start: codePointLength(text.slice(from, utf16.start)),
        end: codePointLength(text.slice(from, utf16.end)),
      });
      const chunkStart = borders[chunk] ?? 0;
      expect(found?.passage).to.deep.include({
        sourceChunkIndex: chunk,
        sourceChunk: {
          utf16: { start: utf16.start - chunkStart, end: utf16.end - chunkStart },
          codePoint: inCodePoints(chunkStart),
        },
        sourceDocument: { utf16, codePoint: inCodePoints(0) },
      });
    });
});
