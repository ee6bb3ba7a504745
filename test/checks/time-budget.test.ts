import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { takeIndexWriteLock } from "../../src/corpus/index/index-write-lock.ts";
import { TimeBudget } from "../../src/matching/time-budget.ts";
import { readConfig } from "../../src/platform/config.ts";
import { EngineClient } from "../support/client.ts";
import { delayAnswer, FaultProxy } from "../support/faults/fault-proxy.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { testStores } from "../support/stores.ts";
import { useEngine } from "../support/use-engine.ts";
import { prose } from "../support/work/prose.ts";

/** The beginning of the query is in the corpus; the query is long enough for several batches. */
const COPIED = prose(501, 600);
const QUERY = `${COPIED} ${prose(502, 20_000)}`;

/** Longer than a batch takes without a delay. */
const SHORT_BUDGET_MS = 1_000;

const addSource = (client: EngineClient) =>
  client.addDocument("source.txt", `${prose(503, 100)} ${COPIED} ${prose(504, 100)}`);

describe("specification 2.2, 8 and decisions, Engine: checks: the time budget", () => {
  describe("that is nothing", () => {
    const engine = useEngine({ checkTimeBudgetMs: 0 });

    it("gives partial coverage with the reason time_cap, and 0 chunks checked of n", async () => {
      await addSource(engine.client);
      const checkId = await engine.client.submit(QUERY);
      const check = await engine.client.ended(checkId);
      expect(check).to.include({
        status: "complete",
        coverage: "partial",
        overall_similarity_pct: 0,
        chunks_done: 0,
      });
      const report = await engine.client.report(checkId);
      expect(report).to.include({ coverage: "partial", coverage_reason: "time_cap", checked_chunks: 0 });
      expect(report.total_chunks).to.be.above(100).and.to.equal(check.chunks_total);
      expect([report.sources, report.unique_passages]).to.deep.equal([[], []]);
    });
  });

  describe("that retrieval exceeds", () => {
    let proxy: FaultProxy;
    let service: TestService;
    before(async function () {
      this.timeout(180_000);
      const { opensearchNodes } = await testStores();
      proxy = await FaultProxy.open(opensearchNodes[0] ?? "");
      service = await startTestService({ checkTimeBudgetMs: SHORT_BUDGET_MS, opensearchNodes: [proxy.url] });
    });
    after(async () => {
      await service?.stop();
      await proxy?.close();
    });

    it("stops retrieval early, and what was retrieved until then is still aligned", async () => {
      const client = new EngineClient(service.base);
      await addSource(client);
      // The first two of the seven batches end after the budget, and no other begins.
      proxy.set({ on: /_msearch/, act: delayAnswer(1.1 * SHORT_BUDGET_MS) });
      const report = await client.checked(QUERY);
      expect(report).to.include({ coverage: "partial", coverage_reason: "time_cap" });
      expect(report.checked_chunks).to.be.within(1, 32);
      expect(report.total_chunks).to.be.above(100);
      const [[start, end] = []] = report.unique_passages;
      expect(QUERY.slice(start, end)).to.contain(COPIED);
    });
  });

  describe("that an earlier stage exceeds", () => {
    const engine = useEngine({ checkTimeBudgetMs: SHORT_BUDGET_MS });

    it("is counted from the start of retrieving", async () => {
      const { client, database } = engine;
      await addSource(client);
      // The stage fingerprinting waits for an upload before the check, which the lock holds up.
      const checkId = await database.transaction(async (transaction) => {
        await takeIndexWriteLock(transaction);
        await client.upload("/v1/corpus/documents", { name: "late.txt", content: prose(505, 100) });
        const submitted = await client.submit(QUERY);
        while ((await client.check(submitted)).stage !== "fingerprinting") await sleep(20);
        await sleep(SHORT_BUDGET_MS);
        return submitted;
      });
      await client.ended(checkId);
      const metrics = await (await client.request("/metrics")).text();
      const waited = /^similarity_check_stage_seconds_sum\{stage="fingerprinting"\} (.+)$/m.exec(
        metrics,
      )?.[1];
      expect(Number(waited) * 1_000).to.be.above(SHORT_BUDGET_MS);
      expect((await client.report(checkId)).checked_chunks).to.be.at.least(1);
    });
  });

  describe("that suffices", () => {
    const engine = useEngine({ checkTimeBudgetMs: 600_000 });

    it("gives full coverage without a reason", async () => {
      await addSource(engine.client);
      const report = await engine.client.checked(QUERY);
      expect(report).to.include({ coverage: "full", coverage_reason: null });
      expect(report.checked_chunks).to.equal(report.total_chunks);
    });
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
