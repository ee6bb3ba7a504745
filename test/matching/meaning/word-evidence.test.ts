import { expect } from "chai";
import { termsOf } from "../../../src/matching/meaning/shared-words.ts";
import { wordEvidence } from "../../../src/matching/meaning/word-evidence.ts";

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
  ...(wordEvidence([terms(query)], source, COUNTS)[0] ?? []),
];

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
    expect(wordEvidence([terms("one"), terms("two")], [], COUNTS).map(({ length }) => length)).to.deep.equal([
      0, 0,
    ]);
  });
});
