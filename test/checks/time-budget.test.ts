import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { pino } from "pino";
import { TimeBudget } from "../../src/checks/stages/retrieving.ts";
import { takeIndexWriteLock } from "../../src/corpus/chunk-index/index-write-lock.ts";
import { readConfig } from "../../src/platform/config.ts";
import { Database } from "../../src/platform/postgres/database.ts";
import { EngineClient } from "../support/client.ts";
import { FaultProxy, passOn } from "../support/faults/fault-proxy.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { testStores } from "../support/stores.ts";
import { prose } from "../support/work/prose.ts";

const COPIED = prose(501, 120);
/** The copied words stand in the first of many chunks, so that whatever is searched first finds them. */
const QUERY = `${COPIED} ${prose(502, 20_000)}`;

describe("specification 2.2, 8 and decisions, Engine: checks: the time budget", () => {
  const services: TestService[] = [];
  let proxy: FaultProxy;
  before(async function () {
    this.timeout(180_000);
    const { opensearchNodes } = await testStores();
    proxy = await FaultProxy.open(opensearchNodes[0] ?? "");
  });
  afterEach(() => proxy.liftAll());
  after(async () => {
    for (const service of services) await service.stop();
    await proxy?.close();
  });

  async function serviceWith(checkTimeBudgetMs: number) {
    const service = await startTestService({ checkTimeBudgetMs, opensearchNodes: [proxy.url] });
    services.push(service);
    const client = new EngineClient(service.base);
    await client.addDocument("source.txt", `${prose(503, 100)} ${COPIED} ${prose(504, 100)}`);
    return { client, databaseUrl: service.options.databaseUrl };
  }

  it("that is nothing gives partial coverage with the reason time_cap, and 0 chunks checked of n", async () => {
    const { client } = await serviceWith(0);
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
    // A batch takes two requests: the first ends after the budget, and none of the fourteen others begins.
    const { client } = await serviceWith(1_000);
    proxy.set({ on: /_msearch/, act: (exchange) => sleep(600).then(() => passOn(exchange)) });
    const report = await client.checked(QUERY);
    expect(report).to.include({ coverage: "partial", coverage_reason: "time_cap" });
    expect(report.checked_chunks).to.be.within(1, report.total_chunks - 1);
    const [[start, end] = []] = report.unique_passages;
    expect(QUERY.slice(start, end)).to.contain(COPIED);
  });

  it("is counted from the start of retrieving: the stages before may take longer than it", async () => {
    const budgetMs = 1_000;
    const { client, databaseUrl } = await serviceWith(budgetMs);
    // The stage fingerprinting waits for the uploads before it.
    const database = new Database(databaseUrl, pino({ level: "silent" }));
    const checkId = await database.transaction(async (transaction) => {
      await takeIndexWriteLock(transaction);
      await client.upload("/v1/corpus/documents", { name: "late.txt", content: prose(505, 100) });
      const submitted = await client.submit(QUERY);
      await sleep(budgetMs + 200);
      return submitted;
    });
    await database.close();
    await client.ended(checkId);
    const metrics = await (await client.request("/metrics")).text();
    const waited = /^similarity_check_stage_seconds_sum\{stage="fingerprinting"\} (.+)$/m.exec(metrics)?.[1];
    expect(Number(waited) * 1_000).to.be.above(budgetMs);
    expect((await client.report(checkId)).checked_chunks).to.be.at.least(1);
  });

  it("that suffices gives full coverage without a reason", async () => {
    const { client } = await serviceWith(60_000);
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
