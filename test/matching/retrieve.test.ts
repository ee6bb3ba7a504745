import { setImmediate } from "node:timers/promises";
import { expect } from "chai";
import type { ChunkSearch } from "../../src/matching/set.ts";
import { TimeBudget } from "../../src/matching/time-budget.ts";
import { chunks, fakeSearch, found, hit, hour, progressLog, query, retrieve } from "./retrieval-parts.ts";

describe("retrieving", () => {
  it("searches once for each chunk of the query, and gives the chunks that were found by document", async () => {
    const { search, asked } = fakeSearch((chunk) => ({
      hits: [hit(`d${chunk % 2}`, chunk)],
      complete: true,
    }));
    const { log, onProgress } = progressLog();
    const { documentsToAlign, checkedChunks } = await retrieve({
      shingleLists: query(40),
      search,
      budget: hour(),
      onProgress,
    });
    expect(checkedChunks).to.equal(40);
    expect([...asked.values()]).to.deep.equal(Array(40).fill(1));
    expect(documentsToAlign.get("d1")).to.deep.equal(
      chunks(...Array.from({ length: 20 }, (_, at) => 2 * at + 1)),
    );
    expect(log).to.deep.equal(log.toSorted((a, b) => a - b));
    expect(log.at(-1)).to.equal(40);
  });

  it("counts a search that timed out or missed a shard as not checked, keeps what it found, and repeats it", async () => {
    const { search, asked } = fakeSearch((chunk, time) => {
      if (chunk === 3 && time === 1) return { hits: [hit("found-at-once")], complete: false };
      if (chunk === 3) return { hits: [hit("found-later")], complete: true };
      return { hits: [], complete: true };
    });
    const { log, onProgress } = progressLog();
    const result = await retrieve({ shingleLists: query(5), search, budget: hour(), onProgress });
    expect(log).to.deep.equal([4, 5]);
    expect(result.checkedChunks).to.equal(5);
    expect(asked.get(3)).to.equal(2);
    expect([...result.documentsToAlign.keys()]).to.have.members(["found-at-once", "found-later"]);
  });

  it("takes a missing answer for an incomplete one, never for no match", async () => {
    let call = 0;
    const search = async (shingleLists: readonly unknown[]): Promise<ChunkSearch[]> => {
      call += 1;
      return call === 1 ? [] : shingleLists.map(() => ({ hits: [], complete: true }));
    };
    const { log, onProgress } = progressLog();
    const { checkedChunks } = await retrieve({ shingleLists: query(2), search, budget: hour(), onProgress });
    expect([checkedChunks, log]).to.deep.equal([2, [0, 2]]);
  });

  it("specification 8: stops early when the time budget is spent, and keeps every match that was found", async () => {
    let now = 0;
    const budget = new TimeBudget(100, 0, () => now);
    const { search, asked } = fakeSearch(
      (chunk) => ({ hits: [hit(`d${chunk}`)], complete: true }),
      () => {
        now += 60;
      },
    );
    const { log, onProgress } = progressLog();
    const { documentsToAlign, checkedChunks } = await retrieve({
      shingleLists: query(100),
      search,
      budget,
      onProgress,
    });
    expect(checkedChunks).to.be.within(1, 99);
    expect(log).to.have.lengthOf(2);
    expect(documentsToAlign.size).to.equal(checkedChunks).and.to.equal(asked.size);
  });

  it("gives up on a shard that stays away when the time budget is spent: its chunks are not checked", async () => {
    let now = 0;
    const budget = new TimeBudget(100, 0, () => now);
    const { search } = fakeSearch(
      (chunk) => ({ hits: [hit(`d${chunk}`)], complete: chunk !== 1 }),
      () => {
        now += 90;
      },
    );
    const { onProgress } = progressLog();
    const { documentsToAlign, checkedChunks } = await retrieve({
      shingleLists: query(3),
      search,
      budget,
      onProgress,
    });
    expect(checkedChunks).to.equal(2);
    expect([...documentsToAlign.keys()]).to.have.members(["d0", "d1", "d2"]);
  });

  it("ends at once when no time is left to repeat an incomplete search", async () => {
    let now = 0;
    const budget = new TimeBudget(100, 0, () => now);
    const { search } = fakeSearch(
      () => ({ hits: [], complete: false }),
      () => {
        now += 200;
      },
    );
    const reported = Promise.withResolvers<void>();
    const retrieved = retrieve({
      shingleLists: query(3),
      search,
      budget,
      onProgress: async () => reported.resolve(),
    });
    const first = await Promise.race([
      retrieved.then(() => "ended"),
      reported.promise.then(() => setImmediate("waiting")),
    ]);
    expect(first).to.equal("ended");
  });

  it("goes on from what earlier runs have retrieved: it repeats none of it, and loses none", async () => {
    const { search, asked } = fakeSearch((chunk) => ({ hits: [hit(`d${chunk}`)], complete: true }));
    const { log, onProgress } = progressLog();
    const { documentsToAlign, checkedChunks } = await retrieve({
      shingleLists: query(4),
      earlier: [
        { queryChunk: 0, isComplete: true, found: [found("earlier", 7)] },
        { queryChunk: 2, isComplete: false, found: [found("half", 1)] },
      ],
      search,
      budget: hour(),
      onProgress,
    });
    expect([...asked.keys()]).to.deep.equal([1, 2, 3]);
    expect([...documentsToAlign.keys()]).to.have.members(["earlier", "half", "d1", "d2", "d3"]);
    expect(checkedChunks).to.equal(4);
    expect(log).to.deep.equal([4]);
  });

  it("says by what each document was found, once for each pair of chunks, over all runs", async () => {
    const { search } = fakeSearch((chunk, time) => ({
      hits: [hit("a", chunk, 3 + chunk), ...(time > 1 ? [hit("b")] : [])],
      complete: chunk === 0 || time > 1,
    }));
    const { pairs } = await retrieve({
      shingleLists: query(3),
      earlier: [{ queryChunk: 2, isComplete: true, found: [found("b", 7)] }],
      search,
      budget: hour(),
      onProgress: async () => {},
    });
    const places = [...pairs].map(([documentId, list]) => [
      documentId,
      list.map(({ queryChunk, chunkIndex, sharedShingles }) => [queryChunk, chunkIndex, sharedShingles]),
    ]);
    expect(Object.fromEntries(places)).to.deep.equal({
      a: [
        [0, 0, 3],
        [1, 1, 4],
      ],
      b: [
        [2, 7, 5],
        [1, 0, 5],
      ],
    });
  });

  it("keeps what earlier runs have retrieved when they have spent the time budget", async () => {
    const { search, asked } = fakeSearch(() => ({ hits: [], complete: true }));
    const { documentsToAlign, checkedChunks } = await retrieve({
      shingleLists: query(2),
      earlier: [{ queryChunk: 0, isComplete: true, found: [found("earlier", 7)] }],
      search,
      budget: new TimeBudget(1_000, 1_000),
      onProgress: async () => {},
    });
    expect(asked.size).to.equal(0);
    expect([...documentsToAlign.keys()]).to.deep.equal(["earlier"]);
    expect(checkedChunks).to.equal(1);
  });

  it("asks for more where the last hit is about as good as the first, and for them only", async () => {
    const sizes: [string | undefined, number][] = [];
    const { documentsToAlign } = await retrieve({
      shingleLists: query(30),
      search: async (shingleLists, size) => {
        for (const [term] of shingleLists) sizes.push([term, size]);
        return shingleLists.map(([term]) => ({
          hits: Array.from({ length: term === "3" ? Math.min(size, 60) : 4 }, (_, at) =>
            hit(`${term}-${at}`),
          ),
          complete: true,
        }));
      },
      budget: hour(),
      onProgress: async () => {},
    });
    expect(sizes.filter(([, size]) => size > 20)).to.deep.equal([["3", 200]]);
    // A term list of one term has all its hits kept.
    expect([...documentsToAlign.keys()].filter((id) => id.startsWith("3-"))).to.have.lengthOf(60);
  });

  it("searches nothing for a query without chunks or with a budget that is spent", async () => {
    const { search, asked } = fakeSearch(() => ({ hits: [hit("d")], complete: true }));
    const { log, onProgress } = progressLog();
    const none = await retrieve({ shingleLists: [], search, budget: hour(), onProgress });
    const spent = await retrieve({
      shingleLists: query(3),
      search,
      budget: new TimeBudget(50, 50),
      onProgress,
    });
    expect([none.checkedChunks, spent.checkedChunks, asked.size]).to.deep.equal([0, 0, 0]);
    expect(log).to.deep.equal([]);
  });

  it("searches nothing for chunks without terms, and counts them as checked at once", async () => {
    const { search, asked } = fakeSearch((chunk) => ({ hits: [hit(`d${chunk}`)], complete: true }));
    const { log, onProgress } = progressLog();
    const { documentsToAlign, checkedChunks } = await retrieve({
      shingleLists: [[], ["1"], [], ["3"]],
      search,
      budget: hour(),
      onProgress,
    });
    expect([...asked.keys()]).to.deep.equal([1, 3]);
    expect([...documentsToAlign.keys()]).to.deep.equal(["d1", "d3"]);
    expect(checkedChunks).to.equal(4);
    expect(log).to.deep.equal([2, 4]);
  });

  it("counts a text without any terms as checked, also when the time budget is spent", async () => {
    const { search, asked } = fakeSearch(() => ({ hits: [hit("d")], complete: true }));
    const { log, onProgress } = progressLog();
    const retrieved = await retrieve({
      shingleLists: [[], []],
      search,
      budget: new TimeBudget(0, 0),
      onProgress,
    });
    expect(retrieved).to.deep.equal({
      documentsToAlign: new Map(),
      pairs: new Map(),
      checkedChunks: 2,
      incompleteChunks: 0,
    });
    expect([asked.size, log]).to.deep.equal([0, [2]]);
  });

  it("passes on the error of a search that can't be made", async () => {
    const search = () => Promise.reject(new Error("no index"));
    const { onProgress } = progressLog();
    const failed = retrieve({ shingleLists: query(1), search, budget: hour(), onProgress });
    expect(await failed.catch((error: Error) => error.message)).to.equal("no index");
  });
});
