import { expect } from "chai";
import { classify } from "../../../src/core/alignment/classify.ts";

describe("classify", () => {
  const identical: readonly [string, string][] = [
    ["the same", "the same"],
    ["The SAME,  thing", "the same thing!"],
    ["line-\nend", "lineend"],
    ["STRASSE", "straße"],
    ["ΟΔΟΣ", "οδος"],
    ["caf\u0065\u0301", "CAFÉ"],
    ["", "…"],
  ];
  for (const [query, source] of identical) {
    it(`calls ${JSON.stringify(query)} and ${JSON.stringify(source)} identical`, () => {
      expect(classify(query, source)).to.equal("identical");
    });
  }

  for (const [query, source] of [
    ["a red house", "a blue house"],
    ["cafe", "café"],
    ["1,000", "1,001"],
  ] as const) {
    it(`calls ${JSON.stringify(query)} and ${JSON.stringify(source)} minor changes`, () => {
      expect(classify(query, source)).to.equal("minor_changes");
    });
  }
});
