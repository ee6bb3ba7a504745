import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { pino } from "pino";
import { CheckStore } from "../../src/checks/index.ts";
import { createDeleteOldChecks } from "../../src/checks/manage-checks.ts";
import type { Database } from "../../src/platform/postgres/database.ts";
import { JobQueue } from "../../src/platform/postgres/job-queue.ts";
import { DELETE_OLD_CHECKS_QUEUE, QUEUES } from "../../src/service/connect-corpus.ts";
import { useEngine } from "../support/use-engine.ts";
import { prose } from "../support/work/prose.ts";

const log = pino({ level: "silent" });
const DAY_MS = 86_400_000;
const never = new AbortController().signal;

describe("checks that were kept long enough", () => {
  const engine = useEngine({ checkRetentionDays: 30 });
  let queue: JobQueue;
  before(async () => {
    queue = new JobQueue(engine.options.databaseUrl, { queues: QUEUES, works: false, log });
    await queue.start();
  });
  after(() => queue?.stop(1_000));

  /** Deletes as if so many days had passed. */
  function deleteAfter(days: number, signal = never): Promise<number> {
    const now = () => new Date(Date.now() + days * DAY_MS);
    const parts = { database: engine.database, checks: new CheckStore(), queue, log };
    return createDeleteOldChecks({ ...parts, retentionDays: 30, now })(signal);
  }

  function status(checkId: string): Promise<number> {
    return engine.client.request(`/v1/checks/${checkId}`).then((answer) => answer.status);
  }

  it("are deleted when the days since their end are over, and not a day before", async () => {
    const { check_id } = await engine.client.checked(prose(1, 50));
    expect(await deleteAfter(29.9)).to.equal(0);
    expect(await status(check_id)).to.equal(200);
    expect(await deleteAfter(30.1)).to.equal(1);
    expect(await status(check_id)).to.equal(404);
  });

  it("are deleted with their original files", async () => {
    const { check_id } = await engine.client.checkedFile("essay.txt", prose(3, 50));
    expect(await status(`${check_id}/original`)).to.equal(200);
    expect(await deleteAfter(30.1)).to.equal(1);
    expect(await engine.database.query("select 1 from check_originals")).to.deep.equal([]);
  });

  it("never include one of a submission of a plug-in, which is deleted with it", async () => {
    const { check_id } = await engine.client.checked(prose(4, 50));
    await engine.database.query(
      "insert into core_api_submissions (submission_id, key_name, title, check_id) values (gen_random_uuid(), 'k', 't', $1)",
      [check_id],
    );
    expect(await deleteAfter(1_000)).to.equal(0);
    await engine.database.query("delete from core_api_submissions");
    expect(await deleteAfter(1_000)).to.equal(1);
    expect(await status(check_id)).to.equal(404);
  });

  it("never include one that waits or runs, however old it is", async () => {
    const checkId = await engine.client.submit(prose(2, 50));
    await engine.client.ended(checkId);
    await engine.database.query(
      `update checks set status = 'pending', completed_at = null, total_matched_chars = null, coverage = null,
              created_at = now() - interval '10 years' where check_id = $1`,
      [checkId],
    );
    expect(await deleteAfter(1_000)).to.equal(0);
    expect(await status(checkId)).to.equal(200);
    await engine.database.query("delete from checks where check_id = $1", [checkId]);
  });

  it("go in several batches, failed ones too, and a stop between two leaves the rest to the next time", async () => {
    await insertFailed(engine.database, 250, 29);
    const stop = new AbortController();
    // Two days on, as the service's own hourly deletion must not be faster.
    const stopped = deleteAfter(2, stop.signal).catch((error: unknown) => error);
    stop.abort(new Error("stopped"));
    expect(await stopped)
      .to.be.an("error")
      .with.property("message", "stopped");
    const left = await engine.database.query("select 1 from checks");
    expect(left).to.have.length.within(1, 249);
    expect(await deleteAfter(2)).to.equal(left.length);
    expect(await engine.database.query("select 1 from checks")).to.deep.equal([]);
  });

  it("are looked for every hour", async () => {
    const rows = await engine.database.query<{ cron: string }>(
      "select cron from similarity_jobs.schedule where name = 'delete-old-checks'",
    );
    expect(rows).to.deep.equal([{ cron: "23 * * * *" }]);
  });
});

describe("checks of any age without the setting for their retention", () => {
  const engine = useEngine({ checkRetentionDays: undefined });

  it("are never deleted, when comparisons whose links have expired are", async () => {
    await insertFailed(engine.database, 1, 4_000);
    await engine.database.query(
      "insert into comparison_links (comparison_id, content) values (gen_random_uuid(), '')",
    );
    const queue = new JobQueue(engine.options.databaseUrl, { queues: QUEUES, works: false, log });
    await queue.start();
    try {
      await queue.enqueue(DELETE_OLD_CHECKS_QUEUE, randomUUID(), engine.database);
      const links = () => engine.database.query("select 1 from comparison_links");
      while ((await links()).length > 0) await sleep(50);
      while ((await engine.database.query(UNDER_WAY, [DELETE_OLD_CHECKS_QUEUE])).length > 0) await sleep(50);
    } finally {
      await queue.stop(1_000);
    }
    expect(await engine.database.query("select 1 from checks")).to.have.length(1);
  });
});

const UNDER_WAY = "select 1 from similarity_jobs.job where name = $1 and state in ('created', 'active')";

/** Inserts checks that failed so many days ago. */
async function insertFailed(database: Database, count: number, daysAgo: number): Promise<void> {
  await database.query(
    `insert into checks (check_id, status, language, language_origin, page_margins, template_spans, query_text, query_text_preview,
       char_count, word_count, error_message, completed_at)
     select gen_random_uuid(), 'failed', 'en', 'stated', '{}', '{}', 'a', 'a', 1, 1, 'no', now() - make_interval(days => $2)
       from generate_series(1, $1)`,
    [count, daysAgo],
  );
}
