import { expect } from "chai";
import { ENCODER_DATA_DIR, useEncoderFiles } from "../../support/encoder.ts";
import { useEngine } from "../../support/use-engine.ts";
import { prose } from "../../support/work/prose.ts";
import { compare, expectComparisonLaws } from "./comparison-laws.ts";

/** Encoding the sentences of both texts takes several times as long. */
const BUDGET_MS = 2_000;

describe("a comparison whose time is over while the meaning is compared", function () {
  this.timeout(180_000);
  useEncoderFiles();
  const engine = useEngine({
    semantic: true,
    dataDir: ENCODER_DATA_DIR,
    checkTimeBudgetMs: BUDGET_MS,
  });

  it("has the passages that words have found, and says that not every sentence was compared", async () => {
    const copied = prose(871, 200);
    const query = `${copied} ${prose(872, 25_000)}`;
    const source = `${prose(873, 25_000)} ${copied}`;
    const comparison = await compare(engine.client, query, source);
    expectComparisonLaws(comparison);
    expect(comparison.semantic_coverage).to.be.oneOf(["partial", "none"]);
    expect(comparison.semantic_coverage_reason).to.equal("time_cap");
    if (comparison.coverage === "full") expect(comparison.passages).to.have.length(1);
    // Encoding all sentences takes minutes.
    expect(comparison.duration_seconds).to.be.below(60);
  });
});
