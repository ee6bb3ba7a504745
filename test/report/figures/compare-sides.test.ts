import { expect } from "chai";
import { type ComparedPiece, compareSides } from "../../../src/report/figures/compare-sides.ts";
import { prose } from "../../support/work/prose.ts";

const textOf = (pieces: readonly ComparedPiece[]) => pieces.map(({ text }) => text).join("");
const differing = (pieces: readonly ComparedPiece[]) =>
  pieces.filter(({ mark }) => mark === "differs").map(({ text }) => text);

describe("both sides of a passage", () => {
  it("are compared completely if they are complete", () => {
    const sides = compareSides("one two three", "one two four", "en", false);
    expect(sides).to.deep.include({ isCut: false });
    expect([differing(sides.query), differing(sides.source)]).to.deep.equal([["three"], ["four"]]);
  });

  it("end with the last equal words if they are cut, and split no character", () => {
    const text = prose(1, 40);
    const sides = compareSides(`${text} and 😀`.slice(0, -1), `new ${text} an`, "en", true);
    expect(sides.isCut).to.equal(true);
    expect(textOf(sides.query)).to.equal(text.slice(0, -1));
    expect(differing(sides.query)).to.deep.equal([]);
    expect(differing(sides.source)).to.deep.equal(["new"]);
    const nothing = compareSides("😀".slice(0, 1), "other", "en", true);
    expect(textOf(nothing.query)).to.equal("");
  });
});
