import { expect } from "chai";
import { normaliseDoi } from "../../../src/statistics/sources/identifiers.ts";

describe("decisions, Statistics: one paper per normalised DOI: a DOI as it is written", () => {
  it("has one form, whatever stands before it, in whatever case and encoding", () => {
    const written = [
      "10.1000/AbC(2)1",
      " https://doi.org/10.1000/abc(2)1 ",
      "http://dx.doi.org/10.1000/ABC%282%291",
      "doi: 10.1000/abc(2)1",
      "https%3A%2F%2Fdoi.org%2F10.1000%2Fabc(2)1",
      "DOI.ORG/10.1000/abc(2)1",
    ];
    expect(new Set(written.map(normaliseDoi))).to.deep.equal(new Set(["10.1000/abc(2)1"]));
  });

  it("keeps the odd characters that old DOIs have", () => {
    expect(normaliseDoi("10.1002/(SICI)1097-0258(19980815)17:15&lt;1661::AID&gt;3.0.CO;2-2")).to.equal(
      "10.1002/(sici)1097-0258(19980815)17:15<1661::aid>3.0.co;2-2",
    );
    expect(normaliseDoi("10.1021/bi972113+")).to.equal("10.1021/bi972113+");
    expect(normaliseDoi("10.1000/100%sure")).to.equal("10.1000/100%sure");
  });

  it("is none when it is blank, unavailable or something else", () => {
    for (const text of [
      "",
      "  ",
      "unavailable",
      "Unavailable",
      "0",
      "n/a",
      "10.1000",
      "10.1000/",
      "11.1000/x",
      "10.1/x",
      "10.1000/a b",
    ]) {
      expect(normaliseDoi(text), text).to.equal(undefined);
    }
  });
});
