import { expect } from "chai";
import fc from "fast-check";
import {
  listWindows,
  newestSettled,
  settledUntil,
  yearsSince,
} from "../../../src/statistics/rates/windows.ts";

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

  it("settles a year by dates: three whole years after its last day", () => {
    expect(settledUntil("2025-12-31")).to.equal(2022);
    expect(settledUntil("2025-12-30")).to.equal(2021);
    expect(settledUntil("2025-01-05")).to.equal(2021);
    expect(settledUntil(undefined)).to.equal(Number.POSITIVE_INFINITY);
    expect(yearsSince(2022, "2025-03-15")).to.be.closeTo(2.2, 0.01);
  });

  it("has the newest three settled years of the data, if there are three", () => {
    expect(newestSettled(2008, 2022, 2021)).to.equal("2019-2021");
    expect(newestSettled(2008, 2017, 2021)).to.equal("2015-2017");
    expect(newestSettled(2020, 2024, 2021)).to.equal(null);
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
