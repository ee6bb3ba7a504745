import { expect } from "chai";
import type { TermCounts } from "../../../src/matching/words/search-terms.ts";
import {
  bySearchPriority,
  searchWeight,
  searchWindows,
  termShare,
} from "../../../src/matching/words/search-terms.ts";

const numbered = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => `w${from + at}`).join(" ");

const corpus = (chunks: number, entries: Iterable<readonly [string, number]>): TermCounts => ({
  chunks,
  chunksWith: new Map(entries),
});

/** Every word from w0 on is in as many chunks as its number says, and one. */
const rising = (chunks: number, words: number) =>
  corpus(
    chunks,
    Array.from({ length: words }, (_, at) => [`w${at}`, at + 1] as const),
  );

describe("word windows", () => {
  it("cover a chunk's words without gaps, each with about one long sentence", () => {
    const windows = searchWindows(numbered(0, 190), rising(20_000, 190));
    expect(windows[0]?.firstWord).to.equal(0);
    for (const [at, { firstWord, endWord }] of windows.entries()) {
      expect(firstWord).to.equal(windows[at - 1]?.endWord ?? 0);
      expect(endWord - firstWord).to.be.within(20, 40);
    }
    expect(windows.at(-1)?.endWord).to.equal(190);
  });

  it("ask for their rarest words, rarest first, with more weight for rarer ones", () => {
    const [window] = searchWindows(numbered(0, 30), rising(20_000, 30));
    expect(window?.terms.map(({ term }) => term)).to.deep.equal(numbered(0, 10).split(" "));
    const weights = window?.terms.map(({ weight }) => weight) ?? [];
    expect(weights).to.deep.equal(weights.toSorted((a, b) => b - a));
    expect(weights[0]).to.be.above(weights.at(-1) ?? 0);
  });

  it("ask for no word that is in no chunk, or in many", () => {
    const counts = corpus(20_000, [
      ["common", 4_000],
      ["rare", 3],
      ["rarer", 2],
    ]);
    const [window] = searchWindows("common rare unseen rarer common", counts);
    expect(window?.terms.map(({ term }) => term)).to.deep.equal(["rarer", "rare"]);
  });

  it("ask for nothing where a single word is rare: to share one says nothing", () => {
    const counts = corpus(20_000, [
      ["common", 4_000],
      ["rare", 3],
    ]);
    expect(searchWindows("common rare common", counts).map(({ terms }) => terms)).to.deep.equal([[]]);
    expect(searchWindows("", counts).map(({ terms }) => terms)).to.deep.equal([[]]);
  });

  it("go through a bounded number of chunks, however large the corpus is", () => {
    const words = numbered(0, 30);
    const everywhere = (chunks: number) =>
      corpus(
        chunks,
        words.split(" ").map((word) => [word, Math.round(chunks / 100)] as const),
      );
    const small = searchWindows(words, everywhere(20_000))[0]?.terms.length ?? 0;
    const large = searchWindows(words, everywhere(2_000_000))[0]?.terms.length ?? 0;
    expect(small).to.equal(10);
    expect(large).to.be.within(4, 5);
  });

  it("take no word of a very small corpus for a common one", () => {
    const counts = corpus(
      2,
      numbered(0, 30)
        .split(" ")
        .map((word) => [word, 2] as const),
    );
    expect(termShare(counts, "w1")).to.be.below(0.05);
    expect(searchWindows(numbered(0, 30), counts)[0]?.terms).to.have.lengthOf(10);
  });
});

const counts = (chunksWith: Readonly<Record<string, number>>) => ({
  chunks: 100_000,
  chunksWith: new Map(Object.entries(chunksWith)),
});

describe("the order in which chunks of a query are searched for", () => {
  const words = counts({ common: 60_000, seldom: 400, rare: 3 });

  it("begins with those of which most shingles stand in the corpus, rare ones before common ones", () => {
    const shingles = counts({ copied1: 1, copied2: 1, phrase1: 40, phrase2: 40 });
    const chunks = [
      { queryChunk: 0, shingles: ["own1", "own2", "own3"], form: "rare rare" },
      { queryChunk: 1, shingles: ["phrase1", "phrase2"], form: "common" },
      { queryChunk: 2, shingles: ["copied1", "copied2"], form: "common" },
      { queryChunk: 3, shingles: ["copied1", "own1"], form: "common" },
    ];
    expect(bySearchPriority(chunks.map((chunk) => searchWeight(chunk, { shingles, words })))).to.deep.equal([
      2, 1, 3, 0,
    ]);
  });

  it("goes by rare words where no shingle stands there, and by the text among equals", () => {
    const shingles = counts({});
    const chunks = [
      { queryChunk: 4, shingles: ["own1"], form: "common common" },
      { queryChunk: 5, shingles: ["own2"], form: "nowhere else" },
      { queryChunk: 6, shingles: [], form: "rare common" },
      { queryChunk: 7, shingles: [], form: "seldom common seldom" },
      { queryChunk: 8, shingles: [], form: "common rare" },
    ];
    expect(bySearchPriority(chunks.map((chunk) => searchWeight(chunk, { shingles, words })))).to.deep.equal([
      6, 8, 7, 4, 5,
    ]);
  });
});
