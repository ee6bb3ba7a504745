import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import pg from "pg";
import { ArchiveClients } from "../../../measure/load/archive-attack.ts";
import { ServiceProcess } from "../../support/processes/service-process.ts";
import { freshSettings } from "../../support/stores.ts";

/** A connection that has been idle within a transaction for a second waits for something other than the database. */
const WAITING_CONNECTIONS = `select count(*)::integer as waiting from pg_stat_activity
  where datname = current_database() and state = 'idle in transaction' and now() - state_change > interval '1 second'`;

describe("24 clients that send archives which are costly to unpack, and hang up", function () {
  this.timeout(240_000);

  it("hold no connection to the database, delay no check forever, and let the service end at SIGTERM", async () => {
    const settings = await freshSettings("archives");
    const service = await ServiceProcess.start({ ...settings, ROLES: "engine,worker", LOG_LEVEL: "error" });
    const database = new pg.Client(settings.DATABASE_URL);
    await database.connect();
    const attack = new ArchiveClients(service.client);
    try {
      for (let round = 0; round < 15; round += 1) {
        const checkId = await service.client.submit(`The text of round ${round}.`);
        expect((await service.client.ended(checkId)).status).to.equal("complete");
        const { rows } = await database.query<{ waiting: number }>(WAITING_CONNECTIONS);
        expect(rows[0]?.waiting).to.equal(0);
        await sleep(500);
      }
      expect(attack.answers.get(422)).to.be.above(0);
      expect(await service.end("SIGTERM")).to.equal(0);
    } finally {
      await service.end("SIGKILL");
      await attack.end();
      await database.end();
    }
  });
});
