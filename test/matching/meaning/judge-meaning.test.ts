import { expect } from "chai";
import {
  droppedByDocument,
  type JudgedMeaning,
  judgeMeaning,
  passagesByDocument,
  supported,
} from "../../../src/matching/meaning/judge-meaning.ts";
import type { SourcePassage } from "../../../src/matching/words/source-passage.ts";
import { codePointLength } from "../../../src/text/code-points.ts";
import type { Span } from "../../../src/text/span.ts";
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

  it("are whole where a paragraph and a part of it hold", () => {
    const paragraph = judged("a", 1, 0);
    const part = { ...paragraph.passage, query: { start: 20, end: 60 } };
    const both = [paragraph, { documentId: "a", logOdds: 5, passage: part }];
    expect(summary(both)).to.deep.equal([["a", [[0, 0]]]]);
    const weak = { ...paragraph, logOdds: -1 };
    expect(summary([weak, ...both.slice(1)])).to.deep.equal([["a", [[20, 0]]]]);
  });

  it("do not depend on the order in which they were judged", () => {
    expect(summary(all.toReversed())).to.deep.equal(expected);
    expect(summary([...all.slice(2), ...all.slice(0, 2)])).to.deep.equal(expected);
  });
});

describe("the matches by meaning that are nearly reported", () => {
  const weak = judged;
  const startsOf = (given: readonly JudgedMeaning[]) =>
    [...droppedByDocument(given, passagesByDocument([judged("a", 2, 0)]))].map(
      ([documentId, { matches, counts }]) => [documentId, matches.map(({ query }) => query.start), counts],
    );

  it("are listed unless most of their text is in a passage or in a better match of their document", () => {
    const all = [weak("a", -1, 30), weak("a", -2, 60), weak("a", -1, 80), weak("b", -0.5, 30)];
    const expected = [
      ["b", [30], { weak_meaning: 1 }],
      ["a", [80], { weak_meaning: 1 }],
    ];
    expect(startsOf(all)).to.deep.equal(expected);
    expect(startsOf(all.toReversed())).to.deep.equal(expected);
  });

  it("are the first of the source where it repeats itself, whichever was judged first", () => {
    const all = [weak("a", -1, 500, 900), weak("a", -1, 500, 100)];
    const sources = (given: readonly JudgedMeaning[]) =>
      [...droppedByDocument(given, new Map()).values()].flatMap(({ matches }) =>
        matches.map(({ sourceDocument }) => sourceDocument.utf16.start),
      );
    expect(sources(all)).to.deep.equal([100]);
    expect(sources(all.toReversed())).to.deep.equal([100]);
  });

  it("are all counted, and the best five of a document listed", () => {
    const many = Array.from({ length: 8 }, (_, at) => weak("a", -1 - at / 10, 1_000 * (1 + at)));
    expect(startsOf(many)).to.deep.equal([["a", [1_000, 2_000, 3_000, 4_000, 5_000], { weak_meaning: 8 }]]);
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
        background: 0,
        isCovered: false,
        startsParagraph: at === 0,
      }));
      const counts = { chunks: 0, chunksWith: new Map() };
      const asked = {
        model: MODEL,
        text: "Ein Fisch schwimmt im Meer. ".repeat(5),
        language: "de",
        sentences: 2,
        counts,
      };
      const judgedPassages = judgeMeaning({ ...asked, detectLanguage: () => undefined }, [
        {
          documentId: "a",
          query,
          language: "en",
          chunkOffsets,
          byWords: [],
          around: known,
          sentences: spans.flatMap((span, at) =>
            at < fromSentence ? [] : [{ span, cell: 0, background: 0, code: codeOf(vectorOf(at)) }],
          ),
        },
      ]);
      const [found] = passagesByDocument(judgedPassages).get("a") ?? [];
      const utf16 = { start: startOf(first), end: spans[first + 1]?.end ?? 0 };
      const inCodePoints = (from: number) => ({
        start: codePointLength(text.slice(from, utf16.start)),
        end: codePointLength(text.slice(from, utf16.end)),
      });
      const chunkStart = borders[chunk] ?? 0;
      expect(found).to.deep.include({
        sourceChunkIndex: chunk,
        sourceChunk: {
          utf16: { start: utf16.start - chunkStart, end: utf16.end - chunkStart },
          codePoint: inCodePoints(chunkStart),
        },
        sourceDocument: { utf16, codePoint: inCodePoints(0) },
      });
    });
});

describe("a passage beside others from the same document", () => {
  it("is supported by the best one of other query text", () => {
    const all = [judged("a", 5, 0), judged("a", 4, 20), judged("a", -1, 300), judged("b", -1, 300)];
    const scores = supported(all).map(({ logOdds }) => logOdds);
    expect(scores[0]).to.be.within(5, 6);
    expect(scores[2]).to.be.above(0);
    expect(scores[3]).to.equal(-1);
    expect(supported(all)[2]?.passage.evidence?.score).to.be.closeTo(scores[2] ?? 0, 0.01);
  });
});

describe("the evidence for a passage that is found by meaning", () => {
  const source = [
    "In the year 1859 the keepers of Bell Rock lit thirty lamps.",
    "Ada Hope counted 30 of them every evening.",
    "The tower stood on a reef far from the coast.",
    "Ships passed it at night without any harm.",
    "Nobody had slept on that reef before the keepers came.",
    "A boat brought bread and oil each month.",
  ];
  const starts = source.map((_, at) => source.slice(0, at).join(" ").length + Math.min(at, 1));

  /**
   * Judges a reworded text of two sentences, whose meaning is that of the first two of the source.
   * @param byWords where in the source words have found the first one, if they have.
   * @param background of each sentence: the higher it is, the less similar are the texts.
   */
  function judgeReworded(
    sentences: readonly [string, string],
    {
      byWords,
      language = "en",
      background = 0.02,
    }: { readonly byWords?: Span; readonly language?: string; readonly background?: number } = {},
  ) {
    const text = sentences.join(" ");
    const spans = [
      { start: 0, end: sentences[0].length },
      { start: sentences[0].length + 1, end: text.length },
    ];
    const end = source.join(" ").length;
    const all = judgeMeaning(
      {
        model: MODEL,
        text,
        language,
        sentences: 2,
        counts: { chunks: 0, chunksWith: new Map() },
        detectLanguage: () => undefined,
      },
      [
        {
          documentId: "a",
          query: spans.map((span, at) => ({
            span,
            vector: vectorOf(at),
            background,
            isCovered: byWords !== undefined && at === 0,
            startsParagraph: at === 0,
          })),
          language: "en",
          chunkOffsets: { utf16: [0, end], codePoints: [0, end] },
          byWords:
            byWords === undefined || spans[0] === undefined ? [] : [{ query: spans[0], source: byWords }],
          around: { start: 0, text: source.join(" ") },
          sentences: source.map((sentence, at) => {
            const start = starts[at] ?? 0;
            const span = { start, end: start + sentence.length };
            return { span, cell: 0, background, code: codeOf(vectorOf(at)) };
          }),
        },
      ],
    );
    const passages = passagesByDocument(all);
    const weak = droppedByDocument(all, passages).get("a")?.matches ?? [];
    return { passages: passages.get("a") ?? [], weak };
  }

  it("is weaker where the source lacks names and numbers of the passage", () => {
    const [same] = judgeReworded([
      "Thirty lights were kindled at Bell Rock by its wardens during 1859.",
      "Each nightfall Ada Hope made sure that all 30 burned.",
    ]).passages;
    const [renamed] = judgeReworded([
      "Thirty lights were kindled at Bell Rock by its wardens during 1859.",
      "Each nightfall Ben Hope made sure that all 30 burned.",
    ]).passages;
    expect(same?.evidence?.meaning?.ownNames).to.deep.equal([]);
    expect(renamed?.evidence?.meaning?.ownNames).to.deep.equal(["Ben"]);
    expect(renamed?.evidence?.score).to.be.below(same?.evidence?.score ?? 0);
    const elsewhere = judgeReworded([
      "Thirty lights were kindled at Cape Wrath by its wardens during 1828.",
      "Each nightfall Ben Gray made sure that all 19 burned.",
    ]);
    expect(elsewhere.passages).to.deep.equal([]);
  });

  it("lets a match that was nearly reported be listed, with the names that the source lacks", () => {
    const text = [
      "Thirty lights were kindled at Cape Rock by its wardens during 1828.",
      "Each nightfall Ben Gray made sure that all 30 burned.",
    ] as const;
    const { passages, weak } = judgeReworded(text);
    expect(passages).to.deep.equal([]);
    const [match, ...others] = weak;
    expect(others).to.deep.equal([]);
    const span = { start: 0, end: (starts[1] ?? 0) + (source[1] ?? "").length };
    expect(match).to.deep.include({
      query: { start: 0, end: text.join(" ").length },
      sourceDocument: { utf16: span, codePoint: span },
      reason: "weak_meaning",
      matchedWords: 0,
      ownNames: ["Cape", "1828", "Ben", "Gray"],
    });
    expect(match?.score).to.be.within(-3, 0);
  });

  it("lists no names of a match between two languages", () => {
    const text = ["Dreißig Lampen brannten 1828 am Kap.", "Ben Gray zählte sie jeden Abend."] as const;
    const [found] = judgeReworded(text, { language: "de" }).passages;
    const margins = (found?.evidence?.meaning?.pairs ?? []).map(({ margin }) => margin);
    const sum = margins.reduce((all, margin) => all + margin, 0);
    // A sum of .3 is between -3 and 0 on the scale of translations.
    const { passages, weak } = judgeReworded(text, { language: "de", background: 0.02 + (sum - 0.3) / 2 });
    expect(passages).to.deep.equal([]);
    expect(weak.map(({ reason, ownNames }) => [reason, ownNames])).to.deep.equal([
      ["weak_meaning", undefined],
    ]);
  });

  it("is stronger beside a passage that words have found at the same place", () => {
    const text = [
      "In 1859 the keepers of Bell Rock lit thirty lamps.",
      "By nightfall all burned, for Ada Hope had gone round and looked after them, as she did every evening.",
    ] as const;
    const [found] = judgeReworded(text, { byWords: { start: 0, end: source[0]?.length ?? 0 } }).passages;
    expect(found?.query.start).to.equal(text[0].length + 1);
    const far = { start: 10_000, end: 10_100 };
    expect(judgeReworded(text, { byWords: far }).passages).to.deep.equal([]);
  });
});
