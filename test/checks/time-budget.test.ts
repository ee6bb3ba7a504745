import { expect } from "chai";
import { TimeBudget } from "../../src/checks/stages/retrieving.ts";
import { readConfig } from "../../src/platform/config.ts";
import { EngineClient } from "../support/client.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { testStores } from "../support/stores.ts";
import { prose } from "../support/work/prose.ts";

const COPIED = prose(501, 120);
/** The copied words stand in the first of many chunks, so that whatever is searched first finds them. */
const QUERY = `${COPIED} ${prose(502, 20_000)}`;

describe("specification 2.2, 8 and decisions, Engine: checks: the time budget", () => {
  const services: TestService[] = [];
  before(async function () {
    this.timeout(180_000);
    await testStores();
  });
  after(async () => {
    for (const service of services) await service.stop();
  });

  async function clientWith(checkTimeBudgetMs: number): Promise<EngineClient> {
    const service = await startTestService({ checkTimeBudgetMs });
    services.push(service);
    const client = new EngineClient(service.base);
    await client.addDocument("source.txt", `${prose(503, 100)} ${COPIED} ${prose(504, 100)}`);
    return client;
  }

  it("that is nothing gives partial coverage with the reason time_cap, and 0 chunks checked of n", async () => {
    const client = await clientWith(0);
    const checkId = await client.submit(QUERY);
    const check = await client.ended(checkId);
    expect(check).to.include({
      status: "complete",
      coverage: "partial",
      overall_similarity_pct: 0,
      chunks_done: 0,
    });
    const report = await client.report(checkId);
    expect(report).to.include({ coverage: "partial", coverage_reason: "time_cap", checked_chunks: 0 });
    expect(report.total_chunks).to.be.above(100).and.to.equal(check.chunks_total);
    expect([report.sources, report.unique_passages]).to.deep.equal([[], []]);
  });

  it("stops retrieval early, and what was retrieved until then is still aligned", async () => {
    // Long enough for the first request to begin, and less than the fifteen take that this text needs.
    const client = await clientWith(20);
    const report = await client.checked(`${QUERY} ${prose(505, 20_000)}`);
    expect(report).to.include({ coverage: "partial", coverage_reason: "time_cap" });
    expect(report.checked_chunks).to.be.within(1, report.total_chunks - 1);
    const [[start, end] = []] = report.unique_passages;
    expect(QUERY.slice(start, end)).to.contain(COPIED);
  });

  it("is counted from the start of retrieving: the stages before may take longer than it", async () => {
    const budgetMs = 20;
    const client = await clientWith(budgetMs);
    const report = await client.checked(`${QUERY} ${prose(506, 60_000)}`.slice(0, 490_000));
    const metrics = await (await client.request("/metrics")).text();
    const seconds = ["chunking", "fingerprinting"].map((stage) =>
      Number(
        new RegExp(`^similarity_check_stage_seconds_sum\\{stage="${stage}"\\} (.+)$`, "m").exec(metrics)?.[1],
      ),
    );
    expect(seconds.reduce((sum, one) => sum + one) * 1_000).to.be.above(budgetMs);
    expect(report.checked_chunks).to.be.within(1, report.total_chunks - 1);
  });

  it("that suffices gives full coverage without a reason", async () => {
    const client = await clientWith(60_000);
    const report = await client.checked(QUERY);
    expect(report).to.include({ coverage: "full", coverage_reason: null });
    expect(report.checked_chunks).to.equal(report.total_chunks);
  });

  it("is CHECK_TIME_BUDGET_SECONDS, 120 seconds unless it is set", () => {
    expect(readConfig({}).checkTimeBudgetMs).to.equal(120_000);
    expect(readConfig({ CHECK_TIME_BUDGET_SECONDS: "7" }).checkTimeBudgetMs).to.equal(7_000);
  });

  it("counts from its start, over all attempts: what earlier runs spent is gone", () => {
    let now = 1_000;
    const budget = new TimeBudget(100, 70, () => now);
    expect([budget.spentMs, budget.isSpent]).to.deep.equal([70, false]);
    now += 29;
    expect([budget.spentMs, budget.isSpent]).to.deep.equal([99, false]);
    now += 1;
    expect([budget.spentMs, budget.isSpent]).to.deep.equal([100, true]);
  });
});
