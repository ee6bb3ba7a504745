import { setImmediate as turn } from "node:timers/promises";
import { expect } from "chai";
import fc from "fast-check";
import {
  allOrEach,
  groupItems,
  mapConcurrently,
  mergeSources,
} from "../../../src/platform/flow/concurrency.ts";

/** A source that knows how much was taken from it, and whether it was left. */
class Source<T> {
  readonly #items: readonly T[];
  taken = 0;
  closed = false;

  constructor(items: readonly T[]) {
    this.#items = items;
  }

  async *[Symbol.asyncIterator]() {
    try {
      for (const item of this.#items) {
        this.taken++;
        yield item;
      }
    } finally {
      this.closed = true;
    }
  }
}

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);

describe("concurrent work", () => {
  it("yields every result once, and never exceeds its concurrency", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(4), { maxLength: 30 }),
        fc.integer({ min: 1, max: 6 }),
        async (turns, atOnce) => {
          let running = 0;
          let most = 0;
          const work = async (at: number) => {
            most = Math.max(most, ++running);
            for (let left = turns[at] ?? 0; left > 0; left--) await turn();
            running--;
            return at;
          };
          const results = await Array.fromAsync(
            mapConcurrently(new Source(numbers(turns.length)), atOnce, work),
          );
          expect(results.toSorted((a, b) => a - b)).to.deep.equal(numbers(turns.length));
          expect(most).to.be.at.most(atOnce);
        },
      ),
      { seed: 4, numRuns: 50 },
    );
  });

  it("reads nothing more from the source while nobody reads its results", async () => {
    const source = new Source(numbers(100));
    const results = mapConcurrently(source, 3, async (item) => item);
    await results.next();
    for (let turns = 0; turns < 20; turns++) await turn();
    expect(source.taken).to.equal(3);
    await results.return(undefined);
    expect(source.closed).to.equal(true);
  });

  it("rethrows a failure after the pending calls have ended, and closes the source", async () => {
    const source = new Source(numbers(100));
    const ended: number[] = [];
    const work = async (item: number) => {
      if (item === 1) throw new Error("item 1");
      for (let turns = 0; turns < 10; turns++) await turn();
      ended.push(item);
    };
    const failure = await Array.fromAsync(mapConcurrently(source, 3, work)).catch((error: unknown) => error);
    expect(failure).to.be.an("error").with.property("message", "item 1");
    expect(ended).to.have.members([0, 2]);
    expect(source.closed).to.equal(true);
  });

  it("rethrows a failure of the source", async () => {
    async function* failing() {
      yield 1;
      throw new Error("source");
    }
    const failure = await Array.fromAsync(mapConcurrently(failing(), 3, async (item) => item)).catch(
      (error: unknown) => error,
    );
    expect(failure).to.be.an("error").with.property("message", "source");
  });
});

describe("groups of items", () => {
  it("keep the order, and end at the maximum count or size", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(12)), async (sizes) => {
        const limits = { countMax: 4, sizeMax: 10, sizeOf: (size: number) => size };
        const groups = await Array.fromAsync(groupItems(sizes, limits));
        expect(groups.flat()).to.deep.equal(sizes);
        for (const group of groups) {
          expect(group.length).to.be.within(1, 4);
          const sum = group.reduce((total, size) => total + size, 0);
          expect(group.length === 1 || sum <= 10, String(group)).to.equal(true);
        }
      }),
      { seed: 4 },
    );
  });

  it("are as large as the limits allow", async () => {
    const limits = { countMax: 3, sizeMax: 10, sizeOf: (size: number) => size };
    expect(await Array.fromAsync(groupItems([1, 1, 1, 1, 9, 9, 20, 1], limits))).to.deep.equal([
      [1, 1, 1],
      [1, 9],
      [9],
      [20],
      [1],
    ]);
  });
});

describe("work on all items together or on each alone", () => {
  it("processes every item that it can, each once after a failure, and reports the others with their errors", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.nat(50)), async (items) => {
        const isBad = (item: number) => item % 7 === 0;
        const done: number[] = [];
        const failed: number[] = [];
        let calls = 0;
        await allOrEach(items, {
          work: async (some) => {
            calls += 1;
            const bad = some.find(isBad);
            if (bad !== undefined) throw new Error(String(bad));
            done.push(...some);
          },
          rethrowFatal: () => undefined,
          onFailed: (item, error) => {
            expect(error).to.have.property("message", String(item));
            failed.push(item);
          },
        });
        expect(done).to.deep.equal(items.filter((item) => !isBad(item)));
        expect(failed).to.deep.equal(items.filter(isBad));
        expect(calls).to.equal(
          failed.length > 0 && items.length > 1 ? items.length + 1 : Math.min(items.length, 1),
        );
      }),
      { seed: 4 },
    );
  });

  it("tries nothing more after a fatal error", async () => {
    const tried: number[][] = [];
    const failure = await allOrEach([1, 2, 3], {
      work: async (some) => {
        tried.push([...some]);
        if (some.includes(2)) throw new Error(some.length > 1 ? "one of them" : "the store is away");
      },
      rethrowFatal: (error) => {
        if (error instanceof Error && error.message === "the store is away") throw error;
      },
      onFailed: () => undefined,
    }).catch((error: unknown) => error);
    expect(failure).to.have.property("message", "the store is away");
    expect(tried).to.deep.equal([[1, 2, 3], [1], [2]]);
  });
});

describe("merged sources", () => {
  it("give every item once, those of each source in their order, one ahead of the reader", async () => {
    const sources = [new Source([1, 2, 3]), new Source<number>([]), new Source([11, 12])];
    const merged: number[] = [];
    for await (const item of mergeSources(sources)) {
      merged.push(item);
      const read = merged.filter((one) => one < 10).length;
      expect(sources[0]?.taken).to.be.at.most(read + 1);
    }
    expect(merged.filter((one) => one < 10)).to.deep.equal([1, 2, 3]);
    expect(merged.filter((one) => one > 10)).to.deep.equal([11, 12]);
  });

  it("leave all sources when the reader stops, and when one fails", async () => {
    const broken = {
      async *[Symbol.asyncIterator]() {
        yield 1;
        throw new Error("broken");
      },
    };
    for (const other of [new Source([5]), broken]) {
      const long = new Source(numbers(100));
      const outcome = (async () => {
        let read = 0;
        for await (const _ of mergeSources<number>([long, other]))
          if (++read === 10) throw new Error("enough");
      })();
      expect(await outcome.then(String, String)).to.match(/enough|broken/);
      expect(long.closed).to.equal(true);
    }
  });
});
