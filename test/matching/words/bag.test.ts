import { expect } from "chai";
import fc from "fast-check";
import { Bag, BagPool } from "../../../src/matching/words/bag.ts";

const VOCABULARY = 8;

/** Word numbers, of which -1 is a word that the vocabulary lacks. */
const words = fc
  .array(fc.integer({ min: -1, max: VOCABULARY - 1 }), { maxLength: 40 })
  .map((ids) => Int32Array.from(ids));

function whole(ids: Int32Array) {
  return { start: 0, end: ids.length };
}

function countOf(ids: Int32Array, id: number): number {
  return id < 0 ? 0 : ids.filter((one) => one === id).length;
}

describe("Bag", () => {
  it("gives each word as often as it was added and never a word outside the vocabulary", () => {
    fc.assert(
      fc.property(words, words, (added, taken) => {
        const bag = new Bag(VOCABULARY);
        bag.add(added, whole(added));
        const given = taken.filter((id) => bag.take(id));
        for (let id = -1; id < VOCABULARY; id++) {
          expect(countOf(given, id)).to.equal(Math.min(countOf(added, id), countOf(taken, id)));
          expect(bag.count(id)).to.equal(countOf(added, id));
        }
      }),
      { seed: 31, numRuns: 300 },
    );
  });

  it("holds the words of all spans that were added, and only those inside them", () => {
    const ids = Int32Array.from([0, 1, 1, 2, 3]);
    const bag = new Bag(VOCABULARY);
    bag.add(ids, { start: 1, end: 2 });
    bag.add(ids, { start: 2, end: 4 });
    expect([0, 1, 2, 3].map((id) => bag.count(id))).to.deep.equal([0, 2, 1, 0]);
  });

  it("gives a word again after it was put back", () => {
    const bag = new Bag(VOCABULARY);
    bag.add(Int32Array.of(3), { start: 0, end: 1 });
    expect([bag.take(3), bag.take(3)]).to.deep.equal([true, false]);
    bag.putBack(3);
    expect(bag.take(3)).to.equal(true);
  });

  it("is empty after it was cleared", () => {
    fc.assert(
      fc.property(words, (ids) => {
        const bag = new Bag(VOCABULARY);
        bag.add(ids, whole(ids));
        bag.clear();
        for (let id = 0; id < VOCABULARY; id++) {
          expect(bag.count(id)).to.equal(0);
          expect(bag.take(id)).to.equal(false);
        }
      }),
      { seed: 32, numRuns: 100 },
    );
  });
});

describe("BagPool", () => {
  const ids = Int32Array.of(1, 2, 2);

  it("lends empty bags, also after a user has thrown", () => {
    const pool = new BagPool(VOCABULARY);
    const failing = () =>
      pool.lendFilled(ids, whole(ids), () => {
        throw new Error("interrupted");
      });
    expect(failing).to.throw("interrupted");
    expect(pool.lend((bag) => [bag.count(1), bag.count(2), bag.take(2)])).to.deep.equal([0, 0, false]);
  });

  it("lends different bags at the same time and the same ones one after the other", () => {
    const pool = new BagPool(VOCABULARY);
    const [outer, inner] = pool.lendFilled(ids, whole(ids), (one) =>
      pool.lend((other) => {
        expect(one.count(2)).to.equal(2);
        expect(other.count(2)).to.equal(0);
        return [one, other];
      }),
    );
    expect(pool.lend((bag) => [outer, inner].includes(bag))).to.equal(true);
  });
});
