import { expect } from "chai";
import pg from "pg";
import { EngineClient } from "../support/client.ts";
import { prose } from "../support/prose.ts";
import { startTestService, type TestService } from "../support/service.ts";

describe("the progress hub", () => {
  let engine: TestService;
  let client: EngineClient;
  let database: pg.Client;

  before(async function () {
    this.timeout(240_000);
    engine = await startTestService();
    client = new EngineClient(engine.base);
    database = new pg.Client(engine.options.databaseUrl);
    await database.connect();
  });

  after(async () => {
    await database.end();
    await engine.stop();
  });

  it("passes over messages that it can't read, and goes on", async () => {
    for (const payload of ["hello", "{}", '{"status":"running","check_id":1}', ""]) {
      await database.query("select pg_notify('similarity_check_progress', $1)", [payload]);
    }
    const check = await client.ended(await client.submit(prose(5, 50)));
    expect(check.status).to.equal("complete");
  });

  it("goes on after its connection was lost: a stream that was open then still shows each stage and the end", async function () {
    this.timeout(30_000);
    const checkId = await client.submit(prose(6, 60_000).slice(0, 400_000));
    const stream = await client.request(`/v1/checks/${checkId}/progress`);
    await database.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen %'",
    );
    const text = await stream.text();
    const stages = [...text.matchAll(/"stage":"(\w+)"/g)].map((match) => match[1]);
    expect([...new Set(stages)].slice(-3)).to.deep.equal(["retrieving", "aligning", "assembling"]);
    expect(text.match(/^event: complete$/gm)).to.have.lengthOf(1);
  });

  it("ends an open stream when the check can't be read any more, so that its client comes again", async function () {
    this.timeout(30_000);
    const checkId = await client.submit(prose(7, 60_000).slice(0, 400_000));
    const stream = await client.request(`/v1/checks/${checkId}/progress`);
    await database.query("alter table similarity.checks rename to checks_away");
    try {
      await database.query("select pg_notify('similarity_check_progress', $1)", [
        JSON.stringify({ status: "complete", check_id: checkId }),
      ]);
      expect(await stream.text()).not.to.include("event:");
    } finally {
      await database.query("alter table similarity.checks_away rename to checks");
    }
    expect((await client.ended(checkId)).status).to.equal("complete");
  });
});
