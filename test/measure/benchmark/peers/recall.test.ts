import { expect } from "chai";
import { type KnownQuery, recallByClass, recallOfAll } from "../../../../measure/benchmark/peers/recall.ts";

const COPIED: KnownQuery = {
  name: "copied.txt",
  className: "verbatim",
  planted: new Map([
    ["a.txt", [{ start: 100, end: 200 }]],
    [
      "b.txt",
      [
        { start: 300, end: 400 },
        { start: 350, end: 500 },
      ],
    ],
  ]),
  isAllKnown: false,
};

const CLEAN: KnownQuery = {
  name: "clean.txt",
  className: "nothing planted",
  planted: new Map(),
  isAllKnown: true,
};

describe("what a peer finds of what was planted", () => {
  it("counts sources, and characters of the query under the source that they were taken from", () => {
    const answer = {
      queryName: "copied.txt",
      seconds: 1,
      found: new Map([
        [
          "a.txt",
          [
            { start: 150, end: 180 },
            { start: 170, end: 250 },
          ],
        ],
        ["c.txt", [{ start: 300, end: 500 }]],
      ]),
    };
    const recall = recallByClass([COPIED], [answer]).get("verbatim");
    expect(recall).to.deep.equal({
      queries: 1,
      sources: 2,
      foundSources: 1,
      chars: 100 + 200,
      foundChars: 50,
      markedChars: 100,
      knownQueries: 0,
      falseSources: 0,
    });
  });

  it("counts a source as false only where nothing else can be right", () => {
    const found = new Map([["c.txt", [{ start: 0, end: 9 }]]]);
    const answers = [COPIED, CLEAN].map(({ name }) => ({ queryName: name, seconds: 1, found }));
    const { falseSources, knownQueries } = recallOfAll(recallByClass([COPIED, CLEAN], answers));
    expect({ falseSources, knownQueries }).to.deep.equal({ falseSources: 1, knownQueries: 1 });
  });

  it("takes a query without an answer as one in which nothing was found", () => {
    const { sources, foundSources, chars, foundChars } = recallOfAll(recallByClass([COPIED], []));
    expect({ sources, foundSources, chars, foundChars }).to.deep.equal({
      sources: 2,
      foundSources: 0,
      chars: 300,
      foundChars: 0,
    });
  });
});
