import { expect } from "chai";
import { termsOf } from "../../../src/matching/meaning/shared-words.ts";
import { windowedTerms, windowWords, wordEvidence } from "../../../src/matching/meaning/word-evidence.ts";

const COUNTS = {
  chunks: 10_000,
  chunksWith: new Map([
    ["the", 9_000],
    ["lamp", 2_000],
    ["keeper", 3],
  ]),
};
const terms = (text: string) => termsOf(text, "en");
const filler = (sentences: number) => Array.from({ length: sentences }, () => terms("wheat prices fell"));

/** The evidence of one query sentence for each source sentence. */
const evidence = (query: string, source: readonly ReadonlySet<string>[]) => [
  ...(wordEvidence([terms(query)], known(query, source), source.length)[0] ?? []),
];

function known(query: string, source: readonly ReadonlySet<string>[]) {
  return windowedTerms(
    terms(query),
    source.map((ofSentence) => ({ terms: ofSentence })),
    COUNTS,
  );
}

describe("the evidence of words for a pair of sentences", () => {
  it("is greatest where the rare words are, and negative where none is", () => {
    const found = evidence("the keeper of the lamp", [...filler(6), terms("a keeper climbed"), ...filler(6)]);
    expect(found.indexOf(Math.max(...found))).to.be.oneOf([4, 5, 6]);
    expect(found[6]).to.be.above(1);
    expect(found[0]).to.be.below(0);
  });

  it("shrinks with the sentences of the source that have the word too", () => {
    const once = evidence("the keeper slept", [terms("a keeper climbed"), ...filler(20)]);
    const often = evidence("the keeper slept", [
      terms("a keeper climbed"),
      ...filler(17),
      terms("keeper"),
      terms("keeper"),
      terms("keeper"),
    ]);
    expect(once[0]).to.be.above((often[0] ?? 0) + 0.5);
  });

  it("adds up the words of up to three sentences in a row, each word once", () => {
    const split = [terms("Ada drew"), terms("Brahms wept"), terms("Cuvier dug"), ...filler(20)];
    const [whole] = evidence("Ada, Brahms and Cuvier", split);
    const [apart] = evidence("Ada, Brahms and Cuvier", [terms("Ada drew"), ...filler(22)]);
    expect(whole).to.be.above((apart ?? 0) + 3);
    const [twice] = evidence("Ada", [terms("Ada drew"), terms("Ada slept"), ...filler(21)]);
    const [single] = evidence("Ada", [terms("Ada drew"), ...filler(22)]);
    expect(twice).to.be.below(single ?? 0);
  });

  it("has a row for each query sentence, also for an empty source", () => {
    const rows = wordEvidence([terms("one"), terms("two")], known("one two", []), 0);
    expect(rows.map(({ length }) => length)).to.deep.equal([0, 0]);
  });
});

describe("the evidence of words for a window", () => {
  const source = [terms("Ada drew"), terms("Brahms wept"), terms("Ada slept"), ...filler(20)];
  const windows = [
    { start: 0, end: 2 },
    { start: 1, end: 4 },
    { start: 3, end: 6 },
  ];
  const ofWindows = (query: string) => [
    ...windowWords([...known(query, source).values()], windows, source.length),
  ];

  it("counts each word once, and most in the narrowest window that has it", () => {
    const [first = 0, second = 0, third = 0] = ofWindows("Brahms");
    expect(first).to.be.above(second);
    expect(second).to.be.above(third);
    const [once = 0] = windowWords([...known("Ada", source).values()], [{ start: 0, end: 1 }], source.length);
    const [twice = 0] = windowWords(
      [...known("Ada", source).values()],
      [{ start: 0, end: 3 }],
      source.length,
    );
    expect(twice).to.be.below(once);
  });

  it("adds up the words of a window, and takes off each that is missing", () => {
    const [both = 0, , none = 0] = ofWindows("Ada and Brahms");
    const [one = 0] = ofWindows("Ada and Cuvier");
    expect(both).to.be.above(one + 2);
    expect(none).to.be.below(0);
  });
});
