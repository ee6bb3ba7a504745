import { expect } from "chai";
import type { FindByWords } from "../../src/matching/find-by-words.ts";
import { type ChunkAddress, SHINGLE_EVIDENCE } from "../../src/matching/words/reuse-evidence.ts";
import { chunks, fakeSearch, hit, progressLog, query, retrieve } from "./retrieval-parts.ts";

describe("retrieving by shingles and by words", () => {
  it("leaves it to the words which of a few hits with a single shingle count; all count for a short query", async () => {
    const { search } = fakeSearch(() => ({
      hits: [
        ...Array.from({ length: 10 }, (_, at) => hit(`strong${at}`, 0, 2)),
        ...Array.from({ length: 10 }, (_, at) => hit(`weak${at}`, 0, 1)),
      ],
      complete: true,
    }));
    const asked: (readonly ChunkAddress[])[] = [];
    const findByWords: FindByWords = async (_, doubtful) => {
      asked.push(...(await doubtful));
      return (await doubtful).map((found) => ({
        isComplete: true,
        found: found
          .slice(0, 1)
          .map((chunk) => ({ ...chunk, sharedTerms: 3, evidence: 27, isSufficient: true })),
      }));
    };
    const retrieveFor = (terms: readonly string[]) =>
      retrieve({ shingleLists: [terms], search, findByWords });

    const { pairs: long, documentsToAlign } = await retrieveFor([
      "0",
      ...Array.from({ length: 40 }, (_, at) => `term ${at}`),
    ]);
    expect([...long.keys()].filter((name) => name.startsWith("strong"))).to.have.lengthOf(10);
    expect(asked[0]?.length).to.be.within(2, 9);
    expect([...long.keys()].filter((name) => name.startsWith("weak"))).to.deep.equal(["weak0"]);
    expect(long.get("weak0")).to.deep.equal([
      { queryChunk: 0, chunkIndex: 0, sharedShingles: 1, sharedTerms: 3 },
    ]);
    expect(documentsToAlign.get("strong0")).to.deep.equal(new Map([[0, 2 * SHINGLE_EVIDENCE]]));
    expect(documentsToAlign.get("weak0")).to.deep.equal(new Map([[0, 27]]));
    expect([...(await retrieveFor(["0"])).pairs]).to.have.lengthOf(20);
    expect(asked[1]).to.deep.equal([]);
  });

  it("joins what shingles and words found, each chunk once, and repeats a search whose words were not complete", async () => {
    const { search, asked } = fakeSearch(() => ({
      hits: [hit("both", 1), hit("shingles", 2)],
      complete: true,
    }));
    const words = (documentId: string, chunkIndex: number) => ({
      ...{ documentId, chunkIndex },
      ...{
        sharedTerms: 4,
        evidence: documentId === "both" && chunkIndex === 1 ? 15 : 30,
        isSufficient: true,
      },
    });
    let time = 0;
    const findByWords: FindByWords = async (queryChunks) => {
      time += 1;
      return queryChunks.map(() => ({
        isComplete: time > 1,
        found: [words("both", 1), words("both", 5), words("words", 3)],
      }));
    };
    const { log, onProgress } = progressLog();
    const { documentsToAlign, pairs, checkedChunks } = await retrieve({
      shingleLists: query(1),
      search,
      findByWords,
      onProgress,
    });
    expect([log, checkedChunks, asked.get(0)]).to.deep.equal([[0, 1], 1, 2]);
    expect(documentsToAlign).to.deep.equal(
      new Map([
        [
          "both",
          new Map([
            [1, 15 + 5 * SHINGLE_EVIDENCE],
            [5, 30],
          ]),
        ],
        ["shingles", chunks(2)],
        ["words", new Map([[3, 30]])],
      ]),
    );
    const shared = [...pairs].map(([name, found]) => [
      name,
      found.map(({ sharedShingles, sharedTerms }) => [sharedShingles, sharedTerms]),
    ]);
    expect(Object.fromEntries(shared)).to.deep.equal({
      both: [
        [5, 4],
        [0, 4],
      ],
      shingles: [[5, 0]],
      words: [[0, 4]],
    });
  });

  it("keeps for each chunk the greatest evidence that any part of the query has", async () => {
    const { search } = fakeSearch(() => ({ hits: [], complete: true }));
    const evidence = [30, 20, 15];
    const findByWords: FindByWords = async (queryChunks) =>
      queryChunks.map((at) => ({
        isComplete: true,
        found: [
          { documentId: "d", chunkIndex: 4, sharedTerms: 4, evidence: evidence[at] ?? 0, isSufficient: true },
          { documentId: "d", chunkIndex: 5, sharedTerms: 4, evidence: 20, isSufficient: false },
        ],
      }));
    const { documentsToAlign } = await retrieve({ shingleLists: query(3), search, findByWords });
    expect(documentsToAlign.get("d")).to.deep.equal(
      new Map([
        [4, 30],
        [5, 20],
      ]),
    );
  });

  it("aligns no document without a chunk that has evidence enough, but keeps its pairs of chunks", async () => {
    const { search } = fakeSearch(() => ({ hits: [], complete: true }));
    const words = (documentId: string, chunkIndex: number, evidence: number) => ({
      ...{ documentId, chunkIndex, evidence },
      ...{ sharedTerms: 4, isSufficient: evidence >= 21 },
    });
    const findByWords: FindByWords = async (queryChunks) =>
      queryChunks.map(() => ({
        isComplete: true,
        found: [words("enough", 1, 21), words("enough", 2, 15), words("little", 1, 20.9)],
      }));
    const { documentsToAlign, pairs } = await retrieve({ shingleLists: query(2), search, findByWords });
    expect([...documentsToAlign]).to.deep.equal([
      [
        "enough",
        new Map([
          [1, 21],
          [2, 15],
        ]),
      ],
    ]);
    expect([...pairs.keys()]).to.deep.equal(["enough", "little"]);
  });

  it("aligns what shingles prove, however large the corpus is and however little the words say", async () => {
    const { search } = fakeSearch(() => ({ hits: [hit("d", 1)], complete: true }));
    const findByWords: FindByWords = async (queryChunks) =>
      queryChunks.map(() => ({
        isComplete: true,
        found: [{ documentId: "d", chunkIndex: 1, sharedTerms: 4, evidence: 22, isSufficient: false }],
      }));
    const { documentsToAlign } = await retrieve({ shingleLists: query(1), search, findByWords });
    expect([...documentsToAlign.keys()]).to.deep.equal(["d"]);
  });

  it("keeps what a search found when its repetition finds less, as one that is rejected does", async () => {
    const { search } = fakeSearch(() => ({ hits: [], complete: true }));
    let time = 0;
    const findByWords: FindByWords = async (queryChunks) => {
      time += 1;
      const first = [{ documentId: "d", chunkIndex: 1, sharedTerms: 4, evidence: 30, isSufficient: true }];
      return queryChunks.map(() => ({ isComplete: time > 1, found: time > 1 ? [] : first }));
    };
    const kept: number[] = [];
    const { documentsToAlign, pairs } = await retrieve({
      shingleLists: query(1),
      ...{ search, findByWords },
      onProgress: async (_, [chunk]) => void kept.push(chunk?.found.length ?? 0),
    });
    expect(documentsToAlign).to.deep.equal(new Map([["d", new Map([[1, 30]])]]));
    expect([...pairs.keys()]).to.deep.equal(["d"]);
    expect(kept).to.deep.equal([1, 1]);
  });

  it("asks once a batch, after both searches, whether the index is current; where it is not, nothing is kept", async () => {
    const steps: string[] = [];
    const { search } = fakeSearch(
      () => ({ hits: [hit("d")], complete: true }),
      () => steps.push("shingles"),
    );
    const findByWords: FindByWords = async (queryChunks) => {
      steps.push("words");
      return queryChunks.map(() => ({ isComplete: true, found: [] }));
    };
    const { log, onProgress } = progressLog();
    const retrieving = (chunks: number, assertCurrent: () => Promise<void>) =>
      retrieve({ shingleLists: query(chunks), search, findByWords, assertCurrent, onProgress });
    await retrieving(16, async () => void steps.push("current"));
    expect(steps).to.deep.equal(["shingles", "words", "current"]);
    steps.length = 0;
    await retrieving(20, async () => {
      const times = (name: string) => steps.filter((step) => step === name).length;
      // Two batches may be under way; each asks after its own searches.
      expect(Math.min(times("shingles"), times("words"))).to.be.above(times("current"));
      steps.push("current");
    });
    expect(steps.toSorted()).to.deep.equal(["current", "current", "shingles", "shingles", "words", "words"]);
    const logged = log.length;
    const failed = retrieving(20, () => Promise.reject(new Error("outdated")));
    expect(await failed.catch((error: Error) => error.message)).to.equal("outdated");
    expect(log).to.have.lengthOf(logged);
  });

  it("searches for a batch while the one before is weighed; the order of the results is that of the searches", async () => {
    const { search } = fakeSearch(() => ({ hits: [], complete: true }));
    const started: number[] = [];
    const firstIsWeighed = Promise.withResolvers<void>();
    const findByWords: FindByWords = async (queryChunks) => {
      const [first = 0] = queryChunks;
      started.push(first);
      if (first === 0) await firstIsWeighed.promise;
      else if (first === 16) setImmediate(firstIsWeighed.resolve);
      return queryChunks.map((chunk) => ({
        isComplete: true,
        found: [{ documentId: `d${chunk}`, chunkIndex: 0, sharedTerms: 4, evidence: 30, isSufficient: true }],
      }));
    };
    const { log, onProgress } = progressLog();
    const { pairs, documentsToAlign } = await retrieve({
      shingleLists: query(40),
      search,
      findByWords,
      onProgress,
    });
    expect(started).to.deep.equal([0, 16, 32]);
    expect(log).to.deep.equal([16, 32, 40]);
    const inOrder = Array.from({ length: 40 }, (_, chunk) => `d${chunk}`);
    expect([...documentsToAlign.keys()]).to.deep.equal(inOrder);
    expect([...pairs.keys()]).to.deep.equal(inOrder);
  });
});
