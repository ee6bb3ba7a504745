import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { EventReader } from "../support/event-reader.ts";
import { useEngine } from "../support/use-engine.ts";
import { prose } from "../support/work/prose.ts";

describe("running checks", () => {
  const engine = useEngine();

  it("decisions, Engine: checks: statuses move only from pending over running to complete", async () => {
    const checkId = await engine.client.submit(prose(601, 3_000));
    const seen = [(await engine.client.check(checkId)).status];
    while (seen.at(-1) !== "complete") {
      const { status } = await engine.client.check(checkId);
      if (status !== seen.at(-1)) seen.push(status);
    }
    const path = ["pending", "running", "complete"];
    expect(seen).to.deep.equal(path.filter((status) => seen.some((one) => one === status)));
    await sleep(50);
    expect((await engine.client.check(checkId)).status).to.equal("complete");
  });

  it("decisions, Running it: GET /metrics counts it, as Prometheus text", async () => {
    await engine.client.ended(await engine.client.submit("A text that is counted."));
    const response = await engine.client.request("/metrics");
    expect(response.headers.get("content-type")).to.match(/^text\/plain/);
    const metrics = await response.text();
    expect(metrics).to.match(
      /^similarity_checks_finished_total\{status="complete",coverage="full"\} [1-9]\d*$/m,
    );
    expect(metrics).to.match(/^similarity_check_stage_seconds_count\{stage="retrieving"\} [1-9]\d*$/m);
  });

  it("decisions, Engine: checks: a check that is deleted while it runs stops, and leaves nothing", async () => {
    const checkId = await engine.client.submit(prose(620, 40_000));
    const events = new EventReader(await engine.client.request(`/v1/checks/${checkId}/progress`));
    for (let block = await events.next(); ; block = await events.next()) {
      if (block?.data?.includes('"retrieving"') === true) break;
      expect(block?.event).to.equal(undefined);
    }
    const response = await engine.client.request(`/v1/checks/${checkId}`, { method: "DELETE" });
    expect(response.status).to.equal(204);
    const end = (await events.rest()).at(-1);
    expect([end?.event, end?.data?.includes('"status":"deleted"')]).to.deep.equal(["failed", true]);
    // The next check runs on the same worker, so the deleted one has let go of it.
    expect((await engine.client.ended(await engine.client.submit("Next."))).status).to.equal("complete");
    expect(await engine.database.query("select 1 from reports where check_id = $1", [checkId])).to.deep.equal(
      [],
    );
  });

  it("a check that is run twice gives the same report", async () => {
    const text = prose(630, 300);
    await engine.client.addDocument("twice.txt", `${prose(631, 100)} ${text}`);
    const reports = [await engine.client.checked(text), await engine.client.checked(text)];
    const [first, second] = reports.map(
      ({ sources, unique_passages, overall_similarity_pct, total_chunks }) => ({
        sources,
        unique_passages,
        overall_similarity_pct,
        total_chunks,
      }),
    );
    expect(first).to.deep.equal(second);
    expect(first?.sources).to.have.lengthOf(1);
  });
});
