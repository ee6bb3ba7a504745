import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { z } from "zod";
import { EngineClient } from "../support/client.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { StoreLink } from "../support/faults/store-link.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { freshDatabase, testStores } from "../support/stores.ts";

const Readiness = z.object({ ready: z.literal(false), checks: z.record(z.string(), z.string()) });

describe("decisions: a store that a request needs is down", () => {
  let postgres: StoreLink;
  let opensearch: StoreLink;
  let service: TestService;
  let client: EngineClient;
  before(async function () {
    this.timeout(180_000);
    const { opensearchNodes } = await testStores();
    postgres = await StoreLink.open(await freshDatabase());
    opensearch = await StoreLink.open(opensearchNodes[0] ?? "");
    service = await startTestService({ databaseUrl: postgres.url, opensearchNodes: [opensearch.url] });
    client = new EngineClient(service.base);
  });
  afterEach(() => Promise.all([postgres.mend(), opensearch.mend()]));
  after(async () => {
    await service?.stop();
    await Promise.all([postgres?.cut(), opensearch?.cut()]);
  });

  it("is 503 with Retry-After while PostgreSQL is down, and works again once it is back", async () => {
    const checkId = await client.submit("A text.");
    await client.ended(checkId);
    await postgres.cut();
    const path = `/v1/checks/${checkId}`;
    for (const ask of [
      () => client.json("POST", "/v1/checks", { query_text: "A text." }),
      () => client.upload("/v1/checks/upload", { name: "a.txt", content: "A text." }),
      () => client.request("/v1/checks"),
      () => client.request("/v1/checks/stats"),
      () => client.request(path),
      () => client.request(`${path}/report`),
      () => client.request(`${path}/progress`),
      () => client.json("PATCH", path, { title: "T" }),
      () => client.request(path, { method: "DELETE" }),
    ]) {
      const response = await ask();
      expect(Number(response.headers.get("retry-after"))).to.be.at.least(1);
      await expectProblem(response, 503, "store-unavailable");
    }
    await postgres.mend();
    expect((await client.check(checkId)).status).to.equal("complete");
    const next = await client.submit("A text after the outage.");
    expect((await client.ended(next)).status).to.equal("complete");
  });

  it("specification 4.1: /health stays ok, as it calls no store; /ready says 503 and which one is down", async () => {
    for (const [name, link] of [
      ["postgres", postgres],
      ["opensearch", opensearch],
    ] as const) {
      expect((await client.request("/ready")).status).to.equal(200);
      await link.cut();
      const health = await client.request("/health");
      expect([health.status, await health.json()]).to.deep.equal([200, { status: "ok" }]);
      const ready = await client.request("/ready");
      expect([ready.status, ready.headers.get("retry-after")]).to.deep.equal([503, "5"]);
      const { checks } = Readiness.parse(await ready.json());
      expect(checks[name]).to.be.a("string").and.not.to.equal("ok");
      await link.mend();
      while ((await client.request("/ready")).status !== 200) await sleep(50);
    }
  });

  it("accepts checks while OpenSearch is down, and completes them once it is back", async () => {
    await opensearch.cut();
    const checkId = await client.submit("A text that has to wait for the index.");
    await sleep(300);
    expect((await client.check(checkId)).status).to.be.oneOf(["pending", "running"]);
    await opensearch.mend();
    expect(await client.ended(checkId)).to.include({ status: "complete", coverage: "full" });
  });
});
