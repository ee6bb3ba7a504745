import { expect } from "chai";
import { useEngine } from "../../support/use-engine.ts";
import { prose } from "../../support/work/prose.ts";
import { markedTexts, onlyPassage, sourceTextOf } from "../reports/report-laws.ts";

const TRIALS = 4;

describe("a check of 2,000 words with one sentence of 15 that was copied", () => {
  const engine = useEngine();

  for (let trial = 0; trial < TRIALS; trial++) {
    it(`finds the sentence, nothing else, with its exact edges (${trial + 1})`, async () => {
      const sentence = `${prose(5_000 + trial, 15)
        .replaceAll(".", "")
        .trim()}.`;
      const seed = 6_000 + 10 * trial;
      const sourceText = `${prose(seed, 600)} ${sentence} ${prose(seed + 1, 600)}`;
      await engine.client.addDocument(`source-${trial}.txt`, sourceText);
      const before = 200 + 200 * trial;
      const report = await engine.client.checked(
        `${prose(seed + 2, before)} ${sentence} ${prose(seed + 3, 1_985 - before)}`,
      );
      expect(markedTexts(report)).to.deep.equal([sentence]);
      expect(sourceTextOf(report, sourceText, onlyPassage(report))).to.equal(sentence);
    });
  }
});
