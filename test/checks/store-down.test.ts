import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { z } from "zod";
import { expectProblem } from "../support/expect-problem.ts";
import { useStoreLinks } from "../support/faults/use-links.ts";

const Readiness = z.object({ ready: z.literal(false), checks: z.record(z.string(), z.string()) });

describe("decisions: a store that a request needs is down", () => {
  const links = useStoreLinks();

  it("is 503 with Retry-After while PostgreSQL is down, and works again once it is back", async () => {
    const checkId = await links.client.submit("A text.");
    await links.client.ended(checkId);
    await links.postgres.cut();
    const path = `/v1/checks/${checkId}`;
    for (const ask of [
      () => links.client.json("POST", "/v1/checks", { query_text: "A text." }),
      () => links.client.upload("/v1/checks/upload", { name: "a.txt", content: "A text." }),
      () => links.client.request("/v1/checks"),
      () => links.client.request("/v1/checks/stats"),
      () => links.client.request(path),
      () => links.client.request(`${path}/report`),
      () => links.client.request(`${path}/progress`),
      () => links.client.json("PATCH", path, { title: "T" }),
      () => links.client.request(path, { method: "DELETE" }),
    ]) {
      const response = await ask();
      expect(Number(response.headers.get("retry-after"))).to.be.at.least(1);
      await expectProblem(response, 503, "store-unavailable");
    }
    await links.postgres.mend();
    expect((await links.client.check(checkId)).status).to.equal("complete");
    const next = await links.client.submit("A text after the outage.");
    expect((await links.client.ended(next)).status).to.equal("complete");
  });

  it("specification 4.1: /health stays ok, as it calls no store; /ready says 503 and which one is down", async () => {
    for (const [name, link] of [
      ["postgres", links.postgres],
      ["opensearch", links.opensearch],
    ] as const) {
      expect((await links.client.request("/ready")).status).to.equal(200);
      await link.cut();
      const health = await links.client.request("/health");
      expect([health.status, await health.json()]).to.deep.equal([200, { status: "ok" }]);
      const ready = await links.client.request("/ready");
      expect([ready.status, ready.headers.get("retry-after")]).to.deep.equal([503, "5"]);
      const { checks } = Readiness.parse(await ready.json());
      expect(checks[name]).to.be.a("string").and.not.to.equal("ok");
      await link.mend();
      while ((await links.client.request("/ready")).status !== 200) await sleep(50);
    }
  });

  it("accepts checks while OpenSearch is down, and completes them once it is back", async () => {
    await links.opensearch.cut();
    const checkId = await links.client.submit("A text that has to wait for the index.");
    await sleep(300);
    expect((await links.client.check(checkId)).status).to.be.oneOf(["pending", "running"]);
    await links.opensearch.mend();
    expect(await links.client.ended(checkId)).to.include({ status: "complete", coverage: "full" });
  });
});
