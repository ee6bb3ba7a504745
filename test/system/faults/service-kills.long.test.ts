import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { pino } from "pino";
import { Database } from "../../../src/platform/postgres/database.ts";
import { recordFault } from "../../support/faults/fault-record.ts";
import { freshDatabase, freshPrefix, testStores } from "../../support/stores.ts";
import { mulberry32 } from "../../support/work/prose.ts";
import { closeAfterTests, TriedService } from "./tried-service.ts";
import { CHECKS, UPLOADS } from "./workload.ts";

const KILLS = Number(process.env.FAULT_KILLS ?? 30);

/** A try takes about 20 s, and several times that on a machine that does other work. */
const KILL_TIMEOUT_MS = 240_000;

/**
 * Interrupted work is to go on within 20 s: 10 for the missing heartbeat, 2 for the supervision, up to 5 for the retry, 2
 * for the poll. All of them are timers of processes that a loaded machine runs late, so that three times as long fails.
 */
const PICKED_UP_MAX_SECONDS = 60;

/** The end of a work that was cut off is looked for this often. */
const LOOK_MS = 100;

describe(`a service that is killed ${KILLS} times, with ${CHECKS} checks and ${UPLOADS} uploads under way`, function () {
  this.timeout(KILLS * KILL_TIMEOUT_MS);
  let service: TriedService | undefined;
  let database: Database | undefined;
  closeAfterTests(() => service);
  after(() => database?.close());

  it("loses none of them, and gives the same reports", async () => {
    const { opensearchNodes } = await testStores();
    const databaseUrl = await freshDatabase();
    service = await TriedService.open({
      databaseUrl,
      opensearchNodes,
      opensearchIndexPrefix: freshPrefix(),
    });
    database = new Database(databaseUrl, pino({ level: "silent" }));
    const random = mulberry32(20_261_121);
    let [healSeconds, pickedUp, interrupted] = [0, 0, 0];
    for (let number = 1; number <= KILLS; number += 1) {
      const workload = service.newWorkload();
      workload.begin();
      await sleep(random() * service.undisturbedMs);
      await service.kill();
      const cutOff = await activeJobs(database);
      await service.start();
      const started = performance.now();
      const seconds = () => (performance.now() - started) / 1000;
      await takenUp(database, cutOff);
      const takenUpSeconds = cutOff.length > 0 ? seconds() : 0;
      pickedUp = Math.max(pickedUp, takenUpSeconds);
      interrupted += cutOff.length;
      await workload.end();
      healSeconds = Math.max(healSeconds, seconds());
      for (const { status } of workload.refusals) expect(status).to.equal(503);
      await workload.expectUnchanged(service.undisturbed);
      await service.expectTidy(workload, 0);
      console.log(
        `      kill ${number}: ${cutOff.length} jobs cut off, taken up again ${takenUpSeconds.toFixed(1)} s after the start`,
      );
    }
    recordFault({
      fault: "the service is killed (SIGKILL)",
      under: `${CHECKS} checks, ${UPLOADS} uploads`,
      tries: KILLS,
      lost: 0,
      healSeconds,
      more: { "jobs cut off": interrupted, "picked up after at most (s)": pickedUp },
    });
    expect(interrupted, "jobs that were cut off").to.be.above(0);
    expect(pickedUp).to.be.below(PICKED_UP_MAX_SECONDS);
  });
});

type Job = { readonly id: string; readonly started: string };

async function activeJobs(database: Database): Promise<Job[]> {
  return database.query<Job>(
    "select id, started_on::text as started from similarity_jobs.job where state = 'active'",
  );
}

/** Waits until none of the jobs is under way any more since the same moment: each was begun again, or is done. */
async function takenUp(database: Database, cutOff: readonly Job[]): Promise<void> {
  const before = new Map(cutOff.map(({ id, started }) => [id, started]));
  for (;;) {
    const [left] = await database.query<{ count: number }>(
      `select count(*) from similarity_jobs.job, jsonb_each_text($1::jsonb) as cut (id, started)
        where job.id::text = cut.id and (state = 'retry' or (state = 'active' and started_on::text = cut.started))`,
      [JSON.stringify(Object.fromEntries(before))],
    );
    if (left?.count === 0) return;
    await sleep(LOOK_MS);
  }
}
