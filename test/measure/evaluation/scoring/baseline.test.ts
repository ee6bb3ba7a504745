import { existsSync } from "node:fs";
import { expect } from "chai";
import { baselineDifferences } from "../../../../measure/evaluation/scoring/baseline.ts";
import type { TextPair } from "../../../../measure/evaluation/texts/pan-corpus.ts";
import { openPanCorpus } from "../../../../measure/evaluation/texts/pan-corpus.ts";
import { PAN13_ARCHIVE, PAN13_BASELINE } from "../../../../measure/evaluation/texts/places.ts";

/** The archive is unpacked once. */
const UNPACK_TIMEOUT_MS = 120_000;

describe("the scorer, on the baseline's detections in PAN13", function () {
  this.timeout(UNPACK_TIMEOUT_MS);
  let pairs: readonly TextPair[];

  before(async function () {
    if (!existsSync(PAN13_ARCHIVE) || !existsSync(PAN13_BASELINE)) {
      if (process.env.REQUIRE_SHARED_DATA === "1")
        throw new Error(`the corpus is missing: ${PAN13_ARCHIVE}, ${PAN13_BASELINE}`);
      console.log("      the corpus is not here: skipped");
      this.skip();
    }
    pairs = (await openPanCorpus(PAN13_ARCHIVE))?.pairs ?? [];
  });

  it("reads all pairs and cases", () => {
    const cases = pairs.flatMap((pair) => pair.cases);
    const counts = Map.groupBy(pairs, ({ className }) => className);
    expect([...counts].map(([name, ofClass]) => [name, ofClass.length])).to.deep.equal([
      ["01-no-plagiarism", 1000],
      ["02-no-obfuscation", 1000],
      ["03-random-obfuscation", 1000],
      ["04-translation-obfuscation", 1000],
      ["05-summary-obfuscation", 1185],
    ]);
    expect(cases).to.have.length(4007);
  });

  it("reproduces the official figures to five digits", async () => {
    expect(await baselineDifferences(pairs, PAN13_BASELINE)).to.deep.equal([]);
  });

  it("reports figures that differ", async () => {
    const altered = pairs.filter(({ className }) => className !== "05-summary-obfuscation");
    const differences = await baselineDifferences(altered, PAN13_BASELINE);
    expect(differences).to.include("05-summary-obfuscation plagdet is undefined, officially 0.04977");
    expect(differences.some((difference) => difference.startsWith("all recall"))).to.equal(true);
  });
});
