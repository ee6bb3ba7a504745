import { expect } from "chai";
import { searchPriority } from "../../../src/core/retrieval/search-terms.ts";

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
    expect(searchPriority(chunks, { shingles, words })).to.deep.equal([2, 1, 3, 0]);
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
    expect(searchPriority(chunks, { shingles, words })).to.deep.equal([6, 8, 7, 4, 5]);
  });
});
