import { setImmediate as turn } from "node:timers/promises";
import { expect } from "chai";
import fc from "fast-check";
import { mapInFlight } from "../../../src/platform/flow/concurrency.ts";

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

describe("work in flight", () => {
  it("gives every result once, and never works on more than it may at once", async () => {
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
          const results = await Array.fromAsync(mapInFlight(new Source(numbers(turns.length)), atOnce, work));
          expect(results.toSorted((a, b) => a - b)).to.deep.equal(numbers(turns.length));
          expect(most).to.be.at.most(atOnce);
        },
      ),
      { seed: 4, numRuns: 50 },
    );
  });

  it("takes nothing more from the source while nobody takes its results", async () => {
    const source = new Source(numbers(100));
    const results = mapInFlight(source, 3, async (item) => item);
    await results.next();
    for (let turns = 0; turns < 20; turns++) await turn();
    expect(source.taken).to.equal(3);
    await results.return(undefined);
    expect(source.closed).to.equal(true);
  });

  it("passes a failure on after what is under way has ended, and leaves the source", async () => {
    const source = new Source(numbers(100));
    const ended: number[] = [];
    const work = async (item: number) => {
      if (item === 1) throw new Error("item 1");
      for (let turns = 0; turns < 10; turns++) await turn();
      ended.push(item);
    };
    const failure = await Array.fromAsync(mapInFlight(source, 3, work)).catch((error: unknown) => error);
    expect(failure).to.be.an("error").with.property("message", "item 1");
    expect(ended).to.have.members([0, 2]);
    expect(source.closed).to.equal(true);
  });

  it("passes on a failure of the source", async () => {
    async function* failing() {
      yield 1;
      throw new Error("source");
    }
    const failure = await Array.fromAsync(mapInFlight(failing(), 3, async (item) => item)).catch(
      (error: unknown) => error,
    );
    expect(failure).to.be.an("error").with.property("message", "source");
  });
});
