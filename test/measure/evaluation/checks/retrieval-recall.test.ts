import { expect } from "chai";
import { retrievalRecall } from "../../../../measure/evaluation/checks/retrieval-recall.ts";
import type { CheckedText } from "../../../../measure/evaluation/checks/run-checks.ts";

const BORDERS: Readonly<Record<string, readonly number[]>> = {
  "src1.txt": [0, 1000, 2000, 3000],
  "src2.txt": [0, 500],
};

describe("retrieval recall", () => {
  const checked: CheckedText = {
    queryName: "susp.txt",
    pairs: [
      pair("02-copied", "src1.txt", [
        [100, 200],
        [1900, 2100],
        [2500, 2600],
      ]),
      pair("03-reworded", "src2.txt", [[0, 100]]),
      pair("01-clean", "src3.txt", []),
    ],
    detections: new Map(),
    retrieved: new Map([
      ["src1.txt", new Set([1, 2])],
      ["src9.txt", new Set([0])],
    ]),
    seconds: 1,
    words: 1000,
  };

  it("counts sources and passages with a candidate chunk, by class and in total", () => {
    expect(retrievalRecall([checked], (name) => BORDERS[name] ?? [])).to.deep.equal([
      { className: "02-copied", pairs: 1, foundPairs: 1, cases: 3, foundCases: 2 },
      { className: "03-reworded", pairs: 1, foundPairs: 0, cases: 1, foundCases: 0 },
      { className: "all", pairs: 2, foundPairs: 1, cases: 4, foundCases: 2 },
    ]);
  });
});

function pair(className: string, sourceName: string, sources: readonly (readonly [number, number])[]) {
  const cases = sources.map(([start, end]) => ({
    query: { start: 0, end: 10 },
    source: { start, end },
    kind: "random",
  }));
  return { className, queryName: "susp.txt", sourceName, cases };
}
