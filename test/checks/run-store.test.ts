import { randomUUID } from "node:crypto";
import { expect } from "chai";
import { CheckStore } from "../../src/checks/check-store.ts";
import { RunStore } from "../../src/checks/run-store.ts";
import { useEngine } from "../support/use-engine.ts";

describe("what a running check has retrieved", () => {
  // Without a worker, the run is this test's own.
  const engine = useEngine({ roles: ["engine"] });
  const checks = new CheckStore();
  const runs = new RunStore();
  const chunk = { documentId: "d", chunkIndex: 2, sharedShingles: 1, sharedTerms: 3 };
  const found = [
    { queryChunk: 0, isComplete: true, found: [{ ...chunk, evidence: 30.5, isSufficient: true }] },
  ];

  it("is not kept, without an error, when the check is deleted at the same moment", async () => {
    const checkId = await engine.client.submit("A check that is deleted while it retrieves.");
    const run = { checkId, runId: randomUUID() };
    await runs.start(engine.database, checkId, run.runId);
    await runs.keepRetrieved(engine.database, run, found);
    expect(await runs.findRetrieved(engine.database, checkId)).to.deep.equal(found);

    let kept: Promise<void> | undefined;
    await engine.database.transaction(async (transaction) => {
      await checks.delete(transaction, checkId);
      kept = runs.keepRetrieved(engine.database, run, [{ queryChunk: 1, isComplete: true, found: [] }]);
      // Handled below; until then it must not count as unhandled.
      kept.catch(() => undefined);
      // The deletion is committed once the write waits for it.
      for (let waiting = 0; waiting === 0; ) {
        const [row] = await engine.database.query<{ waiting: number }>(
          `select count(*) as waiting from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'`,
        );
        waiting = row?.waiting ?? 0;
      }
    });
    await kept;
    expect(await runs.findRetrieved(engine.database, checkId)).to.deep.equal([]);
    expect(await runs.advance(engine.database, run, PROGRESS)).to.equal(false);
  });
});

describe("the times of a check", () => {
  const engine = useEngine({ roles: ["engine"] });
  const runs = new RunStore();

  it("do not run backwards where the clock was set back while it ran", async () => {
    const checkId = await engine.client.submit("A check that runs while the clock is set back.");
    const run = { checkId, runId: randomUUID() };
    await engine.database.query(
      "update checks set created_at = now() + interval '1 hour' where check_id = $1",
      [checkId],
    );
    const started = await runs.start(engine.database, checkId, run.runId);
    expect(started?.waitSeconds).to.equal(0);
    await engine.database.query(
      "update checks set started_at = now() + interval '1 hour' where check_id = $1",
      [checkId],
    );
    await runs.fail(engine.database, run, "ended by this test");
    const check = await engine.client.check(checkId);
    expect(Date.parse(check.completed_at ?? "")).to.be.at.least(Date.parse(check.started_at ?? "never"));
  });
});

const PROGRESS = {
  stage: "retrieving",
  chunksDone: 1,
  chunksTotal: 2,
  retrievingMs: 0,
  documentsPending: 0,
  uncompared: [],
} as const;
