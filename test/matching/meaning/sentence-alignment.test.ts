import { expect } from "chai";
import { alignSentences } from "../../../src/matching/meaning/sentence-alignment.ts";

describe("the alignment of sentences", () => {
  /** Rows of the matrix are query sentences; what is not listed is far below what any two texts have. */
  const align = (
    [query, source]: readonly [query: number, source: number],
    values: Readonly<Record<string, number>>,
    { used = [], paragraphs = [] }: { used?: readonly number[]; paragraphs?: readonly number[] } = {},
  ) => {
    const numbers = Array.from({ length: query }, (_, at) => at);
    return alignSentences(
      numbers.map((at) =>
        Float32Array.from({ length: source }, (_, place) => values[`${at},${place}`] ?? -0.3),
      ),
      numbers.map((at) => used.includes(at)),
      numbers.map((at) => paragraphs.includes(at)),
    ).map((row) => row.map((pair) => `${pair.query},${pair.source}`));
  };

  it("follows the source across merged, split, inserted and moved sentences", () => {
    const values = { "1,4": 0.3, "2,4": 0.2, "4,7": 0.3, "5,6": 0.25 };
    expect(align([8, 12], values)).to.deep.equal([["1,4", "2,4", "4,7", "5,6"]]);
  });

  it("divides rows at a jump in the source, at many foreign sentences, and at used ones", () => {
    expect(align([4, 40], { "0,2": 0.3, "1,30": 0.3 })).to.deep.equal([["0,2"], ["1,30"]]);
    expect(align([9, 9], { "0,1": 0.2, "8,2": 0.2 })).to.deep.equal([["0,1"], ["8,2"]]);
    expect(align([4, 9], { "0,1": 0.9, "3,2": 0.9 })).to.deep.equal([["0,1", "3,2"]]);
    expect(align([5, 9], { "0,1": 0.9, "4,2": 0.9 })).to.deep.equal([["0,1"], ["4,2"]]);
    const values = { "0,1": 0.4, "1,2": 0.4, "2,3": 0.4 };
    expect(align([3, 5], values, { used: [1] })).to.deep.equal([["0,1"], ["2,3"]]);
  });

  it("adds neighbours that are nearly as similar as usual, within the paragraph", () => {
    const values = { "1,2": 0.4, "2,3": -0.03, "3,3": -0.2 };
    expect(align([4, 6], values)).to.deep.equal([["1,2", "2,3"]]);
    expect(align([4, 6], values, { paragraphs: [2] })).to.deep.equal([["1,2"]]);
  });

  it("finds nothing where nothing is similar", () => {
    expect(align([4, 6], { "1,2": 0.1 })).to.deep.equal([]);
    expect(align([0, 0], {})).to.deep.equal([]);
  });
});
