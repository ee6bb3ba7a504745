import { randomUUID } from "node:crypto";
import { expect } from "chai";
import { pino } from "pino";
import { Database } from "../../../src/platform/postgres/database.ts";
import { JobQueue, type QueueDefinition } from "../../../src/platform/postgres/job-queue.ts";
import { QUEUES } from "../../../src/service/connect-corpus.ts";
import { freshDatabase } from "../../support/stores.ts";

const log = pino({ level: "silent" });

async function withQueueOf(
  databaseUrl: string,
  options: { readonly queues: readonly QueueDefinition[]; readonly works: boolean },
  work: (queue: JobQueue) => Promise<void>,
): Promise<void> {
  const queue = new JobQueue(databaseUrl, { ...options, log });
  await queue.start();
  try {
    await work(queue);
  } finally {
    await queue.stop(1_000);
  }
}

describe("scheduled jobs", () => {
  let databaseUrl: string;
  let database: Database;

  before(async function () {
    this.timeout(240_000);
    databaseUrl = await freshDatabase("schedule");
    database = new Database(databaseUrl, log);
  });
  after(() => database?.close());

  const withQueue = (works: boolean, work: (queue: JobQueue) => Promise<void>) =>
    withQueueOf(databaseUrl, { queues: QUEUES, works }, work);

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

describe("waiting jobs", () => {
  let databaseUrl: string;
  let database: Database;

  before(async function () {
    this.timeout(240_000);
    databaseUrl = await freshDatabase("waiting");
    database = new Database(databaseUrl, log);
  });
  after(() => database?.close());

  const withQueue = (works: boolean, work: (queue: JobQueue) => Promise<void>) =>
    withQueueOf(databaseUrl, { queues: [{ name: "some-work" }], works }, work);

  const enqueued = (queue: JobQueue, ids: readonly string[]) =>
    Promise.all(
      ids.map((id) => database.transaction((transaction) => queue.enqueue("some-work", id, transaction))),
    );

  it("are kept for years, however long the service stands still", async () => {
    const id = randomUUID();
    await withQueue(false, (queue) => enqueued(queue, [id]).then(() => undefined));
    const rows = await database.query<{ years: number }>(
      "select extract(year from age(keep_until, now()))::integer as years from similarity_jobs.job where id = $1",
      [id],
    );
    expect(rows[0]?.years).to.be.at.least(10);
    await database.query("delete from similarity_jobs.job");
  });

  it("run although the clock was set back, those of a killed worker, too", async () => {
    const [fresh, repeated, killed] = [randomUUID(), randomUUID(), randomUUID()];
    await withQueue(false, (queue) => enqueued(queue, [fresh, repeated, killed]).then(() => undefined));
    // What a clock that was a day ahead has left.
    const ahead = "now() + interval '1 day'";
    await database.query(`update similarity_jobs.job set start_after = ${ahead}`);
    await database.query("update similarity_jobs.job set state = 'retry', retry_count = 1 where id = $1", [
      repeated,
    ]);
    await database.query(
      `update similarity_jobs.job set state = 'active', started_on = ${ahead}, heartbeat_on = ${ahead} where id = $1`,
      [killed],
    );
    await database.query(
      `update similarity_jobs.queue set monitor_claim_on = ${ahead}, maintain_on = ${ahead}`,
    );
    await withQueue(true, async (queue) => {
      const done = new Set<string>();
      const { promise, resolve } = Promise.withResolvers<void>();
      await queue.work("some-work", 1, async (id) => {
        if (done.add(id).size === 3) resolve();
      });
      await promise;
      expect([...done].sort()).to.deep.equal([fresh, repeated, killed].sort());
    });
  }).timeout(60_000);
});
