import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import pg from "pg";
import { EngineClient } from "../../support/client.ts";
import { expectProblem } from "../../support/expect-problem.ts";
import { startTestService } from "../../support/service.ts";
import { freshDatabase, testStores } from "../../support/stores.ts";
import { prose } from "../../support/work/prose.ts";

/** As by other programs on the same PostgreSQL, which use up its connections. */
describe("a PostgreSQL without a connection left", function () {
  this.timeout(120_000);

  it("is named as the reason of a 503, ends nothing, and accepted checks complete once there are some", async () => {
    const { databaseUrl } = await testStores();
    const admin = new pg.Client(databaseUrl);
    await admin.connect();
    const url = new URL(await freshDatabase());
    const [database, role] = [
      url.pathname.slice(1),
      `limited_${url.pathname.slice(-8).replaceAll("-", "_")}`,
    ];
    await admin.query(`create role ${role} login password 'limited'`);
    await admin.query(`alter database ${database} owner to ${role}`);
    [url.username, url.password] = [role, "limited"];
    const service = await startTestService({ databaseUrl: url.href });
    try {
      const client = new EngineClient(service.base);
      const accepted = await Promise.all([1, 2, 3].map((seed) => client.submit(prose(seed, 200))));
      await admin.query(`alter role ${role} connection limit 0`);
      await admin.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", [
        database,
      ]);
      const connected = () => admin.query("select from pg_stat_activity where usename = $1", [role]);
      while (((await connected()).rowCount ?? 0) > 0) await sleep(20);
      const refused = await client.json("POST", "/v1/checks", { query_text: prose(4, 200) });
      const { detail } = await expectProblem(refused, 503, "store-unavailable");
      expect(detail).to.match(/no connection left.+max_connections/);
      expect((await client.request("/health")).status).to.equal(200);
      expect((await client.request("/ready")).status).to.equal(503);
      await admin.query(`alter role ${role} connection limit -1`);
      for (const checkId of accepted) expect((await client.ended(checkId)).status).to.equal("complete");
      while ((await client.request("/ready")).status !== 200) await sleep(20);
    } finally {
      await service.stop();
      await admin.query(`drop database ${database} with (force)`);
      await admin.query(`drop role ${role}`);
      await admin.end();
    }
  });
});
