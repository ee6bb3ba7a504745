import { expect } from "chai";
import fc from "fast-check";
import { togetherOrAlone } from "../../../src/platform/flow/concurrency.ts";

describe("work that is done together or alone", () => {
  it("does all that can be done, each once after a failure, and tells the others with their own error", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.nat(50)), async (items) => {
        const isBad = (item: number) => item % 7 === 0;
        const done: number[] = [];
        const failed: number[] = [];
        let calls = 0;
        await togetherOrAlone(items, {
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

  it("tries nothing more after an error that ends all", async () => {
    const tried: number[][] = [];
    const failure = await togetherOrAlone([1, 2, 3], {
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
