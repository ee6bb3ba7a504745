import { expect } from "chai";
import { sharesWords, WORDS } from "../../../src/corpus/index/chunk-search.ts";

describe("the search for the words of a window", () => {
  const words = [
    { term: "rare", weight: 9.5 },
    { term: "common", weight: 4 },
    { term: "seldom", weight: 6 },
  ];
  const clause = (term: string, boost: number) => ({ term: { [WORDS]: { value: term, boost } } });
  const [rare, seldom, common] = [clause("rare", 9.5), clause("seldom", 6), clause("common", 4)];

  it("requires one of the words without which a chunk can't reach the bound", () => {
    expect(sharesWords(words, 10.5)).to.deep.equal({
      bool: { must: { bool: { should: [rare], minimum_should_match: 1 } }, should: [common, seldom] },
    });
  });

  it("requires any of the words if each of them reaches the bound; two words whose weights make up the bound are enough", () => {
    const any = { bool: { should: [common, seldom, rare], minimum_should_match: 1 } };
    for (const bound of [0, 4]) expect(sharesWords(words, bound)).to.deep.equal(any);
    expect(sharesWords(words, 10)).to.deep.equal({
      bool: { must: { bool: { should: [seldom, rare], minimum_should_match: 1 } }, should: [common] },
    });
  });
});
