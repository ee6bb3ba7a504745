import { expect } from "chai";
import fc from "fast-check";
import { listWindows } from "../../../src/statistics/rates/windows.ts";

function ids(from: number, to: number, newest?: number): string[] {
  return listWindows(from, to, newest).map(({ id }) => id);
}

function defaultOf(from: number, to: number, newest?: number): string | undefined {
  return listWindows(from, to, newest).find((window) => window.default)?.id;
}

describe("decisions, Statistics: listWindows", () => {
  it("lists the whole span and the spans of five years counted back from its end, newest end and shorter first", () => {
    expect(ids(2003, 2022)).to.deep.equal(["2018-2022", "2003-2022", "2013-2017", "2008-2012", "2003-2007"]);
  });

  it("leaves out a span that begins before the data", () => {
    expect(ids(2009, 2017)).to.deep.equal(["2013-2017", "2009-2017"]);
  });

  it("lists a whole span of five years once, and a shorter one as it is", () => {
    expect(ids(2013, 2017)).to.deep.equal(["2013-2017"]);
    expect(ids(2015, 2017)).to.deep.equal(["2015-2017"]);
    expect(ids(2017, 2017)).to.deep.equal(["2017-2017"]);
  });

  it("calls a window provisional that ends less than 3 years before the newest retraction's year", () => {
    const provisional = (newest: number | undefined) =>
      listWindows(2008, 2022, newest).flatMap((window) => (window.provisional ? [window.id] : []));
    expect(provisional(2025)).to.deep.equal([]);
    expect(provisional(2024)).to.deep.equal(["2018-2022", "2008-2022"]);
    expect(provisional(2019)).to.deep.equal(["2018-2022", "2008-2022", "2013-2017"]);
    expect(provisional(undefined)).to.deep.equal([]);
  });

  it("takes the first that is not provisional as the default, or the first when all are", () => {
    expect(defaultOf(2008, 2022, 2025)).to.equal("2018-2022");
    expect(defaultOf(2008, 2022, 2024)).to.equal("2013-2017");
    expect(defaultOf(2018, 2022, 2024)).to.equal("2018-2022");
    expect(defaultOf(2008, 2017)).to.equal("2013-2017");
  });

  it("has distinct windows inside the data and one default, for any years", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1900, max: 2100 }),
        fc.nat(120),
        fc.option(fc.integer({ min: 1900, max: 2230 }), { nil: undefined }),
        (from, length, newest) => {
          const windows = listWindows(from, from + length, newest);
          expect(new Set(windows.map(({ id }) => id)).size).to.equal(windows.length);
          expect(windows.filter((window) => window.default)).to.have.lengthOf(1);
          expect(windows.every((window) => window.from >= from && window.to <= from + length)).to.equal(true);
        },
      ),
      { seed: 31, numRuns: 300 },
    );
  });
});
