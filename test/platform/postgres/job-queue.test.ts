import { expect } from "chai";
import { pino } from "pino";
import { Database } from "../../../src/platform/postgres/database.ts";
import { JobQueue } from "../../../src/platform/postgres/job-queue.ts";
import { QUEUES } from "../../../src/service/connect-corpus.ts";
import { freshDatabase } from "../../support/stores.ts";

const log = pino({ level: "silent" });

describe("scheduled jobs", () => {
  let databaseUrl: string;
  let database: Database;

  before(async function () {
    this.timeout(240_000);
    databaseUrl = await freshDatabase("schedule");
    database = new Database(databaseUrl, log);
  });
  after(() => database?.close());

  async function withQueue(works: boolean, work: (queue: JobQueue) => Promise<void>): Promise<void> {
    const queue = new JobQueue(databaseUrl, { queues: QUEUES, works, log });
    await queue.start();
    try {
      await work(queue);
    } finally {
      await queue.stop(1_000);
    }
  }

  function stored() {
    return database.query<{ cron: string; timezone: string }>(
      "select cron, timezone from similarity_jobs.schedule where name = 'refresh-statistics'",
    );
  }

  it("run on a worker at their time", async function () {
    this.timeout(180_000);
    await withQueue(false, (queue) => queue.schedule("refresh-statistics", "* * * * *"));
    // A worker looks for what is due when it starts.
    await withQueue(true, async (queue) => {
      const { promise, resolve } = Promise.withResolvers<string>();
      await queue.work("refresh-statistics", 1, async (id) => resolve(id));
      expect(await promise).to.equal("scheduled");
    });
  });

  it("have one schedule in UTC, which the last call sets and which can be removed", async () => {
    await withQueue(false, async (queue) => {
      await queue.schedule("refresh-statistics", "1 2 * * *");
      await queue.schedule("refresh-statistics", "17 3 * * *");
      expect(await stored()).to.deep.equal([{ cron: "17 3 * * *", timezone: "UTC" }]);
      await queue.unschedule("refresh-statistics");
      await queue.unschedule("refresh-statistics");
      expect(await stored()).to.deep.equal([]);
    });
  });
});
