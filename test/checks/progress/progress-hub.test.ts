import { expect } from "chai";
import { useEngine } from "../../support/use-engine.ts";
import { prose } from "../../support/work/prose.ts";

describe("the progress hub", () => {
  const engine = useEngine();

  it("passes over messages that it can't read, and goes on", async () => {
    for (const payload of ["hello", "{}", '{"status":"running","check_id":1}', ""]) {
      await engine.database.query("select pg_notify('similarity_check_progress', $1)", [payload]);
    }
    const check = await engine.client.ended(await engine.client.submit(prose(5, 50)));
    expect(check.status).to.equal("complete");
  });

  it("goes on after its connection was lost: a stream that was open then still shows each stage and the end", async function () {
    this.timeout(30_000);
    const checkId = await engine.client.submit(prose(6, 60_000).slice(0, 400_000));
    const stream = await engine.client.request(`/v1/checks/${checkId}/progress`);
    await engine.database.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen %'",
    );
    const text = await stream.text();
    const stages = [...text.matchAll(/"stage":"(\w+)"/g)].map((match) => match[1]);
    expect([...new Set(stages)].slice(-3)).to.deep.equal(["retrieving", "aligning", "assembling"]);
    expect(text.match(/^event: complete$/gm)).to.have.lengthOf(1);
  });

  it("ends an open stream when the check can't be read any more, so that its client comes again", async function () {
    this.timeout(30_000);
    const checkId = await engine.client.submit(prose(7, 60_000).slice(0, 400_000));
    const stream = await engine.client.request(`/v1/checks/${checkId}/progress`);
    await engine.database.query("alter table similarity.checks rename to checks_away");
    try {
      await engine.database.query("select pg_notify('similarity_check_progress', $1)", [
        JSON.stringify({ status: "complete", check_id: checkId }),
      ]);
      expect(await stream.text()).not.to.include("event:");
    } finally {
      await engine.database.query("alter table similarity.checks_away rename to checks");
    }
    expect((await engine.client.ended(checkId)).status).to.equal("complete");
  });
});
