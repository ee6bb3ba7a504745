import { expect } from "chai";
import fc from "fast-check";
import { pairHref, readBatchAddress, VIEWS } from "../../../../src/web/browser/batches/batch-address.ts";
import { CLUSTER_SORTS, PAIR_SORTS } from "../../../../src/web/browser/batches/batch-graph.ts";

describe("the address of a batch's page", () => {
  it("is kept whole in the addresses of its pairs, which lead back to it", () => {
    const address = fc.record({
      view: fc.constantFrom(...VIEWS),
      pctMin: fc.nat(100),
      name: fc.string(),
      sort: fc.constantFrom(...PAIR_SORTS),
      clusterSort: fc.constantFrom(...CLUSTER_SORTS),
      excludeQuotes: fc.boolean(),
      excludeCommon: fc.boolean(),
      cluster: fc.option(fc.nat(9_999_999), { nil: undefined }),
      page: fc.integer({ min: 1, max: 999 }),
    });
    fc.assert(
      fc.property(address, (shown) => {
        const href = pairHref("batch", { a: { member_id: "one" }, b: { member_id: "other" } }, shown);
        const { pathname, searchParams } = new URL(href, "http://localhost");
        expect(pathname).to.equal("/batches/batch/pairs/one/other");
        expect(readBatchAddress(searchParams)).to.deep.equal(shown);
      }),
      { seed: 10 },
    );
  });
});
