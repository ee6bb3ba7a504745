import { expect } from "chai";
import fc from "fast-check";
import {
  changedFilters,
  filterQuery,
  isFiltered,
  keptFilters,
  MATCH_TYPES,
  readAddress,
  writeAddress,
} from "../../../../src/web/browser/report/report-address.ts";

const read = (url: string) => readAddress(new URL(url, "http://localhost/checks/1"));
const ID = "01a1fdd2-fdd2-707b-bd4c-8ab108c3deaf";
const OTHER = "02a1fdd2-fdd2-707b-bd4c-8ab108c3deaf";

describe("the address of a report", () => {
  it("contains the filters as in the API, the chosen source and the offsets of a passage", () => {
    const address = read(
      `?exclude_quotes=true&min_words=12&exclude_sources=${OTHER},${ID}&match_types=identical,paraphrased&source=${ID}#q120-345-${ID}`,
    );
    expect(address).to.deep.equal({
      filters: {
        exclude_quotes: true,
        min_words: 12,
        exclude_sources: [ID, OTHER],
        match_types: ["identical", "paraphrased"],
      },
      source: ID,
      passage: { start: 120, end: 345, documentId: ID },
    });
    expect(filterQuery(address.filters).get("match_types")).to.equal("identical,paraphrased");
  });

  it("without filters shows the kept ones, which any filter replaces, and which can be cleared", () => {
    const kept = { exclude_quotes: true, min_words: 8 };
    const at = (url: string) => readAddress(new URL(url, "http://localhost/checks/1"), kept).filters;
    expect(at("")).to.deep.equal(kept);
    expect(at(`?source=${ID}`)).to.deep.equal(kept);
    expect(at("?min_words=5")).to.deep.equal({ min_words: 5 });
    expect(at("?filters=none")).to.deep.equal({});
    const written = (filters: object, held: object | undefined) =>
      writeAddress({ filters, source: undefined, passage: undefined }, held);
    expect(written(kept, kept)).to.equal("?exclude_quotes=true&min_words=8");
    expect(written({ min_words: 5 }, kept)).to.equal("?min_words=5");
    expect(written({}, kept)).to.equal("?filters=none");
    expect(written({}, {}), "of a review that may get filters").to.equal("?filters=none");
    expect(written({}, undefined), "without a review").to.equal("");
    expect(keptFilters({})).to.equal(undefined);
    const review = { filters: { match_types: ["translated", "identical"], exclude_quotes: false } };
    expect(keptFilters(JSON.parse(JSON.stringify({ review })))).to.deep.equal({
      match_types: ["identical", "translated"],
    });
  });

  it("is read as it was written", () => {
    const filters = fc.record(
      {
        exclude_quotes: fc.boolean(),
        exclude_bibliography: fc.boolean(),
        min_words: fc.integer({ min: 0, max: 1_000_000 }),
        exclude_sources: fc.subarray([ID, OTHER]),
        exclude_passages: fc.subarray([`12-345-${ID}`, `7-9-${OTHER}`]),
        match_types: fc.subarray([...MATCH_TYPES], { minLength: 1 }),
      },
      { requiredKeys: [] },
    );
    const place = fc.integer({ min: 0, max: 500_000 });
    fc.assert(
      fc.property(
        filters,
        fc.option(fc.constant(ID), { nil: undefined }),
        fc.option(fc.record({ start: place, end: place, documentId: fc.constant(OTHER) }), {
          nil: undefined,
        }),
        (given, source, passage) => {
          const address = { filters: changedFilters({}, given), source, passage };
          expect(read(writeAddress(address))).to.deep.equal(address);
        },
      ),
      { seed: 2 },
    );
  });

  it("ignores its malformed parts", () => {
    const nothing = { filters: {}, source: undefined, passage: undefined };
    for (const url of [
      "?exclude_quotes=yes&min_words=-3&exclude_sources=x,,&match_types=none&source=1",
      "?min_words=1.5&match_types=",
      "?min_words=2000000",
      "#q1-2-3",
      "#q-1-5-x",
      `#q99999999999-5-${ID}`,
      "#page",
      "?%zz#%zz",
    ])
      expect(read(url), url).to.deep.equal(nothing);
    expect(read(`?match_types=${MATCH_TYPES.join()}`).filters, "all kinds are no filter").to.deep.equal({});
  });

  it("drops a filter that is changed to nothing", () => {
    const filters = changedFilters({ exclude_quotes: true, exclude_sources: [ID] }, { exclude_sources: [] });
    expect(filters).to.deep.equal({ exclude_quotes: true });
    expect(isFiltered(filters)).to.equal(true);
    expect(isFiltered(changedFilters(filters, { exclude_quotes: false }))).to.equal(false);
  });
});
