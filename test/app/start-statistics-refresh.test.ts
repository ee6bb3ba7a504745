import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { pino } from "pino";
import { Database } from "../../src/platform/postgres/database.ts";
import { settingsFor } from "../statistics/use-fetch-context.ts";
import { startTestService } from "../support/service.ts";
import { freshDatabase } from "../support/stores.ts";

describe("the daily refresh of the statistics", function () {
  this.timeout(240_000);
  let databaseUrl: string;
  let database: Database;
  let dataDir: string;

  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "daily-"));
    databaseUrl = await freshDatabase("daily");
    database = new Database(databaseUrl, pino({ level: "silent" }));
  });
  after(async () => {
    await database?.close();
    await rm(dataDir, { recursive: true });
  });

  /** What is scheduled while a worker with this setting runs. */
  async function scheduled(changes: { readonly statisticsRefresh?: "off" | "daily" }) {
    // Were it the time of the refresh, nobody would answer.
    const sources = settingsFor({ base: "http://127.0.0.1:9" });
    const service = await startTestService({
      ...sources,
      databaseUrl,
      dataDir,
      roles: ["worker"],
      ...changes,
    });
    try {
      return await database.query("select name, cron from similarity_jobs.schedule");
    } finally {
      await service.stop();
    }
  }

  it("is off by default, on when it is set, and off again when it is not", async () => {
    expect(await scheduled({})).to.deep.equal([]);
    expect(await scheduled({ statisticsRefresh: "daily" })).to.deep.equal([
      { name: "refresh-statistics", cron: "17 3 * * *" },
    ]);
    expect(await scheduled({})).to.deep.equal([]);
  });
});
