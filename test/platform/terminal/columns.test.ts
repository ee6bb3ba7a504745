import { expect } from "chai";
import fc from "fast-check";
import { columnsOf, fitColumns, padColumns } from "../../../src/platform/terminal/terminal-text.ts";

describe("the columns of a terminal", () => {
  it("are counted as they are shown: two for wide letters and emoji, none for combining marks", () => {
    expect(columnsOf("abc")).to.equal(3);
    expect(columnsOf("漢字")).to.equal(4);
    expect(columnsOf("👩‍👩‍👧")).to.equal(2);
    expect(columnsOf("e\u0301")).to.equal(1);
  });

  it("cut a text between letters as people know them, with an ellipsis for the rest", () => {
    expect(fitColumns("漢字かな", 8)).to.equal("漢字かな");
    expect(fitColumns("漢字かな", 7)).to.equal("漢字か…");
    expect(fitColumns("漢字かな", 6)).to.equal("漢字…");
    expect(fitColumns("a👩‍👩‍👧b", 3)).to.equal("a…");
    expect(fitColumns("ae\u0301i", 2)).to.equal("a…");
    expect(fitColumns("abc", 0)).to.equal("");
  });

  it("are never more than asked for, and a text that fits stays as it is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.nat(40), (text, columns) => {
        const fit = fitColumns(text, columns);
        expect(columnsOf(fit)).to.be.at.most(Math.max(columns, 0));
        if (columnsOf(text) <= columns && !fit.endsWith("…")) expect(fit).to.equal(text);
      }),
      { seed: 7 },
    );
  });

  it("are filled up with spaces", () => {
    expect(padColumns("漢", 4)).to.equal("漢  ");
    expect(padColumns("long", 2)).to.equal("long");
  });
});
