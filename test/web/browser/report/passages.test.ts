import { expect } from "chai";
import { findPassage, neighbour, placedPassages } from "../../../../src/web/browser/report/passages.ts";
import { wireSource } from "./wire-report.ts";

const report = {
  sources: [
    wireSource("a", [
      [0, 100],
      [200, 300],
    ]),
    { ...wireSource("b", [[20, 60]]), number: 2 },
    { ...wireSource("c", [[25, 55]]), number: 3 },
  ],
};
const passages = placedPassages(report);
const found = (start: number, end: number, documentId: string) => {
  const passage = findPassage(passages, { start, end, documentId });
  return passage && [passage.source.source_document_id, passage.start, passage.end];
};

describe("finding a passage again", () => {
  it("finds the linked passage even if a filter has cut it", () => {
    expect(found(20, 60, "b")).to.deep.equal(["b", 20, 60]);
    expect(found(0, 250, "a")).to.deep.equal(["a", 0, 100]);
    expect(found(210, 240, "a")).to.deep.equal(["a", 200, 300]);
  });

  it("finds the closest passage of another source if its own has none there", () => {
    expect(found(20, 60, "gone")).to.deep.equal(["b", 20, 60]);
    expect(found(200, 300, "b")).to.deep.equal(["a", 200, 300]);
  });

  it("finds none where nothing matches", () => {
    expect(found(120, 180, "a")).to.equal(undefined);
    expect(found(900, 950, "a")).to.equal(undefined);
  });

  it("steps forwards and backwards, wraps around, and stays within one source", () => {
    const [first, second, third, last] = passages;
    expect(neighbour(passages, undefined, 1)).to.equal(first);
    expect(neighbour(passages, undefined, -1)).to.equal(last);
    expect(neighbour(passages, first, 1)).to.equal(second);
    expect(neighbour(passages, last, 1)).to.equal(first);
    expect(neighbour(passages, first, -1)).to.equal(last);
    const own = passages.filter(({ source }) => source.number === 1);
    expect(neighbour(own, second, 1)).to.equal(last);
    expect(neighbour(own, third, -1)).to.equal(first);
    expect(neighbour([], undefined, 1)).to.equal(undefined);
  });
});
