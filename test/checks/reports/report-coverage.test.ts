import { expect } from "chai";
import type { WireReport } from "../../support/client.ts";
import { useEngine } from "../../support/use-engine.ts";
import { prose } from "../../support/work/prose.ts";
import { expectReportLaws, markedTexts, onlySource } from "./report-laws.ts";

describe("specification 2.2 and 8: a time budget that is spent", () => {
  // The first batch of chunks is searched whatever it takes, and the copy in it must be aligned in time; 300 chunks need far longer.
  const engine = useEngine({ checkTimeBudgetMs: 100 });
  let report: WireReport;
  const copied = prose(1, 60);

  before(async () => {
    await engine.client.addDocument("source.txt", copied);
    report = await engine.client.checked(`${copied} ${prose(2, 50_000)}`);
  });

  it("gives coverage partial with the reason time_cap", () => {
    expect(report).to.deep.include({ coverage: "partial", coverage_reason: "time_cap" });
  });

  it("rule 2: what was found is present, and checked_chunks of total_chunks shows the progress", async () => {
    expect(report.checked_chunks).to.be.greaterThan(0).and.lessThan(report.total_chunks);
    expect(report.total_chunks).to.be.greaterThan(200);
    expectReportLaws(report);
    expect(markedTexts(report)).to.deep.equal([copied]);
    expect(onlySource(report).source_filename).to.equal("source.txt");
    expect(await engine.client.check(report.check_id)).to.deep.include({
      status: "complete",
      coverage: "partial",
    });
  });

  it("says so in a filtered report too", async () => {
    const filtered = await engine.client.report(report.check_id, "?min_words=5");
    expect(filtered).to.deep.include({ coverage: "partial", coverage_reason: "time_cap" });
  });
});
